// The node runs below an execution, in whichever view it stands: read when it is unfolded, live while it is followed.
import * as vscode from 'vscode';
import { describeError } from '../words/describeError.ts';
import {
  type ExecutionElement,
  nodeRunElement,
  type NodeRunElement,
  noteElement,
  type NoteElement,
} from './elements.ts';
import type { App } from '../app.ts';

export type NodeRunDeps = Pick<App, 'executions' | 'following'>;

/** The rows below an execution; a failure to read them is a row as well. Empty when cancelled. */
export async function listNodeRunRows(
  { executions, following }: NodeRunDeps,
  element: ExecutionElement,
  signal: AbortSignal,
): Promise<readonly (NodeRunElement | NoteElement)[]> {
  const { connectionId, executionId, key } = element;
  const isLive = following.current.some(({ target }) => target.executionId === executionId);
  const feed = executions.logs(element);
  const mayHaveMore = feed.rows.length === 0 || executions.find(element)?.status.isTerminal !== true;
  if (!isLive && mayHaveMore) {
    try {
      await executions.readLogs(element, signal);
    } catch (error) {
      if (signal.aborted) return [];
      return [noteElement(connectionId, key, describeError(error, Date.now()).message, true)];
    }
  }
  const rows = feed.nodeRuns.current.map((run) => nodeRunElement(element, run.key));
  if (rows.length > 0) return rows;
  const text = isLive ? vscode.l10n.t('Waiting for the first node…') : vscode.l10n.t('No node has run');
  return [noteElement(connectionId, key, text, false)];
}
