// Runs what is due, again and again, in one run at a time.
import type { Disposable } from '../base/disposable.ts';

/** Runs these and returns those that have ended, also after the signal was aborted. */
type Run<T> = (due: readonly T[], signal: AbortSignal) => Promise<readonly T[]>;

/**
 * What becomes due during a run ends that run, since its results would be outdated, and begins a new one, which also takes what hadn't
 * ended. Two items with the same id are the same one.
 */
export class Reruns<T extends { readonly id: string }> implements Disposable {
  readonly #run: Run<T>;
  readonly #due = new Map<string, T>();
  #current: AbortController | undefined;
  #isDisposed = false;

  constructor(run: Run<T>) {
    this.#run = run;
  }

  /** Resolves when nothing is due any more; at once during a run. Rejects with the error of a run, once all are over. */
  async add(due: readonly T[]): Promise<void> {
    for (const each of due) this.#due.set(each.id, each);
    if (this.#current === undefined) await this.#runAll();
    else if (due.length > 0) this.#current.abort();
  }

  /** Ends the run. */
  dispose(): void {
    this.#isDisposed = true;
    this.#due.clear();
    this.#current?.abort();
  }

  async #runAll(): Promise<void> {
    try {
      while (this.#due.size > 0) {
        const wanted = [...this.#due.values()];
        this.#due.clear();
        await this.#runOnce(wanted);
      }
    } finally {
      // What became due during a run that failed is run all the same.
      if (this.#due.size > 0) await this.#runAll();
      this.#current = undefined;
    }
  }

  async #runOnce(wanted: readonly T[]): Promise<void> {
    const controller = new AbortController();
    this.#current = controller;
    const ended = new Set((await this.#run(wanted, controller.signal)).map(({ id }) => id));
    if (!controller.signal.aborted || this.#isDisposed) return;
    for (const each of wanted)
      if (!ended.has(each.id) && !this.#due.has(each.id)) this.#due.set(each.id, each);
  }
}
