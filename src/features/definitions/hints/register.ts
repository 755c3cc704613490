// Shows hints on the expressions of definitions, with quick fixes: from the text and the execution that it shows, after somebody has stopped typing.
import * as vscode from 'vscode';
import { isAbortError } from '../../../base/async.ts';
import { combine, type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Slices } from '../../../base/slices.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { escapeForJson } from '../../../definition/jsonString.ts';
import { plainLine } from '../../../editor/format.ts';
import { isForLocalService } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { shortId } from '../../../ui/words/names.ts';
import type { DrawnExecution, DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import type { ExpressionHint } from './findHints.ts';

export type HintsDeps = Pick<App, 'connections' | 'definitionTexts' | 'logger'>;

/** More are no help. */
const maximumHints = 100;

/** What the hints of a document were made of. */
interface Held {
  readonly text: DefinitionText;
  readonly drawn: DrawnExecution | undefined;
  readonly controller: AbortController;
  /** Empty until they're found. */
  hints: readonly ExpressionHint[];
}

class ShownHints implements Disposable {
  readonly #deps: HintsDeps;
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(
    vscode.languages.createDiagnosticCollection('workflowAutomation.hints'),
  );
  readonly #held = new Map<vscode.TextDocument, Held>();

  constructor(deps: HintsDeps, drawnExecutions: DrawnExecutions) {
    this.#deps = deps;
    this.#owned.add(
      deps.definitionTexts.onDidRest((document) => {
        if (drawnExecutions.find(document) === undefined) this.#renew(document, undefined);
      }),
    );
    this.#owned.add(
      drawnExecutions.onDidChange((drawn) =>
        this.#renew(drawn.document, hasEnded(drawn) ? drawn : undefined),
      ),
    );
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#held.get(document)?.controller.abort();
        this.#held.delete(document);
        this.#collection.delete(document.uri);
      }),
    );
  }

  /** Those of the text as it is now. */
  list(document: vscode.TextDocument): readonly ExpressionHint[] {
    const held = this.#held.get(document);
    return held?.text === this.#deps.definitionTexts.of(document) ? held.hints : [];
  }

  dispose(): void {
    for (const { controller } of this.#held.values()) controller.abort();
    this.#owned.dispose();
  }

  /** `drawn`: undefined where no execution is shown, or one that goes on: its data aren't complete. */
  #renew(document: vscode.TextDocument, drawn: DrawnExecution | undefined): void {
    const text = this.#deps.definitionTexts.of(document);
    const known = this.#held.get(document);
    const isSame = known?.drawn?.shown === drawn?.shown && known?.drawn?.changes === drawn?.changes;
    if (document.isClosed || (known?.text === text && isSame)) return;
    known?.controller.abort();
    const held: Held = { text, drawn, controller: new AbortController(), hints: known?.hints ?? [] };
    this.#held.set(document, held);
    void this.#find(document, held);
  }

  async #find(document: vscode.TextDocument, held: Held): Promise<void> {
    const { text, drawn, controller } = held;
    try {
      const { findHints, readAllValues } = await import('./hintsOfNodes.ts');
      const values = readAllValues(drawn);
      const { signal } = controller;
      // Only of the local service it's known what it encodes.
      const isLocal = isForLocalService(this.#deps.connections, document.uri);
      const slices = new Slices(signal);
      const hints: ExpressionHint[] = [];
      for (const node of text.byId.values()) {
        if (slices.isOver) await slices.next();
        if (hints.length >= maximumHints) break;
        hints.push(
          ...findHints(text, node, values, idOf(drawn)).filter(({ kind }) => isLocal || kind !== 'encoded'),
        );
      }
      signal.throwIfAborted();
      held.hints = hints.slice(0, maximumHints);
      this.#collection.set(
        document.uri,
        held.hints.map((hint) => toDiagnostic(document, hint)),
      );
    } catch (error) {
      if (!isAbortError(error)) this.#deps.logger.error('The hints of a definition failed.', error);
    }
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
function toDiagnostic(
  document: vscode.TextDocument,
  { offset, length, message, kind }: ExpressionHint,
): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  const { Hint, Information } = vscode.DiagnosticSeverity;
  const diagnostic = new vscode.Diagnostic(range, plainLine(message), kind === 'unseen' ? Hint : Information);
  diagnostic.source = 'Workflows';
  return diagnostic;
}

function toAction(document: vscode.TextDocument, hint: ExpressionHint, instead: string): vscode.CodeAction {
  const title =
    instead === ''
      ? vscode.l10n.t('Remove the Encoding')
      : vscode.l10n.t('Change to "{0}"', plainLine(instead, 60));
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  const diagnostic = toDiagnostic(document, hint);
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, diagnostic.range, escapeForJson(instead));
  return action;
}

export function registerHints(deps: HintsDeps, drawnExecutions: DrawnExecutions): Disposable {
  const shown = new ShownHints(deps, drawnExecutions);
  return combine(
    shown,
    vscode.languages.registerCodeActionsProvider(
      { pattern: '**/*.workflow.json' },
      {
        provideCodeActions: (document, range) =>
          shown.list(document).flatMap((hint) => {
            const { instead } = hint;
            const isThere = toDiagnostic(document, hint).range.intersection(range) !== undefined;
            return isThere && instead !== undefined ? [toAction(document, hint, instead)] : [];
          }),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}
