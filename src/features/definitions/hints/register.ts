// Shows hints on the expressions of definitions, with quick fixes: from the text and the execution that it shows, after somebody has stopped typing.
import * as vscode from 'vscode';
import { isAbortError } from '../../../base/async.ts';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { Slices } from '../../../base/slices.ts';
import { escapeForJson } from '../../../definition/jsonString.ts';
import { DocumentMarks, type QuickFix, type Mark } from '../../../editor/documents/documentMarks.ts';
import { plainLine } from '../../../base/format.ts';
import { definitionSelector } from '../../../editor/ids.ts';
import { isForLocalService } from '../../../ui/definitionTargets.ts';
import type { App } from '../../../ui/app.ts';
import { shortId } from '../../../words/names.ts';
import type { DrawnExecution, DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import type { ExpressionHint } from './findHints.ts';

export type HintsDeps = Pick<App, 'connections' | 'definitionTargets' | 'definitionTexts' | 'logger'>;

/** More are no help. */
const maximumHints = 100;

export function registerHints(deps: HintsDeps, drawnExecutions: DrawnExecutions): Disposable {
  /** undefined where no execution is shown, or one that goes on: its data aren't complete. */
  const findEnded = (document: vscode.TextDocument): DrawnExecution | undefined => {
    const drawn = drawnExecutions.find(document);
    return drawn && hasEnded(drawn) ? drawn : undefined;
  };
  return new DocumentMarks({
    name: 'hints',
    selector: definitionSelector,
    find: (document, signal) => findMarks(deps, document, findEnded(document), signal),
    dependsOn: (document) => {
      const drawn = findEnded(document);
      return [drawn?.shown, drawn?.changes];
    },
    watch: ({ look }) =>
      combine(
        deps.definitionTexts.onDidRest((document) => {
          if (drawnExecutions.find(document) === undefined) look(document);
        }),
        drawnExecutions.onDidChange(({ document }) => look(document)),
      ),
  });
}

async function findMarks(
  deps: HintsDeps,
  document: vscode.TextDocument,
  drawn: DrawnExecution | undefined,
  signal: AbortSignal,
): Promise<readonly Mark[]> {
  const text = deps.definitionTexts.of(document);
  try {
    const { findHints, readAllValues } = await import('./hintsOfNodes.ts');
    const values = readAllValues(drawn);
    // Only of the local service it's known what it encodes.
    const isLocal = isForLocalService(deps, document.uri);
    const slices = new Slices(signal);
    const hints: ExpressionHint[] = [];
    for (const node of text.byId.values()) {
      if (slices.isOver) await slices.next();
      if (hints.length >= maximumHints) break;
      hints.push(
        ...findHints(text, node, values, idOf(drawn)).filter(({ kind }) => isLocal || kind !== 'encoded'),
      );
    }
    return hints.slice(0, maximumHints).map(toMark);
  } catch (error) {
    if (!isAbortError(error)) deps.logger.error('The hints of a definition failed.', error);
    return [];
  }
}

function hasEnded({ shown }: DrawnExecution): boolean {
  return shown.kind === 'execution' && shown.execution.status.isTerminal;
}

/** null for the latest execution. */
function idOf(drawn: DrawnExecution | undefined): string | null {
  return drawn?.shown.kind === 'execution' && !drawn.shown.isLatest
    ? shortId(drawn.shown.execution.id)
    : null;
}

/** What data may have another time is only a hint. */
function toMark(hint: ExpressionHint): Mark {
  const { offset, length, message, kind, instead } = hint;
  return {
    offset,
    length,
    message: plainLine(message),
    severity: kind === 'unseen' ? 'Hint' : 'Information',
    fixes: () => (instead === undefined ? [] : [change(hint, instead)]),
  };
}

function change({ offset, length }: ExpressionHint, instead: string): QuickFix {
  const title =
    instead === ''
      ? vscode.l10n.t('Remove the Encoding')
      : vscode.l10n.t('Change to "{0}"', plainLine(instead, 60));
  return { title, isPreferred: true, edits: [{ offset, length, content: escapeForJson(instead) }] };
}
