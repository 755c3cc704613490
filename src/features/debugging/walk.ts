// Where a session is, and how it gets to the next stop: step by step, or on and back to a breakpoint.
import { isAbortError, unlessAborted } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { RunItem } from '../../model/runs/runItems.ts';
import { findBackwards, findForwards, findStep, findStepBack, type Step } from '../../model/runs/stepping.ts';
import type { Waiting } from './progress.ts';
import type { Recording } from './recording.ts';
import type { Search } from './search.ts';
import {
  atFirst,
  atLast,
  failureAt,
  isRetried,
  nothingRecorded,
  paused,
  type StopPosition,
  type StopAt,
  stopFor,
  type Stopped,
  toStop,
} from './stops.ts';

/** How many steps can be undone one by one. */
const maximumSteps = 1000;

export interface WalkDeps {
  readonly recording: Recording;
  readonly search: Search;
  readonly onStop: (item: RunItem, stopped: Stopped) => void;
  /** `error`: why it can't go on; undefined at the end of the execution. */
  readonly onEnd: (error?: unknown) => void;
  /** Shows what it waits for; null: nothing any more. */
  readonly onProgress: (waiting: Waiting | null) => void;
}

/** A way over the runs that are recorded and those that come. */
interface Way {
  /** A position; -1 begins with the first run. */
  readonly after: number;
  /** Where a step begins, which can be undone wherever it ends. */
  readonly from?: RunItem;
  /** Looks at the runs after a position, each of which it gets once. Rejects with the signal's reason. */
  readonly find: (
    after: number,
    signal: AbortSignal,
  ) => StopPosition | undefined | Promise<StopPosition | undefined>;
  /** The execution has ended, and nothing was found. */
  readonly atEnd: () => void;
}

export class Walk implements Disposable {
  readonly #deps: WalkDeps;
  /** Of what goes on until the next stop; undefined before the first time. */
  #going: AbortController | undefined;
  /** Somebody asked for a stop. */
  #isPausing = false;
  /** Where a long way has come to. */
  #reached: RunItem | undefined;
  /** The last stop. */
  #current: RunItem | undefined;
  readonly #unended: UnendedRuns;
  /** The position up to which everything was looked at. */
  #passed = -1;
  /** The session had come further when it stopped. */
  #isBehind = false;
  /** What the steps led away from, the last one at the end. */
  #steps: RunItem[] = [];
  /** Where the step that goes on began. */
  #from: RunItem | undefined;

  constructor(deps: WalkDeps) {
    this.#deps = deps;
    this.#unended = new UnendedRuns(deps.recording);
  }

