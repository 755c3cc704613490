// How executions read in a row: the part that says most comes first, and the icon says the state.
import * as l10n from '@vscode/l10n';
import type { Execution } from '../domain/execution.ts';
import { isUnfinished, type RunState, type Status } from '../domain/status.ts';
import { formats } from './formats.ts';
import { shortId } from './names.ts';
import { wordOfStatus } from './status.ts';
import { formatAge, formatDuration, formatElapsed } from './time.ts';

const countedMs = 60_000;

type Timed = Pick<Execution, 'status' | 'isCancelRequested' | 'startedAt' | 'createdAt' | 'durationMs'>;

/** Milliseconds since something unfinished began; undefined if it has ended or doesn't say when it began. */
function elapsedMs(began: Date | null, state: RunState, now: number): number | undefined {
  return began === null || !isUnfinished(state) ? undefined : now - began.getTime();
}

/** True in the first minute of something unfinished: its row counts seconds. */
export function countsSeconds(began: Date | null, state: RunState, now: number): boolean {
  return (elapsedMs(began, state, now) ?? countedMs) < countedMs;
}

/** "12 s": how long something unfinished has been going on. */
export function describeElapsed(began: Date | null, state: RunState, now: number): string | undefined {
  const elapsed = elapsedMs(began, state, now);
  return elapsed === undefined ? undefined : formatElapsed(elapsed);
}

export function beginOf({ startedAt, createdAt }: Pick<Execution, 'startedAt' | 'createdAt'>): Date | null {
  return startedAt ?? createdAt;
}

/** True for what can still be cancelled. */
export function isCancellable({
  status,
  isCancelRequested,
}: Pick<Execution, 'status' | 'isCancelRequested'>): boolean {
  return !status.isTerminal && !isCancelRequested;
}

/** True for what ended without completing, so that it can go on from there. */
export function isRetryable({ status }: Pick<Execution, 'status'>): boolean {
  return status.state === 'failed' || status.state === 'cancelled';
}

/** The state for code: our own word for it, or the service's. */
export function stateOf({ status }: Pick<Execution, 'status'>): string {
  return status.state === 'unknown' ? status.word : status.state;
}

/** "Latest execution d7328a": what a workflow shows. */
export function nameShown({ id, kind }: Pick<Execution, 'id' | 'kind'>, isLatest: boolean): string {
  const name = shortId(id);
  if (kind === 'draft') return l10n.t('Draft execution {0}', name);
  return isLatest ? l10n.t('Latest execution {0}', name) : l10n.t('Execution {0}', name);
}

/** "draft"; undefined for what is deployed. */
export function draftWord({ kind }: Pick<Execution, 'kind'>): string | undefined {
  return kind === 'draft' ? l10n.t('draft') : undefined;
}

/** "retry of 3f9a1c"; undefined for other executions. */
export function retryWords({ retryOf }: Pick<Execution, 'retryOf'>): string | undefined {
  return retryOf === null ? undefined : l10n.t('retry of {0}', shortId(retryOf));
}

export function executionWord({
  status,
  isCancelRequested,
}: Pick<Execution, 'status' | 'isCancelRequested'>): string {
  if (isCancelRequested && !status.isTerminal) return l10n.t('Cancelling…');
  return wordOfStatus(status);
}

/** by: the service. */
export function describeNodesAtEnd(by: string): string {
  return l10n.t('{0} reports nodes when the execution ends', by);
}

/** What stands where there are no node runs. atEndBy: the service that reports them at the end. */
export function describeNoNodes(
  { notKeptBy, isTerminal }: Pick<Status, 'notKeptBy' | 'isTerminal'>,
  atEndBy?: string,
): string {
  if (notKeptBy !== undefined) return l10n.t('{0} keeps no record of the nodes', notKeptBy);
  if (atEndBy !== undefined) return describeNodesAtEnd(atEndBy);
  return isTerminal ? l10n.t('No nodes have run') : l10n.t('Waiting for the first node…');
}

/** What stands where node runs are gone, to save memory. */
export function describeGoneRuns(count: number): string {
  return l10n.t('Earlier node runs that are no longer kept on this machine: {0}', formats.number(count));
}

/** "running", "12 s", or "989 ms", "3 min ago". The word is left out where the icon says the same. */
export function describeTimes(execution: Timed, now: number): readonly (string | undefined)[] {
  const { state } = execution.status;
  const began = beginOf(execution);
  const word = state === 'completed' || state === 'failed' ? undefined : executionWord(execution);
  if (isUnfinished(state)) return [word, describeElapsed(began, state, now)];
  const duration = execution.durationMs === null ? undefined : formatDuration(execution.durationMs);
  return [word, duration, began === null ? undefined : formatAge(began, now)];
}

/** The same to be read out: always with the word, and without seconds that would be read out again and again. */
export function speakTimes(execution: Timed, now: number): readonly (string | undefined)[] {
  const [word = executionWord(execution), ...times] = describeTimes(execution, now);
  return countsSeconds(beginOf(execution), execution.status.state, now) ? [word] : [word, ...times];
}

/** "failed 3 min ago", "running". */
export function describeLatest(execution: Timed, now: number): string {
  const { state } = execution.status;
  const began = beginOf(execution);
  const word = executionWord(execution);
  if (began === null || countsSeconds(began, state, now)) return word;
  return `${word} ${describeElapsed(began, state, now) ?? formatAge(began, now)}`;
}
