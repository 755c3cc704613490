// The node that failed a task, in the Problems panel at its place in the definition. The matcher of a terminal's lines finds files only, and a
// definition is a document of the service.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { RunError } from '../../domain/execution.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import { plainLine } from '../../base/format.ts';
import { baseName, rangeOf } from '../../editor/documents/documents.ts';
import type { App } from '../../ui/app.ts';
import { openDefinition } from '../../ui/pickers/openDefinition.ts';
import { shortId } from '../../words/names.ts';

export type FailureProblemsDeps = Pick<
  App,
  | 'actions'
  | 'connections'
  | 'definitionFiles'
  | 'definitionTargets'
  | 'definitionTexts'
  | 'logger'
  | 'services'
  | 'workflows'
>;

interface Problem {
  readonly uri: vscode.Uri;
  readonly diagnostic: vscode.Diagnostic;
}

export class FailureProblems implements Disposable {
  readonly #deps: FailureProblemsDeps;
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(
    vscode.languages.createDiagnosticCollection('workflowAutomation.tasks'),
  );
  /** By workflow. */
  readonly #problems = new Map<string, Problem>();

  constructor(deps: FailureProblemsDeps) {
    this.#deps = deps;
    this.#owned.add(deps.actions.onDidExecute(({ target }) => this.#remove(target)));
    // An open definition shows itself which nodes failed.
    const update = ({ uri }: vscode.TextDocument): void => {
      for (const problem of this.#problems.values())
        if (problem.uri.toString() === uri.toString()) this.#update(problem);
    };
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(update));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(update));
  }

  /** Returns the failure with its place as a line of text; undefined if the service names no node. Lists none that an execution has overtaken. */
  async show(
    target: WorkflowTarget,
    executionId: string,
    { nodeId, message }: RunError,
  ): Promise<string | undefined> {
    if (nodeId === null) return undefined;
    const since = { isOvertaken: false };
    const listening = this.#deps.actions.onDidExecute((executed) => {
      if (targetName(executed.target) === targetName(target)) since.isOvertaken = true;
    });
    try {
      const document = await openDefinition(this.#deps, target);
      const { byId } = this.#deps.definitionTexts.of(document);
      const node = byId.get(nodeId);
      const range = rangeOf(document, node?.label ?? { offset: 0, length: 0 });
      const reason = plainLine(message, 1000);
      const said = vscode.l10n.t(
        'This node failed in the execution {0}{1}: {2}',
        shortId(executionId),
        '',
        reason,
      );
      const diagnostic = new vscode.Diagnostic(range, said, vscode.DiagnosticSeverity.Error);
      diagnostic.source = 'workflow';
      const problem = { uri: document.uri, diagnostic };
      if (!since.isOvertaken) {
        this.#problems.set(targetName(target), problem);
        this.#update(problem);
      }
      const place = `${baseName(document.uri)}(${range.start.line + 1},${range.start.character + 1})`;
      return `${place}: error: ${plainLine(node?.name ?? nodeId, 80)}: ${reason}`;
    } catch (error) {
      this.#deps.logger.warn(`The place of a failed node could not be found: ${String(error)}`);
      return undefined;
    } finally {
      listening.dispose();
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #update({ uri, diagnostic }: Problem): void {
    const isOpen = vscode.workspace.textDocuments.some(
      (each) => !each.isClosed && each.uri.toString() === uri.toString(),
    );
    if (isOpen) this.#collection.delete(uri);
    else this.#collection.set(uri, [diagnostic]);
  }

  #remove(target: WorkflowTarget): void {
    const problem = this.#problems.get(targetName(target));
    if (problem === undefined) return;
    this.#problems.delete(targetName(target));
    this.#collection.delete(problem.uri);
  }
}
