// Starts the engine once the service listens, and retries until it succeeds.
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Engine } from '../engine/engine.ts';

const defaultRetryMs = 2000;

export interface Work extends Disposable {
  readonly hasBegun: boolean;
  /** Starts the engine; a failure, such as a full disk, is logged and the start is retried. */
  begin(): void;
}

export function createWork(engine: Pick<Engine, 'begin'>, logger: Logger, retryMs = defaultRetryMs): Work {
  let hasBegun = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const attempt = async (): Promise<void> => {
    try {
      await engine.begin();
      hasBegun = true;
    } catch (error) {
      if (isOver) return;
      logger.error('Interrupted executions could not be taken up yet.', error);
      timer = setTimeout(() => void attempt(), retryMs);
    }
  };
  return {
    get hasBegun() {
      return hasBegun;
    },
    begin: () => void attempt(),
    dispose: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
