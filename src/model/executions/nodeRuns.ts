// Folds the rows of an execution into its node runs; a loop's turn or a second attempt is a run of its own.
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { JsonValue } from '../../base/json.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';

/** Folds all rows, oldest first, into node runs in the order of their first row. Pure. */
export function foldNodeRuns(rows: readonly NodeLog[]): readonly NodeRun[] {
  return addToNodeRuns([], rows);
}

/** Adds later rows; runs that no row touches keep their identity. Pure. */
export function addToNodeRuns(runs: readonly NodeRun[], rows: readonly NodeLog[]): readonly NodeRun[] {
  const next = [...runs];
  for (const row of rows) {
    // A line of the execution itself belongs to no node.
    if (row.nodeId === '') continue;
    const at = next.findLastIndex((run) => belongsTo(row, run));
    const run = next[at];
    if (run) next[at] = extend(run, row);
    else next.push(extend(emptyRun(row, next), row));
  }
  return next;
}

function isSameNode(row: NodeLog, run: NodeRun): boolean {
  return (
    row.nodeId === run.nodeId &&
    row.attempt === run.attempt &&
    row.iteration.length === run.iteration.length &&
    row.iteration.every((turn, level) => turn === run.iteration[level])
  );
}

function belongsTo(row: NodeLog, run: NodeRun): boolean {
  if (!isSameNode(row, run)) return false;
  if (row.startedAt && run.startedAt) return row.startedAt.getTime() === run.startedAt.getTime();
  // Without times, a node that goes on after its end can only be another turn of a loop.
  const startsAgain = row.status?.isTerminal === false && run.status?.isTerminal === true;
  return !startsAgain;
}

function emptyRun(row: NodeLog, runs: readonly NodeRun[]): NodeRun {
  const start = row.startedAt?.getTime() ?? `turn ${runs.filter((run) => isSameNode(row, run)).length}`;
  return {
    key: JSON.stringify([row.nodeId, row.iteration, row.attempt, start]),
    nodeId: row.nodeId,
    nodeName: row.nodeName,
    nodeType: row.nodeType,
    iteration: row.iteration,
    attempt: row.attempt,
    status: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
    error: null,
    input: undefined,
    output: undefined,
    logs: [],
  };
}

function extend(run: NodeRun, row: NodeLog): NodeRun {
  const startedAt = row.startedAt ?? run.startedAt;
  const completedAt = row.completedAt ?? run.completedAt;
  const measured = startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null;
  return {
    ...run,
    nodeType: row.nodeType ?? run.nodeType,
    status: row.status ?? run.status,
    startedAt,
    completedAt,
    durationMs: row.durationMs ?? measured ?? run.durationMs,
    error: row.error ?? run.error,
    input: laterValue(run.input, row.input),
    output: laterValue(run.output, row.output),
    logs: [...run.logs, row],
  };
}

/** Rows that do not carry a value have null in its place; that must not wipe out what an earlier row brought. */
function laterValue(earlier: JsonValue | undefined, later: JsonValue | undefined): JsonValue | undefined {
  return later === undefined || (later === null && earlier !== undefined) ? earlier : later;
}
