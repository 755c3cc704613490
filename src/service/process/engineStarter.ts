import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Engine } from '../engine/engine.ts';

const defaultRetryMs = 2000;

/** Starts the engine once the service listens, and retries until it succeeds. */
export class EngineStarter implements Disposable {
  readonly #engine: Pick<Engine, 'begin'>;
  readonly #logger: Logger;
  readonly #retryMs: number;
  readonly #begun = Promise.withResolvers<undefined>();
  #hasBegun = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(engine: Pick<Engine, 'begin'>, logger: Logger, retryMs = defaultRetryMs) {
    this.#engine = engine;
    this.#logger = logger;
    this.#retryMs = retryMs;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Resolves once the engine has started. */
  get begun(): Promise<undefined> {
    return this.#begun.promise;
  }

  /** Starts the engine; a failure, such as a full disk, is logged and the start is retried. */
  begin(): void {
    this.#engine.begin().then(
      () => {
        this.#hasBegun = true;
        this.#begun.resolve(undefined);
      },
      (error: unknown) => {
        if (this.#isOver) return;
        this.#logger.error('Interrupted executions could not be resumed yet.', error);
        this.#timer = setTimeout(() => this.begin(), this.#retryMs);
      },
    );
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