  /** Handles its own failures. */
  async begin(stopAt: StopAt): Promise<void> {
    const { runs } = this.#deps.recording;
    const failed = stopAt === 'failure' ? runs.findFailed(null) : undefined;
    const failure = failed && runs.findRun(failed.key);
    if (failure !== undefined) {
      this.#stop(failure, failureAt(failure));
      return;
    }
    if (stopAt === 'breakpoint') {
      await this.#beginAtBreakpoint();
      return;
    }
    const isWanted =
      typeof stopAt === 'object' ? (item: RunItem) => isRetried(item, stopAt.retried) : () => true;
    await this.#advance({
      after: -1,
      find: async (after, signal) => {
        const first = findForwards(runs, after, isWanted);
        if (first) await this.#deps.search.print(first, signal);
        return toStop(first, { reason: 'entry' });
      },
      atEnd: () => {
        const last = this.#findLast();
        if (last === undefined) this.#deps.onEnd(this.#deps.recording.failure ?? nothingRecorded());
        else this.#stop(last, { reason: 'entry' });
      },
    });
  }

  /** At the first run, where none stops it. */
  async #beginAtBreakpoint(): Promise<void> {
    const { recording, onEnd } = this.#deps;
    await this.#advance({
      after: -1,
      find: this.#findStop,
      atEnd: () => {
        const first = findForwards(recording.runs, -1, () => true);
        if (first === undefined) onEnd(recording.failure ?? nothingRecorded());
        else this.#stop(first, { reason: 'entry' });
      },
    });
  }

  /** Stops at a breakpoint on the way, and waits for the next run of an execution that hasn't ended. Handles its own failures. */
  async step(step: Step): Promise<void> {
    const from = this.#current;
    if (from === undefined) return;
    const { recording, search } = this.#deps;
    const { runs } = recording;
    await this.#advance({
      after: from.position,
      from,
      find: async (after, signal) => {
        const to = findStep(runs, from, step, after);
        const last = to?.position ?? runs.count - 1;
        const found = await search.forwards(
          after,
          { signal, onReach: this.#reachBetween(after, last) },
          last,
        );
        this.#clearReached();
        return found ? stopFor(found) : toStop(to, { reason: 'step' });
      },
      atEnd: () => this.#stop(from, { reason: 'step', description: atLast() }),
    });
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
    const { recording, onEnd } = this.#deps;
    this.#steps = [];
    await this.#advance({
      after: this.#isBehind ? this.#passed : (this.#current?.position ?? -1),
      find: this.#findStop,
      atEnd: () => onEnd(recording.failure),
    });
  }

  readonly #findStop: Way['find'] = async (after, signal) => {
    const { recording, search } = this.#deps;
    const { count } = recording.runs;
    const onReach = this.#reachBetween(after, count);
    // What comes meanwhile is looked at the next time.
    const found = await search.forwards(after, { signal, onReach }, count - 1);
    this.#clearReached();
    return found && stopFor(found);
  };

  /** Goes back to the stop before, or to the first run. Handles its own failures. */
  async goBack(): Promise<void> {
    const { recording, search } = this.#deps;
    this.#steps = [];
    await this.#go(async (signal) => {
      const { runs } = recording;
      const from = this.#current?.position ?? runs.count;
      const found = await search.backwards(from, { signal, onReach: this.#reachBetween(from, 0) });
      const first = findForwards(runs, -1, () => true);
      const stop =
        found === undefined ? toStop(first, { reason: 'entry', description: atFirst() }) : stopFor(found);
      if (stop !== undefined) this.#stop(stop.item, stop.stopped);
    });
  }

  /** Stops where a long way has come to, or else at the next run; the second time at the last run so far. */
  pause(): void {
    if (this.#going?.signal.aborted !== false) return;
    const isLast = this.#isPausing && this.#findLast() !== undefined;
    if (this.#reached !== undefined || isLast) {
      this.stopWaiting();
      return;
    }
    this.#isPausing = true;
    if (!this.#deps.recording.hasEnded) this.#deps.onProgress({ kind: 'waiting' });
  }

  /** Stops where a long way has come to, or else at the last run so far; ends the session if there is none. */
  stopWaiting(): void {
    const item = this.#reached ?? this.#findLast();
    this.#going?.abort();
    if (item === undefined) this.#deps.onEnd();
    else this.#stop(item, paused());
  }

  dispose(): void {
    this.#going?.abort();
  }

  /** Goes on until something stops it. Handles its own failures. */
  async #advance({ after: begin, from, find, atEnd }: Way): Promise<void> {
    const { recording, search } = this.#deps;
    await this.#go(async (signal) => {
      this.#from = from;
      for (let after = begin; ;) {
        const changed = nextChange(recording, signal);
        const { hasEnded, runs } = recording;
        const { count } = runs;
        // What fails while others are looked at was noted before.
        this.#unended.note(count);
        const failed = this.#unended.takeStop(after, search.isStoppingFailure);
        if (failed !== undefined) {
          this.#stop(failed, failureAt(failed));
          this.#isBehind = true;
          return;
        }
        const stop = this.#findPause(after) ?? (await find(after, signal));
        if (stop !== undefined) {
          this.#stop(stop.item, stop.stopped);
          return;
        }
        after = count - 1;
        this.#passed = after;
        if (hasEnded && runs.count === count) {
          this.#endWith(atEnd);
          return;
        }
        if (this.#isPausing || this.#current === undefined) this.#deps.onProgress({ kind: 'waiting' });
        await changed;
      }
    });
  }

  #findPause(after: number): StopPosition | undefined {
    if (!this.#isPausing) return undefined;
    return toStop(
      findForwards(this.#deps.recording.runs, after, () => true),
      paused(),
    );
  }

  /** Honors a pending pause request. */
  #endWith(atEnd: () => void): void {
    const last = this.#isPausing ? this.#findLast() : undefined;
    if (last === undefined) atEnd();
    else this.#stop(last, paused());
  }

  #findLast(): RunItem | undefined {
    const { runs } = this.#deps.recording;
    return findBackwards(runs, runs.count, () => true);
  }

  /** Takes note of how far a way between two positions has come. */
  #reachBetween(from: number, to: number): (item: RunItem) => void {
    return (item) => {
      this.#reached = item;
      const percentage = Math.floor((100 * (item.position - from)) / (to - from));
      this.#deps.onProgress({ kind: 'looking', percentage });
      if (this.#isPausing) this.stopWaiting();
    };
  }

  #clearReached(): void {
    if (this.#reached !== undefined) this.#endProgress();
  }

  #endProgress(): void {
    this.#reached = undefined;
    this.#deps.onProgress(null);
  }

  async #go(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#going?.abort();
    const going = new AbortController();
    this.#going = going;
    this.#isPausing = false;
    this.#from = undefined;
    try {
      await work(going.signal);
    } catch (error) {
      if (!isAbortError(error)) this.#deps.onEnd(error);
    } finally {
      // Whatever still waits for a change stops waiting.
      if (this.#going === going) {
        going.abort();
        this.#isPausing = false;
        this.#endProgress();
      }
    }
  }

  #stop(item: RunItem, stopped: Stopped): void {
    this.#isPausing = false;
    this.#endProgress();
    this.#noteStep(item);
    this.#isBehind = false;
    this.#passed = Math.max(this.#passed, item.position);
    this.#unended.note(this.#passed + 1);
    this.#unended.forgetEnded(item);
    this.#current = item;
    this.#deps.onStop(item, stopped);
  }

  #noteStep(to: RunItem): void {
    if (this.#from !== undefined && this.#from !== to)
      this.#steps = [...this.#steps.slice(1 - maximumSteps), this.#from];
    this.#from = undefined;
  }
}

