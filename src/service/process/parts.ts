// The parts that the processes of the service are made of. They start one after the other, and end in reverse order.
import { type Now, steadyNow, systemClock } from '../../base/time.ts';
import { type AppOptions, createApp } from '../app.ts';
import { Engine, type EngineOptions } from '../engine/engine.ts';
import type { WorkState } from '../http/baseApp.ts';
import type { ServiceApp } from '../http/routes.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import type { SecretMask } from '../secrets/secretMask.ts';
import { type KeySource, Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/store.ts';
import { DatabaseReading } from './databaseReading.ts';
import { listen, type ListenOptions } from './listen.ts';
import { Retention, type RetentionOptions } from './retention.ts';
import { SearchIndexing } from './searchIndexing.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';

/** Undoes one step of a start. */
export type EndStep = () => void | Promise<void>;

/** Returns what was started, with `stop`, which ends it. A start that fails ends what it has started. */
export async function assemble<T>(
  run: (ends: EndStep[]) => Promise<T>,
): Promise<T & { stop(): Promise<void> }> {
  const ends: EndStep[] = [];
  try {
    return { ...(await run(ends)), stop: () => endAll(ends) };
  } catch (error) {
    await endAll(ends);
    throw error;
  }
}

/** Runs the steps in reverse order, also after one that fails. Rejects with the reason of the first that failed. */
async function endAll(ends: EndStep[]): Promise<void> {
  const reasons: unknown[] = [];
  for (const end of ends.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      reasons.push(error);
    }
  }
  if (reasons.length > 0) throw reasons[0];
}

/** What runs executions. */
export interface Parts<S extends Store = Store> {
  readonly store: S;
  readonly sandbox: Sandbox;
  readonly engine: Engine;
  readonly secrets: Secrets;
  /** Not started yet. */
  readonly starter: EngineStarter;
}

/** Opens what runs executions. */
export function openParts<S extends Store>(
  options: Omit<EngineOptions, 'sandbox' | 'secrets'> & {
    readonly store: S;
    readonly secretsKeys: KeySource;
  },
  mask: SecretMask,
  ends: EndStep[],
): Parts<S> {
  const { store, secretsKeys, logger } = options;
  const secrets = new Secrets({ store, keys: secretsKeys, mask, logger });
  ends.push(() => secrets.dispose());
  const sandbox = new Sandbox();
  ends.push(() => sandbox.dispose());
  const engine = new Engine({ ...options, secrets, sandbox });
  ends.push(() => engine.stop());
  const starter = new EngineStarter(engine, logger);
  ends.push(() => starter.dispose());
  return { store, sandbox, secrets, engine, starter };
}

/** Returns a function that reads the state of the process's work for the health check. */
export function createWorkReading(
  { store, secrets }: Pick<Parts, 'store' | 'secrets'>,
  now: Now,
): () => Promise<WorkState | undefined> {
  const reading = new DatabaseReading(async () => {
    const [hindrance, since] = await Promise.all([secrets.findProblem(), store.executions.queuedSince()]);
    return { hindrance, queueAgeMs: since === null ? null : Math.max(0, now() - since) };
  });
  return () => reading.read();
}

export interface ListenSettings extends ListenOptions {
  /** 0 selects a free port. */
  readonly port: number;
  /** How long requests under way may go on when the process stops, in milliseconds; default 0. */
  readonly graceMs?: number;
}

/** Returns the port, which the app gets too. */
export async function listenAt(
  { port: wanted, graceMs, ...options }: ListenSettings,
  logger: Logger,
  createApp: (port: () => number | null) => ServiceApp,
  ends: EndStep[],
): Promise<number> {
  let port: number | null = null;
  const listener = await listen(
    createApp(() => port),
    wanted,
    { ...options, onError: (error) => logger.error('A connection could not be accepted.', error) },
  );
  ends.push(() => listener.close(graceMs));
  port = listener.port;
  return port;
}

/** The options that the parts don't provide. */
export interface ApiOptions extends Omit<
  AppOptions,
  keyof Parts | 'now' | 'onRequest' | 'isReady' | 'readWork' | 'port' | 'stopping'
> {
  readonly listen: ListenSettings;
  readonly retention: Pick<RetentionOptions, 'keepDays' | 'keepExecutions' | 'waitsForIdle'>;
}

/** Serves the API, deletes old executions, and fills the index of the search. When the process stops, streams end first. Returns the port. */
export async function serveApi(
  { starter, ...parts }: Parts,
  { listen, ...options }: ApiOptions,
  ends: EndStep[],
): Promise<number> {
  const { now } = systemClock;
  const retention = new Retention({ ...options.retention, ...parts, logger: options.logger, now, steadyNow });
  ends.push(() => retention.dispose());
  const indexing = new SearchIndexing({ ...parts, logger: options.logger });
  ends.push(() => indexing.dispose());
  const stopping = new AbortController();
  const own = {
    onRequest: () => retention.noteRequest(),
    isReady: () => starter.hasBegun,
    readWork: createWorkReading(parts, now),
    stopping: stopping.signal,
  };
  const port = await listenAt(
    listen,
    options.logger,
    (port) => createApp({ ...options, ...parts, ...own, now, port }),
    ends,
  );
  ends.push(() => stopping.abort());
  return port;
}

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
