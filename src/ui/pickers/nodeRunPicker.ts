import * as vscode from 'vscode';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose } from '../../editor/prompts/prompts.ts';
import type { LogFeed } from '../../model/log/logFeed.ts';
import type { App } from '../app.ts';
import { describeOutcome } from '../../words/nodeState.ts';
import { runIcon } from '../icons.ts';
import { renderNodeName } from '../../words/renderLogLine.ts';

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
  // Which run is the last one only the whole log tells; a person is shown which ones there are to choose from.
  const known = isInteractive || feed.reading.kind === 'whole' ? runsIn(feed) : [];
  const runs = known.length > 0 ? known : runsIn(await following.readLog(target));
  if (runs.length === 0) throw new PlainError(vscode.l10n.t('This node has no run in this execution.'));
  return isInteractive && runs.length > 1 ? chooseRun(runs) : runs.at(-1);
}

/** As `findRun`. Rejects with a PlainError if the run is gone. */
export async function requireRun(...of: Parameters<typeof findRun>): Promise<NodeRun> {
  const run = await findRun(...of);
  if (run === undefined) throw new PlainError(vscode.l10n.t('The service no longer keeps this node run.'));
  return run;
}
