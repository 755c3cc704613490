// Which executions may run now. After a crash of the process, the executions that were under way resume a few at a time, so that one that
// crashes the process is found and no other is blamed (contract section 10, "Crashes").
import { unlessAborted } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import type { RunningAs, Suspicion } from '../store/lockedExecution.ts';

/** How many suspects of one crash run at once. */
const maximumFew = 16;
/** After this time, in milliseconds, such a suspect no longer keeps others from starting: it is waiting, or its work is just long. */
const fewMs = 1000;
/**
 * A suspect of several crashes runs alone: it waits this many milliseconds for the others to end, and keeps them from starting for as long,
 * times the earlier crashes. So one that crashes the process later is given more time with each crash.
 */
const aloneMs = 2000;
const longestAloneMs = 60_000;
/**
 * How long after the start of the process an execution that was alone at a crash starts again, in milliseconds; the others start after it.
 * So a process that is killed repeatedly within this time convicts no execution.
 */
const pausesMs = [0, 500, 2000] as const;
/**
 * By this time after the start of the process, in milliseconds, all executions that were under way have arrived, and those that have
 * outlived their time may start.
 */
const gatheringMs = 500;
/** How often waiting executions are checked for time that has passed. */
const lookMs = 50;

interface RunningExecution {
  /** `beside`: a suspect of several crashes that runs beside others that don't end. */
  readonly kind: 'free' | 'few' | 'alone' | 'beside';
  /** The time, in milliseconds, after which a suspect has outlived what it is suspected of; 0 if it isn't a suspect, or no longer one. */
  readonly windowMs: number;
  readonly since: number;
}

interface WaitingExecution {
  readonly executionId: string;
  readonly suspicion: Suspicion;
  readonly since: number;
  readonly admit: (admission: RunningAs) => void;
}

/** Stores how many milliseconds a suspect has run without a crash of the process. */
export type OnOutlive = (executionId: string, ms: number) => void;

/**
 * Admits the executions of one process. After the first crash, all executions that were under way are suspects, and a few of them run at
 * once. After the second crash, each of those few runs alone, starting with the one that has run for the shortest time without a crash. So
 * an execution that crashes the process at once has been alone at three crashes by the fifth or sixth crash. Others that don't end while it
 * waits to be alone have outlived their time at the next crash, and start after it from then on.
 */
export class Admissions implements Disposable {
  readonly #clock: Clock;
  readonly #onOutlive: OnOutlive;
  readonly #began: number;
  readonly #running = new Map<string, RunningExecution>();
  readonly #waiting = new Set<WaitingExecution>();
  /** The execution that is stored as running alone. */
  #sole: string | undefined;
  /** When a suspect of several crashes last made room. */
  #madeRoom = 0;
  #look: Disposable | undefined;

  constructor(clock: Clock, onOutlive: OnOutlive) {
    this.#clock = clock;
    this.#onOutlive = onOutlive;
    this.#began = clock.now();
  }

  /** Returns undefined if the execution has to wait. */
  ask(executionId: string, suspicion: Suspicion): RunningAs | undefined {
    let admission: RunningAs | undefined;
    const waiting: WaitingExecution = {
      executionId,
      suspicion,
      since: this.#clock.now(),
      admit: (given) => (admission = given),
    };
    this.#waiting.add(waiting);
    this.#serve();
    this.#waiting.delete(waiting);
    return admission;
  }

