// Where a session is, and how it gets to the next stop: step by step, or on and back to a breakpoint.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { abortReason, isAbortError } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { plainText } from '../../../editor/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { RunItem } from '../../../model/runs/runItems.ts';
import {
  findBackwards,
  findForwards,
  findStep,
  findStepBack,
  type Step,
} from '../../../model/runs/stepping.ts';
import type { Recording } from './recording.ts';
import type { Found, Search } from './search.ts';
import { UnendedRuns } from './unendedRuns.ts';

/** How many steps can be undone one by one. */
const maximumSteps = 1000;

/** The node run from which a retry goes on, in the same iterations of the loops around it. */
type Retried = Pick<NodeRun, 'nodeId' | 'iteration'>;

/** Where a session stops first. */
export type StopAt = 'start' | 'failure' | { readonly retried: Retried };

/** Why it stops. */
export type Stopped = Omit<DebugProtocol.StoppedEvent['body'], 'threadId' | 'allThreadsStopped'>;

export interface WalkDeps {
  readonly recording: Recording;
  readonly search: Search;
  readonly onStop: (item: RunItem, stopped: Stopped) => void;
  /** `error`: why it can't go on; undefined at the end of the execution. */
  readonly onEnd: (error?: unknown) => void;
  /** Shows how far a long way has come, from 0 to 100; null: it has ended. */
  readonly onProgress: (percentage: number | null) => void;
}

export class Walk implements Disposable {
  readonly #deps: WalkDeps;
  /** Of what goes on until the next stop. */
  #going = new AbortController();
  /** Where a long way has come to. */
  #reached: RunItem | undefined;
  /** The last stop. */
  #current: RunItem | undefined;
  readonly #unended: UnendedRuns;
  /** The session had come further when it stopped. */
  #isBehind = false;
  /** What the steps led away from, the last one at the end. */
  #steps: RunItem[] = [];

  constructor(deps: WalkDeps) {
    this.#deps = deps;
    this.#unended = new UnendedRuns(deps.recording);
  }

  begin(stopAt: StopAt): void {
    if (typeof stopAt === 'object') {
      const isRetried = ({ run }: RunItem): boolean =>
        run.nodeId === stopAt.retried.nodeId &&
        run.iteration.join() === stopAt.retried.iteration.join() &&
        run.reusedFrom === null;
      void this.#awaitFirst(isRetried);
      return;
    }
    const { runs, hasEnded } = this.#deps.recording;
    const failed = stopAt === 'failure' ? runs.findFailed(null) : undefined;
    const failure = failed && runs.findRun(failed.key);
    const item = failure ?? findForwards(runs, -1, () => true);
    if (item !== undefined) this.#stop(item, failure === undefined ? { reason: 'entry' } : failureAt(item));
    else if (hasEnded) this.#deps.onEnd(nothingRecorded());
    else void this.#awaitFirst(() => true);
  }

