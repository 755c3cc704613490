import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { choose } from '../../../editor/prompts/prompts.ts';
import { showDocument } from '../../../editor/documents/documents.ts';
import { describeOutcome } from '../../../words/nodeState.ts';
import { renderNodeName } from '../../../words/renderLogLine.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { App } from '../../../ui/app.ts';
import { nodeRunUri } from '../../../ui/executionUris.ts';
import { runIcon } from '../../../ui/icons.ts';

export type NodeRunDeps = Pick<
  App,
  'commands' | 'executions' | 'executionDocuments' | 'connections' | 'following' | 'workflows' | 'clock'
>;

/** A node run by its key, the runs of a node, or all runs of an execution. */
export interface NodeRunArgument extends ExecutionTarget {
  readonly nodeRunKey?: string;
  readonly nodeId?: string;
}

function chooseRun(runs: readonly NodeRun[]): Promise<NodeRun> {
  return choose(
    vscode.l10n.t('Select a node run to open'),
    runs.map((run) => ({
      label: renderNodeName(run),
      description: describeOutcome(run),
      iconPath: runIcon(run),
      value: run,
    })),
  );
}

/** If a node has several runs, the user chooses one; code gets the last one. */
export async function findRun(
  { executions, following }: Pick<App, 'executions' | 'following'>,
  { nodeRunKey, nodeId, ...target }: NodeRunArgument,
  isInteractive: boolean,
): Promise<NodeRun | undefined> {
  const feed = executions.logs(target);
  if (nodeRunKey !== undefined)
    return feed.findNodeRun(nodeRunKey) ?? (await following.readLog(target)).findNodeRun(nodeRunKey);
  const runsIn = ({ nodeRuns }: LogFeed) =>
    nodeRuns.filter((run) => nodeId === undefined || run.nodeId === nodeId);
  const known = runsIn(feed);
  const runs = known.length > 0 ? known : runsIn(await following.readLog(target));
  if (runs.length === 0) throw new PlainError(vscode.l10n.t('This node has no run in this execution.'));
  return isInteractive && runs.length > 1 ? chooseRun(runs) : runs.at(-1);
}

export function registerNodeRun(deps: NodeRunDeps & Pick<App, 'contextKeys'>): Disposable {
  return deps.commands.register<'nodeRun.open', NodeRunArgument>('nodeRun.open', {
    ask: () => pickExecution(deps),
    run: async (argument, { isInteractive }) => {
      const { connectionId, executionId, nodeRunKey = '' }: NodeRunArgument = argument;
      const target = { connectionId, executionId };
      const run = await findRun(deps, argument, isInteractive);
      const shown = run ?? { key: nodeRunKey, nodeName: vscode.l10n.t('node'), iteration: [] };
      const uri = nodeRunUri(deps.connections, target, shown);
      await showDocument(deps.executionDocuments, uri);
      deps.contextKeys('hasOpenedNodeRun', true);
      return uri.toString();
    },
  });
}
