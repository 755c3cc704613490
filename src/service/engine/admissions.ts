// Which executions may run now. After the process has died, those that were under way go on a few at a time, so that one that kills it is
// found, and nobody else is blamed (contract section 10, "Crashes").
import { unlessAborted } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import type { RunningAs, Suspicion } from '../store/executions.ts';

/** How many suspects of one death run at once. */
const maximumFew = 16;
/** After this time, in milliseconds, such a suspect no longer keeps others from beginning: it waits, or has only a long work. */
const fewMs = 1000;
/**
 * A suspect of more deaths runs alone: it waits so many milliseconds for the others to end, and keeps them from beginning for as long, times
 * the deaths before. One that kills the process later is given more time with each death.
 */
const aloneMs = 2000;
const longestAloneMs = 60_000;
/**
 * How long after the start of the process one that was alone at a death begins again, in milliseconds: a process that is killed again and
 * again within this time convicts nobody, and the others go first.
 */
const pausesMs = [0, 500, 2000] as const;
/** How often those that wait for time to pass are looked at. */
const lookMs = 50;

interface Running {
  readonly kind: 'free' | 'few' | 'alone';
  readonly until: number;
}

interface Waiting {
  readonly executionId: string;
  readonly suspicion: Suspicion;
  readonly since: number;
  readonly admit: (admission: RunningAs) => void;
}

/**
 * Admits the executions of one process. With the first death, all that were under way are suspects, of which a few run at once; with the
 * second one, each of those few runs alone. So one that kills the process at once has been alone at three deaths with the fifth one. It takes
 * one more for each time that others don't end while it waits to be alone, which is longer each time.
 */
export class Admissions implements Disposable {
  readonly #clock: Clock;
  readonly #began: number;
  readonly #running = new Map<string, Running>();
  readonly #waiting = new Set<Waiting>();
  /** The execution that is stored as the only one. */
  #sole: string | undefined;
  /** When one that ran alone last made room. */
  #aloneEnded = 0;
  #look: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#began = clock.now();
  }

  /** Returns undefined where the execution has to wait. */
  ask(executionId: string, suspicion: Suspicion): RunningAs | undefined {
    let admission: RunningAs | undefined;
    const waiting: Waiting = {
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
    const waiting: Waiting = { executionId, suspicion, since: this.#clock.now(), admit: resolve };
    this.#waiting.add(waiting);
    this.#serve();
    try {
      return await unlessAborted(promise, signal);
    } catch (error) {
      if (!this.#waiting.delete(waiting)) this.leave(executionId);
      throw error;
    }
  }

  /** What the admission says is stored: the one that was alone isn't any more. */
  entered({ company }: RunningAs): void {
    if (company !== undefined && this.#sole === company) this.#sole = undefined;
  }

  /** The execution has got past what it was suspected for, or waits. */
  clear(executionId: string): void {
    const running = this.#running.get(executionId);
    if (running === undefined || running.kind === 'free') return;
    this.#free(executionId, running);
    this.#serve();
  }

  leave(executionId: string): void {
    const running = this.#running.get(executionId);
    if (running?.kind === 'alone') this.#aloneEnded = this.#clock.now();
    this.#running.delete(executionId);
    if (this.#sole === executionId) this.#sole = undefined;
    this.#serve();
  }

  dispose(): void {
    this.#look?.dispose();
    this.#waiting.clear();
  }

  #free(executionId: string, { kind }: Running): void {
    if (kind === 'alone') this.#aloneEnded = this.#clock.now();
    this.#running.set(executionId, { kind: 'free', until: 0 });
  }

  #serve(): void {
    const now = this.#clock.now();
    for (const [executionId, running] of this.#running)
      if (running.kind !== 'free' && running.until <= now) this.#free(executionId, running);
    // Those that waited while one ran alone go before the next one.
    const order = [...this.#waiting].sort((one, other) => this.#turnOf(one) - this.#turnOf(other));
    for (const waiting of order) {
      if ([...this.#running.values()].some(({ kind }) => kind === 'alone')) break;
      const { deaths, deathsAlone } = waiting.suspicion;
      if (now < this.#began + (pausesMs[deathsAlone] ?? 0)) continue;
      if (deaths <= 1) {
        if (deaths === 0) this.#admit(waiting, { kind: 'free', until: 0 });
        else if (this.#few < maximumFew) this.#admit(waiting, { kind: 'few', until: now + fewMs });
        continue;
      }
      const patience = Math.min(aloneMs * (deaths - 1), longestAloneMs);
      if (this.#running.size === 0) this.#admit(waiting, { kind: 'alone', until: now + patience });
      else if (this.#turnOf(waiting) + patience <= now) this.#admit(waiting, { kind: 'free', until: 0 });
      else break;
    }
    this.#look?.dispose();
    this.#look = this.#waiting.size > 0 ? this.#clock.schedule(() => this.#serve(), lookMs) : undefined;
  }

  get #few(): number {
    return [...this.#running.values()].filter(({ kind }) => kind === 'few').length;
  }

  #turnOf({ since, suspicion }: Waiting): number {
    return suspicion.deaths > 1 ? Math.max(since, this.#aloneEnded) : since;
  }

  #admit(waiting: Waiting, running: Running): void {
    const isAlone = this.#running.size === 0;
    this.#waiting.delete(waiting);
    this.#running.set(waiting.executionId, running);
    const company = isAlone ? undefined : this.#sole;
    if (isAlone) this.#sole = waiting.executionId;
    waiting.admit({ isAlone, company });
  }
}