  step(step: Step): void {
    const from = this.#current;
    if (from === undefined) return;
    const to = findStep(this.#deps.recording.runs, from, step);
    if (to === undefined) {
      this.#stop(from, { reason: 'step', description: vscode.l10n.t('Paused on the last node run') });
      return;
    }
    this.#steps = [...this.#steps.slice(1 - maximumSteps), from];
    this.#stop(to, { reason: 'step' });
  }

  /** Stops again where it is. */
  stay(): void {
    if (this.#current !== undefined) this.#stop(this.#current, { reason: 'step' });
  }

  /** Undoes the last step; before the first one, it goes to the run before. */
  stepBack(): void {
    const from = this.#current;
    if (from === undefined) return;
    const to = this.#steps.pop() ?? findStepBack(this.#deps.recording.runs, from);
    if (to === undefined) this.#stop(from, { reason: 'step', description: atFirst() });
    else this.#stop(to, { reason: 'step' });
  }

  /** Goes on to the next stop, and to the present of an execution that hasn't ended. Handles its own failures. */
  async goOn(): Promise<void> {
    const { recording, search, onEnd } = this.#deps;
    await this.#go(async (signal) => {
      const begin = this.#isBehind ? this.#unended.passed : (this.#current?.position ?? -1);
      for (let after = begin; ;) {
        const changed = nextChange(recording, signal);
        const { hasEnded, runs } = recording;
        const { count } = runs;
        const failed = this.#unended.takeStop(after, search.isStoppingFailure);
        if (failed !== undefined) {
          this.#stop(failed, failureAt(failed));
          this.#isBehind = true;
          return;
        }
        const found = await search.forwards(after, { signal, onReach: this.#reachBetween(after, count) });
        this.#clearReached();
        if (found !== undefined) {
          this.#stopAt(found);
          return;
        }
        after = count - 1;
        this.#unended.pass(after);
        if (hasEnded && runs.count === count) {
          onEnd();
          return;
        }
        await changed;
      }
    });
  }

  /** Goes back to the stop before, or to the first run. Handles its own failures. */
  async goBack(): Promise<void> {
    const { recording, search } = this.#deps;
    await this.#go(async (signal) => {
      const { runs } = recording;
      const from = this.#current?.position ?? runs.count;
      const found = await search.backwards(from, { signal, onReach: this.#reachBetween(from, 0) });
      if (found !== undefined) {
        this.#stopAt(found);
        return;
      }
      const first = findForwards(runs, -1, () => true);
      if (first !== undefined) this.#stop(first, { reason: 'entry', description: atFirst() });
    });
  }

  /** Ends a way where it has come to, or else where the execution is now. */
  pause(): void {
    const { runs } = this.#deps.recording;
    const item = this.#reached ?? findBackwards(runs, runs.count, () => true);
    this.#going.abort();
    if (item !== undefined) this.#stop(item, { reason: 'pause' });
  }

  dispose(): void {
    this.#going.abort();
  }

  /** Stops at the first such run, or at the last run of all if none comes. */
  async #awaitFirst(isWanted: (item: RunItem) => boolean): Promise<void> {
    const { recording } = this.#deps;
    await this.#go(async (signal) => {
      for (;;) {
        const changed = nextChange(recording, signal);
        const { hasEnded, runs } = recording;
        const last = hasEnded ? findBackwards(runs, runs.count, () => true) : undefined;
        const first = findForwards(runs, -1, isWanted) ?? last;
        if (first !== undefined) {
          this.#stop(first, { reason: 'entry' });
          return;
        }
        if (hasEnded) throw nothingRecorded();
        await changed;
      }
    });
  }

  /** Takes note of how far a way between two positions has come. */
  #reachBetween(from: number, to: number): (item: RunItem) => void {
    return (item) => {
      this.#reached = item;
      this.#deps.onProgress(Math.floor((100 * (item.position - from)) / (to - from)));
    };
  }

  #clearReached(): void {
    if (this.#reached === undefined) return;
    this.#reached = undefined;
    this.#deps.onProgress(null);
  }

  async #go(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#going.abort();
    this.#going = new AbortController();
    this.#steps = [];
    const { signal } = this.#going;
    try {
      await work(signal);
    } catch (error) {
      if (!isAbortError(error)) this.#deps.onEnd(error);
    } finally {
      // Whatever still waits for a change stops waiting.
      if (this.#going.signal === signal) {
        this.#going.abort();
        this.#clearReached();
      }
    }
  }

  #stopAt({ item, stop }: Found): void {
    const { kind } = stop;
    this.#stop(
      item,
      kind === 'failure'
        ? failureAt(item)
        : { reason: 'breakpoint', hitBreakpointIds: [...stop.breakpointIds] },
    );
  }

  #stop(item: RunItem, stopped: Stopped): void {
    this.#clearReached();
    this.#isBehind = false;
    this.#unended.pass(item.position);
    this.#current = item;
    this.#deps.onStop(item, stopped);
  }
}

function failureAt({ run }: RunItem): Stopped {
  return {
    reason: 'exception',
    description: vscode.l10n.t('Paused on a failed node'),
    text: plainText(run.error?.message ?? ''),
  };
}

const atFirst = (): string => vscode.l10n.t('Paused on the first node run');
const nothingRecorded = (): PlainError =>
  new PlainError(vscode.l10n.t('The service recorded no node runs of this execution.'));

/** Resolves at the next change. Rejects with the signal's reason. */
function nextChange({ onDidChange }: Pick<Recording, 'onDidChange'>, signal: AbortSignal): Promise<void> {
  const changed = new Promise<void>((resolve, reject) => {
    const subscription = onDidChange(() => settle(resolve));
    const onAbort = (): void => settle(() => reject(abortReason(signal)));
    function settle(end: () => void): void {
      subscription.dispose();
      signal.removeEventListener('abort', onAbort);
      end();
    }
    signal.addEventListener('abort', onAbort, { once: true });
  });
  // Nobody may be waiting any more when it's aborted.
  changed.catch(() => undefined);
  return changed;
}
