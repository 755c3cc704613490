// What stands behind each expression of a definition: what it gave in the execution that the definition shows.
import * as vscode from 'vscode';
import { plainLine } from '../../../editor/format.ts';
import { settings } from '../../../editor/settings.ts';
import type { DefinitionExpressions } from './definitionExpressions.ts';
import type { Evaluations } from './evaluations.ts';
import type { ExpressionValues } from './expressionValues.ts';
import { findGiven } from './givenValue.ts';
import { type Failure, renderInFull, renderInText, type ShownValue } from './renderValue.ts';

/** "gave": in the execution. "evaluated": on request, whatever ran. */
type HowKnown = 'gave' | 'evaluated';

const marks: Readonly<Record<HowKnown, string>> = { gave: '→', evaluated: '=' };

class ValueHint extends vscode.InlayHint {
  readonly how: HowKnown;
  readonly given: ShownValue | Failure;

  constructor(position: vscode.Position, how: HowKnown, given: ShownValue | Failure) {
    super(position, renderInText(marks[how], given));
    this.how = how;
    this.given = given;
    this.paddingLeft = true;
  }
}

export interface HintsDeps {
  readonly expressions: DefinitionExpressions;
  readonly evaluations: Evaluations;
  readonly values: ExpressionValues;
}

export async function listHints(
  deps: HintsDeps,
  document: vscode.TextDocument,
  range: vscode.Range,
  signal: AbortSignal,
): Promise<vscode.InlayHint[]> {
  const shown = deps.expressions.shownOn(document);
  if (shown === undefined) return [];
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const places = deps.expressions
    .nodesIn(document)
    .filter(({ offset, length }) => offset <= to && offset + length >= from)
    .flatMap((node) => node.places)
    .filter(({ end }) => from <= end && end <= to);
  const hints: vscode.InlayHint[] = [];
  const isOn = settings.showExecution();
  const { version } = document;
  // One after the other: the thread takes them so anyway, and nothing else waits for more than one of them.
  for (const place of places) {
    const evaluated = deps.evaluations.find(document, place, shown);
    const given = evaluated ?? (isOn ? await findGiven(deps.values, shown, place, signal) : undefined);
    if (document.version !== version) return [];
    if (given === undefined) continue;
    const how = evaluated === undefined ? 'gave' : 'evaluated';
    hints.push(new ValueHint(document.positionAt(place.end), how, given));
  }
  return hints;
}

/** Adds the whole value. */
export function resolveHint(hint: vscode.InlayHint): vscode.InlayHint {
  if (hint instanceof ValueHint) hint.tooltip = describe(hint);
  return hint;
}

function describe({ how, given }: ValueHint): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  if (given.kind === 'failed') return text.appendText(plainLine(given.message, 1000));
  text.appendText(
    how === 'gave'
      ? vscode.l10n.t('In the execution that is shown, this gave:')
      : vscode.l10n.t('Evaluated with the data of the execution that is shown, this gives:'),
  );
  text.appendCodeblock(renderInFull(given), 'json');
  if (!given.isWhole) text.appendText(vscode.l10n.t('This is only the beginning of the value.'));
  return text;
}
