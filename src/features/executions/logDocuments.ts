// Why: the log of an execution as a document: it grows while the execution is followed, folds and has an outline by node run.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { Following } from '../../model/executions/following.ts';
import type { ExecutionTarget } from '../../model/targets.ts';
import { formatDuration, plainLine } from '../../platform/format.ts';
import { schemes } from '../../platform/ids.ts';
import { statusWord } from '../../platform/statusIcon.ts';
import { renderNodeName } from '../../rows/renderLogLine.ts';
import { createLogRenderer } from './renderLog.ts';
import type { LogSection, RenderedLog } from './renderLog.ts';

export interface LogDocuments extends Disposable {
  /** The text of an opened log as far as its rows are there. An execution that goes on is followed from the first reading on. */
  read(uri: vscode.Uri, target: ExecutionTarget, signal: AbortSignal): Promise<string>;
}

export interface LogDocumentsParts {
  readonly executions: Executions;
  readonly following: Following;
}

function symbolOf({ run, firstLine, lastLine }: LogSection, document: vscode.TextDocument) {
  const state = run.status?.state ?? 'unknown';
  const duration = run.durationMs === null ? '' : ` · ${formatDuration(run.durationMs)}`;
  const first = document.lineAt(firstLine).range;
  return new vscode.DocumentSymbol(
    renderNodeName(run),
    statusWord(state, plainLine(run.status?.word ?? '', 40)) + duration,
    vscode.SymbolKind.Event,
    first.union(document.lineAt(lastLine).range),
    first,
  );
}

/** Each run once, where it begins. */
function outline(sections: readonly LogSection[], document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const seen = new Set<string>();
  return sections.flatMap((section) => {
    if (seen.has(section.run.key) || section.lastLine >= document.lineCount) return [];
    seen.add(section.run.key);
    return [symbolOf(section, document)];
  });
}

export function createLogDocuments({ executions, following }: LogDocumentsParts): LogDocuments {
  const owned = new DisposableStore();
  const render = createLogRenderer();
  /** What each open document was last given, by its address. */
  const given = new Map<string, RenderedLog>();
  const sectionsOf = ({ uri }: vscode.TextDocument) => given.get(uri.toString())?.sections ?? [];
  const selector = { scheme: schemes.execution, language: 'log' };

  owned.add(
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) => outline(sectionsOf(document), document),
    }),
  );
  owned.add(
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document) =>
        sectionsOf(document)
          .filter(({ firstLine, lastLine }) => lastLine > firstLine)
          .map(({ firstLine, lastLine }) => new vscode.FoldingRange(firstLine, lastLine)),
    }),
  );
  owned.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      given.delete(uri.toString());
    }),
  );

  async function begin(target: ExecutionTarget, signal: AbortSignal): Promise<void> {
    const execution = executions.find(target) ?? (await executions.read(target, signal));
    if (execution.status.isTerminal) await executions.readLogs(target, signal);
    else following.follow(target);
  }

  return {
    read: async (uri, target, signal) => {
      if (!given.has(uri.toString())) await begin(target, signal);
      const execution = executions.find(target) ?? (await executions.read(target, signal));
      const { rows, nodeRuns } = executions.logs(target);
      const log = render(execution, rows, nodeRuns.current);
      given.set(uri.toString(), log);
      return log.text;
    },
    dispose: () => {
      owned.dispose();
      given.clear();
    },
  };
}
