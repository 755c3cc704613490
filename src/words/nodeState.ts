// How the state of a node reads, the same everywhere: of one run, or of all its runs. One line each, with text from outside made safe.
import * as l10n from '@vscode/l10n';
import type { NodeRun } from '../domain/nodeRun.ts';
import { joined, plainLine } from '../base/format.ts';
import type { NodeSummary } from '../model/runs/nodeSummary.ts';
import { statusWord } from './status.ts';
import { formatDuration } from './time.ts';

/** "failed", or "failed (handled)". */
export function runWord({ status, isHandled }: Pick<NodeRun, 'status' | 'isHandled'>): string {
  return isHandled ? l10n.t('failed (handled)') : statusWord(status?.state ?? 'unknown', status?.word);
}

/** What "failed (handled)" means; undefined for other runs. */
export function explainHandled({ isHandled }: Pick<NodeRun, 'isHandled'>): string | undefined {
  return isHandled ? l10n.t('The execution went on after this failure.') : undefined;
}

/** How long a run took; undefined if that isn't known, or if nothing was done: it was skipped, reused or pinned. */
export function describeDuration(
  run: Pick<NodeRun, 'status' | 'durationMs' | 'reusedFrom' | 'isPinned'>,
): string | undefined {
  const { status, durationMs } = run;
  const isIdle = status?.state === 'skipped' || hasTakenResult(run);
  return durationMs === null || isIdle ? undefined : formatDuration(durationMs);
}

/** Whether it took its result from a record or a pin, so that nothing ran. */
export function hasTakenResult({ reusedFrom, isPinned }: Pick<NodeRun, 'reusedFrom' | 'isPinned'>): boolean {
  return isPinned || reusedFrom !== null;
}

/** "reused" from another execution's record, "pinned", or "answered" by the draft; undefined for a run of its own. */
export function originWord({
  reusedFrom,
  isPinned,
  isAnswered,
}: Pick<NodeRun, 'reusedFrom' | 'isPinned' | 'isAnswered'>): string | undefined {
  if (isPinned) return l10n.t('pinned');
  if (reusedFrom !== null) return l10n.t('reused');
  return isAnswered ? l10n.t('answered') : undefined;
}

/** What "answered" means; undefined for other runs. */
export function explainAnswered({ isAnswered }: Pick<NodeRun, 'isAnswered'>): string | undefined {
  return isAnswered ? l10n.t('Answered from the draft: nothing was sent.') : undefined;
}

export function attemptWord(attempt: number): string {
  return l10n.t('attempt {0}', attempt);
}

/** "attempt 2"; undefined for a first one, which needs no word. */
export function describeAttempt({ attempt }: Pick<NodeRun, 'attempt'>): string | undefined {
  return attempt > 1 ? attemptWord(attempt) : undefined;
}

/** "failed · 490 ms", "completed · reused". */
export function describeState(run: NodeRun): string {
  return joined([runWord(run), originWord(run), describeDuration(run)], ' · ');
}

/** "3 iterations", or "3 runs" of a node in no loop that's known; undefined for one run. */
export function countRuns({ iterations, worst }: NodeSummary): string | undefined {
  if (iterations.length < 2) return undefined;
  return worst.iteration.length === 0
    ? l10n.t('{0} runs', iterations.length)
    : l10n.t('{0} iterations', iterations.length);
}

/** "failed · ×3 · 490 ms · up to 2 attempts". */
export function describeStates({ worst, iterations, attempts, durationMs }: NodeSummary): string {
  const isLoop = iterations.length > 1;
  const mostAttempts = isLoop ? l10n.t('up to {0} attempts', attempts) : attemptWord(attempts);
  return joined(
    [
      runWord(worst),
      isLoop ? undefined : originWord(worst),
      isLoop ? `×${iterations.length}` : undefined,
      describeDuration(
        isLoop ? { status: worst.status, durationMs, reusedFrom: null, isPinned: false } : worst,
      ),
      attempts > 1 ? mostAttempts : undefined,
    ],
    ' · ',
  );
}

/** The run's error; undefined without one. */
export function errorOfRun({ error }: Pick<NodeRun, 'error'>, maximum = 120): string | undefined {
  return error === null ? undefined : plainLine(error.message, maximum);
}

/** "failed · 490 ms · The mail server answered 503". */
export function describeOutcome(run: NodeRun): string {
  return joined([describeState(run), errorOfRun(run)], ' · ');
}