/** Resolves at the next change. Rejects with the signal's reason. */
function nextChange({ onDidChange }: Pick<Recording, 'onDidChange'>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const subscription = onDidChange(() => resolve(undefined));
  const changed = unlessAborted(promise, signal).finally(() => subscription.dispose());
  // Nobody may be waiting any more when it's aborted.
  changed.catch(() => undefined);
  return changed;
}

class UnendedRuns {
  readonly #recording: Pick<Recording, 'runs'>;
  #positions: readonly number[] = [];
  #count = 0;

  constructor(recording: Pick<Recording, 'runs'>) {
    this.#recording = recording;
  }

  /** Notes the ones among the first `count` runs, each of which it looks at once. */
  note(count: number): void {
    const { runs } = this.#recording;
    const unended: number[] = [];
    for (let at = this.#count; at < count; at += 1) if (isUnended(runs.at(at))) unended.push(at);
    if (unended.length > 0) this.#positions = [...this.#positions, ...unended];
    this.#count = Math.max(this.#count, count);
  }

  /** Returns the first one that stops the session by now, and forgets those that have ended. `last`: the position up to which they count. */
  takeStop(last: number, isStop: (item: RunItem) => boolean): RunItem | undefined {
    const { runs } = this.#recording;
    const stop = this.#positions
      .filter((position) => position <= last)
      .map((position) => runs.at(position))
      .find((item) => item !== undefined && isStop(item));
    this.#positions = this.#positions.filter((position) => {
      const item = runs.at(position);
      // Another one that stops the session is next.
      return item !== undefined && item !== stop && (isUnended(item) || isStop(item));
    });
    return stop;
  }

  /** Forgets a run if it has ended: the session stops there. */
  forgetEnded(item: RunItem): void {
    if (!isUnended(item)) this.#positions = this.#positions.filter((position) => position !== item.position);
  }
}

function isUnended(item: RunItem | undefined): boolean {
  return item?.run.status?.isTerminal === false;
}
