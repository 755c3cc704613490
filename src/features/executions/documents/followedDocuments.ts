// Log and timeline documents, which grow while the execution is running.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { RenderedRuns, RunsRenderer } from './rendering/renderedRuns.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { App } from '../../../ui/app.ts';

export interface FollowedDocuments extends Disposable {
  /** Returns the text for the known node logs. The first call starts to follow an execution that's still running. */
  read(uri: vscode.Uri, target: ExecutionTarget, render: RunsRenderer, signal: AbortSignal): Promise<string>;
  /** Returns the last text that was provided for an open document. */
  find(document: vscode.TextDocument): RenderedRuns | undefined;
}

export type FollowedDocumentsDeps = Pick<App, 'executions' | 'following'>;

interface Given {
  readonly execution: Execution;
  readonly nodeRuns: readonly NodeRun[];
  readonly rendered: RenderedRuns;
}

export function createFollowedDocuments({ executions, following }: FollowedDocumentsDeps): FollowedDocuments {
  /** By document URI. */
  const given = new Map<string, Given>();
  const subscription = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    given.delete(uri.toString());
  });

  async function begin(target: ExecutionTarget, signal: AbortSignal): Promise<void> {
    const execution = executions.find(target) ?? (await executions.read(target, signal));
    if (execution.status.isTerminal) await executions.readLogs(target, signal);
    else following.follow(target);
  }

  return {
    read: async (uri, target, render, signal) => {
      const key = uri.toString();
      if (!given.has(key)) await begin(target, signal);
      const execution = executions.find(target) ?? (await executions.read(target, signal));
      const { rows, nodeRuns } = executions.logs(target);
      const earlier = given.get(key);
      // Each new node log replaces the node runs, so nothing has changed if both are the same.
      if (earlier?.execution === execution && earlier.nodeRuns === nodeRuns) return earlier.rendered.text;
      const rendered = render({ execution, rows, nodeRuns });
      given.set(key, { execution, nodeRuns, rendered });
      return rendered.text;
    },
    find: ({ uri }) => given.get(uri.toString())?.rendered,
    dispose: () => {
      subscription.dispose();
      given.clear();
    },
  };
}
