// Work in small steps that goes on beside requests.
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';

export interface StepLoopOptions {
  /** Returns the pause until the next step, in milliseconds. */
  readonly step: () => Promise<number>;
  /** The pause before the first step. */
  readonly firstMs: number;
  /** The pause after a step that fails. */
  readonly failureMs: number;
  /** What is logged when a step fails. */
  readonly failure: string;
  readonly logger: Logger;
}

export class StepLoop implements Disposable {
  readonly #options: StepLoopOptions;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  /** Waits for the first pause, then runs step after step until disposed. */
  constructor(options: StepLoopOptions) {
    this.#options = options;
    this.#wait(options.firstMs);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #wait(milliseconds: number): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#options.step().then(
        (pauseMs) => this.#wait(pauseMs),
        (error: unknown) => {
          if (this.#isOver) return;
          this.#options.logger.error(this.#options.failure, error);
          this.#wait(this.#options.failureMs);
        },
      );
    }, milliseconds).unref();
  }
}
