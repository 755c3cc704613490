// One action on all rows that are selected: with progress, and one message that names those it failed for.
import * as vscode from 'vscode';
import { isAbortError } from '../base/async.ts';
import { wait } from '../base/time.ts';
import type { ExecutionTarget } from '../domain/targets.ts';
import { showMessage, withLateProgress, withProgress } from '../editor/prompts/prompts.ts';
import type { App } from './app.ts';
import { describeProgress } from './transfer.ts';
import { describeError } from './words/describeError.ts';
import { shortId, workflowName } from '../words/names.ts';

export type NameDeps = Pick<App, 'executions' | 'workflows'>;

/** The workflow's name as far as it's known. */
export function nameOf({ executions, workflows }: NameDeps, target: ExecutionTarget): string {
  return workflowName(workflows, target.connectionId, executions.find(target)?.workflowId ?? null);
}

/** With the end of its id, as one of several. */
export function nameOfOne(deps: NameDeps, target: ExecutionTarget): string {
  return `"${nameOf(deps, target)}" ${shortId(target.executionId)}`;
}

interface Action<T, Target> {
  /** As in "Cancelling…". */
  readonly progress: string;
  readonly nameOf: (target: Target) => string;
  readonly act: (target: Target, signal: AbortSignal) => Promise<T>;
  /** What is said when it was done for all, which the rows don't show. */
  readonly done?: string;
}

const shownFailures = 3;
/** The longest wait before an act, in milliseconds. What can't be sent for longer fails by itself. */
const longestWaitMs = 5 * 60_000;

export type ActOnAllDeps = Pick<App, 'clock' | 'requestWaits' | 'services'>;

/** Leaves the requests that are reserved for the user's clicks to them, however many acts there are. */
async function leaveReserve(
  { clock, services }: ActOnAllDeps,
  connectionId: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  const budget = services.budget(connectionId);
  const end = clock.now() + longestWaitMs;
  for (;;) {
    const waitMs = budget.waitMs('executions');
    if (waitMs <= 0 || clock.now() + waitMs > end) return;
    onWait();
    await wait(clock, waitMs, signal);
  }
}

/**
 * Returns what the first action gave. A single failure rejects; several are reported in one message, and the others are done all the
 * same. When the user cancels the progress, those that haven't begun are left out, and it rejects.
 */
export async function actOnAll<T, Target extends { readonly connectionId: string }>(
  deps: ActOnAllDeps,
  targets: readonly [Target, ...Target[]],
  { progress, nameOf: nameOfTarget, act, done }: Action<T, Target>,
): Promise<T | undefined> {
  const [only, ...others] = targets;
  if (others.length === 0) {
    const result = await withLateProgress(deps, progress, (signal) => act(only, signal));
    if (done !== undefined) void showMessage('information', done);
    return result;
  }
  const failures: string[] = [];
  const results: T[] = [];
  try {
    await withProgress(progress, async (signal, report) => {
      for (const [at, target] of targets.entries()) {
        signal.throwIfAborted();
        const name = nameOfTarget(target);
        try {
          if (at > 0)
            await leaveReserve(deps, target.connectionId, signal, () =>
              report(vscode.l10n.t('Waiting for the request limit…'), 0),
            );
          report(...describeProgress(name, at, targets.length));
          results.push(await act(target, signal));
        } catch (error) {
          if (isAbortError(error)) throw error;
          failures.push(`${name}: ${describeError(error, deps.clock.now()).message}`);
        }
      }
    });
  } finally {
    if (failures.length > 0) void showMessage('error', describeFailures(failures, targets.length));
  }
  if (failures.length === 0 && done !== undefined) void showMessage('information', done);
  return results[0];
}

function describeFailures(failures: readonly string[], count: number): string {
  const more = failures.length > shownFailures ? ' …' : '';
  const shown = failures.slice(0, shownFailures).join(' ') + more;
  return vscode.l10n.t('Failed for {0} of {1}. {2}', failures.length, count, shown);
}