  /** Waits until the execution may run. Rejects with the signal's reason. */
  async wait(executionId: string, suspicion: Suspicion, signal: AbortSignal): Promise<RunningAs> {
    const { promise, resolve } = Promise.withResolvers<RunningAs>();
    const waiting: WaitingExecution = { executionId, suspicion, since: this.#clock.now(), admit: resolve };
    this.#waiting.add(waiting);
    this.#serve();
    try {
      return await unlessAborted(promise, signal);
    } catch (error) {
      if (!this.#waiting.delete(waiting)) this.leave(executionId);
      throw error;
    }
  }

  /** Called once the admission is stored: the execution that ran alone before no longer does. */
  entered({ company }: RunningAs): void {
    if (company !== undefined && this.#sole === company) this.#sole = undefined;
  }

  /** The execution has passed the point that it was suspected of, or is waiting. */
  clear(executionId: string): void {
    const running = this.#running.get(executionId);
    if (running === undefined || running.windowMs === 0) return;
    this.#free(executionId, running);
    this.#serve();
  }

  leave(executionId: string): void {
    const running = this.#running.get(executionId);
    if (running) this.#makeRoom(running);
    this.#running.delete(executionId);
    if (this.#sole === executionId) this.#sole = undefined;
    this.#serve();
  }

  dispose(): void {
    this.#look?.dispose();
    this.#waiting.clear();
  }

  #free(executionId: string, running: RunningExecution): void {
    this.#makeRoom(running);
    this.#running.set(executionId, { ...running, kind: 'free', windowMs: 0 });
  }

  #makeRoom({ kind }: RunningExecution): void {
    if (kind === 'alone' || kind === 'beside') this.#madeRoom = this.#clock.now();
  }

  #count(kind: RunningExecution['kind']): number {
    return [...this.#running.values()].filter((running) => running.kind === kind).length;
  }

  #serve(): void {
    const now = this.#clock.now();
    for (const [executionId, running] of this.#running) {
      if (running.windowMs === 0 || now < running.since + running.windowMs) continue;
      this.#free(executionId, running);
      this.#onOutlive(executionId, running.windowMs);
    }
    for (const waiting of this.#order()) {
      if (this.#count('alone') > 0) break;
      const { crashCount } = waiting.suspicion;
      if (!isSevere(waiting)) {
        if (crashCount === 0) this.#admit(waiting, 'free', 0);
        else if (this.#count('few') < maximumFew) this.#admit(waiting, 'few', fewMs);
        continue;
      }
      const maxWaitMs = Math.min(aloneMs * Math.max(1, crashCount - 1), longestAloneMs);
      if (now < this.#began + pauseOf(waiting.suspicion)) break;
      if (this.#running.size === 0) this.#admit(waiting, 'alone', maxWaitMs);
      else if (this.#count('beside') > 0) continue;
      else if (this.#waitingSince(waiting) + maxWaitMs <= now) this.#admit(waiting, 'beside', maxWaitMs);
      else break;
    }
    this.#look?.dispose();
    const isTimed =
      this.#waiting.size > 0 || [...this.#running.values()].some(({ windowMs }) => windowMs > 0);
    this.#look = isTimed ? this.#clock.schedule(() => this.#serve(), lookMs) : undefined;
  }

  /**
   * The executions that may start, in order. Of the suspects of several crashes, only the next one may. Executions that waited while one
   * ran alone go before the next suspect.
   */
  #order(): readonly WaitingExecution[] {
    const suspects = [...this.#waiting].filter(isSevere);
    const least = Math.min(...suspects.map(({ suspicion }) => suspicion.outlivedMs));
    const next = suspects.find(({ suspicion }) => suspicion.outlivedMs === least);
    return [...this.#waiting]
      .filter((waiting) => !isSevere(waiting) || waiting === next)
      .sort(
        (one, other) =>
          this.#waitingSince(one) - this.#waitingSince(other) ||
          Number(isSevere(other)) - Number(isSevere(one)),
      );
  }

  /** An execution that was under way at a crash has been waiting since this process started. */
  #waitingSince(waiting: WaitingExecution): number {
    const since = waiting.suspicion.crashCount > 0 ? this.#began : waiting.since;
    return isSevere(waiting) ? Math.max(since, this.#madeRoom) : since;
  }

  #admit(waiting: WaitingExecution, kind: RunningExecution['kind'], windowMs: number): void {
    const isAlone = this.#running.size === 0;
    this.#waiting.delete(waiting);
    this.#running.set(waiting.executionId, { kind, windowMs, since: this.#clock.now() });
    const company = isAlone ? undefined : this.#sole;
    if (isAlone) this.#sole = waiting.executionId;
    waiting.admit({ isAlone, company });
  }
}

function pauseOf({ soloCrashCount, outlivedMs }: Suspicion): number {
  return Math.max(pausesMs[soloCrashCount] ?? 0, outlivedMs > 0 ? gatheringMs : 0);
}

/** Whether the execution was under way at several crashes, or alone at one. */
function isSevere({ suspicion: { crashCount, soloCrashCount } }: WaitingExecution): boolean {
  return crashCount > 1 || soloCrashCount > 0;
}
