// Starts the local service, or joins the one that another window started.
import { unlessAborted } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import { LaunchError } from '../domain/errors.ts';
import type { Logger } from '../base/logger.ts';
import { codeOf } from '../base/reason.ts';
import { exitCodes, type Instance, readInstance } from '../protocol/localService/instance.ts';
import { readLastPort } from '../protocol/localService/lastPort.ts';
import { systemClock, wait } from '../base/time.ts';
import { settingsOperations } from '../protocol/operations.ts';
import { callSettings, type Lease, takeLease } from './lease.ts';
import { SpawnedService, type SpawnOptions } from './spawnedService.ts';

const startTimeoutMs = 20_000;
const pollMs = 50;
const respawnMs = 500;
const stopTimeoutMs = 10_000;
/** How long the start waits for the key of the secrets. */
const keyTimeoutMs = 5000;

export interface LaunchOptions extends SpawnOptions {
  /** The key that the service encrypts secrets with. */
  readonly readSecretsKey: () => Promise<string>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** Rejects with a LaunchError when the service doesn't start, or with the signal's reason. */
export async function startLocalService(options: LaunchOptions): Promise<RunningLocalService> {
  try {
    return await startOrJoin(options);
  } catch (error) {
    if (options.signal.aborted || error instanceof LaunchError) throw error;
    throw notStarted(String(error), error);
  }
}

async function startOrJoin(options: LaunchOptions): Promise<RunningLocalService> {
  const timeout = AbortSignal.timeout(startTimeoutMs);
  // A new service takes the port of the last one if it's free, so that clients and copied addresses find it again.
  let port = await readLastPort(options.dataFolder);
  let spawned: SpawnedService | undefined;
  let spawnAt = 0;
  while (!timeout.aborted) {
    options.signal.throwIfAborted();
    const running = await join(options);
    if (running) return running;
    if (spawned?.exitCode !== undefined) {
      if (spawned.exitCode === exitCodes.dataDamaged) throw dataDamaged(await spawned.readErrors());
      const isTaken = spawned.exitCode === exitCodes.alreadyRunning;
      if (!isTaken && port === 0) throw notStarted(await spawned.readErrors());
      // Another service has locked the folder: it either responds soon, or ends and unlocks the folder.
      if (isTaken) spawnAt = Date.now() + respawnMs;
      else port = 0;
      spawned = undefined;
    }
    if (Date.now() >= spawnAt) spawned ??= new SpawnedService(options, port);
    await wait(systemClock, pollMs, options.signal);
  }
  const errors = (await spawned?.readErrors()) ?? '';
  const seconds = startTimeoutMs / 1000;
  const message = `The local service did not respond within ${seconds} s. ${errors}`.trim();
  throw new LaunchError({ kind: 'silent', seconds }, message);
}

/** `written` is the end of the service's stderr output; its last line names the file. */
function dataDamaged(written: string): LaunchError {
  const words = written.split('\n').at(-1) ?? '';
  return new LaunchError(
    { kind: 'dataDamaged', words },
    `The local service cannot read its data. ${written}`,
  );
}

/** `written` is the end of the service's stderr output; the line that names the error is shown, without the stack. */
function notStarted(written: string, cause?: unknown): LaunchError {
  const lines = written.split('\n').filter((line) => /^\S/.test(line));
  const error = lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '';
  const message = `The local service ended immediately. ${written}`.trim();
  return new LaunchError({ kind: 'notStarted', words: error.replace(/^Error: /, '') }, message, { cause });
}

/** Takes a lease on the service that the folder's instance file names; undefined when none responds. */
async function join(options: LaunchOptions): Promise<RunningLocalService | undefined> {
  const { dataFolder, signal, logger } = options;
  const instance = await readInstance(dataFolder);
  if (!instance) return undefined;
  const lease = await takeLease(instance, signal);
  if (!lease) {
    logger.debug('The named local service does not respond.');
    return undefined;
  }
  await giveSecretsKey(instance, options);
  // Nobody listens for the end of a service that has ended by now.
  if (lease.isEnded) return undefined;
  logger.info(`Holding the local service at ${instance.baseUrl}.`);
  return new RunningLocalService(instance, lease);
}

/** The service continues without it: nodes that read secrets then fail, and say why. */
async function giveSecretsKey(
  instance: Instance,
  { readSecretsKey, signal, logger }: LaunchOptions,
): Promise<void> {
  try {
    // The secret storage of some machines never responds.
    const end = AbortSignal.any([signal, AbortSignal.timeout(keyTimeoutMs)]);
    const key = await unlessAborted(readSecretsKey(), end);
    await callSettings(instance, settingsOperations.giveSecretsKey, { key });
  } catch (error) {
    signal.throwIfAborted();
    logger.warn(`The local service didn't take the key for its secrets: ${String(error)}`);
  }
}

export class RunningLocalService implements Disposable {
  readonly #instance: Instance;
  readonly #lease: Lease;
  readonly #didEnd = new Emitter<void>();
  /** Fires when the service has ended for any reason; doesn't fire after `dispose`. */
  readonly onDidEnd: Event<void> = this.#didEnd.event;

  constructor(instance: Instance, lease: Lease) {
    this.#instance = instance;
    this.#lease = lease;
    void lease.ended.then(() => {
      this.#didEnd.fire();
      this.#didEnd.dispose();
    });
  }

  /** Ends with `/v1`. */
  get baseUrl(): string {
    return this.#instance.baseUrl;
  }

  /** The origin that serves /settings. */
  get origin(): string {
    return new URL(this.#instance.baseUrl).origin;
  }

  get sessionToken(): string {
    return this.#instance.sessionToken;
  }

  /** Stops the service for all windows; resolves when its process has ended, rejects with a LaunchError when it doesn't end. */
  async stop(): Promise<void> {
    await callSettings(this.#instance, settingsOperations.stop).catch((error: unknown) => {
      throw notEnded(this.#instance, error);
    });
    await unlessAborted(this.#lease.ended, AbortSignal.timeout(stopTimeoutMs)).catch((error: unknown) => {
      throw notEnded(this.#instance, error);
    });
    await processEnd(this.#instance);
  }

  /** Releases the lease; the service keeps running while another window holds one. */
  dispose(): void {
    this.#didEnd.dispose();
    this.#lease.dispose();
  }
}

function notEnded({ pid }: Instance, cause?: unknown): LaunchError {
  return new LaunchError({ kind: 'notEnded', pid }, 'The local service does not end.', { cause });
}

/** Waits until the process has ended, which unlocks the folder; rejects when it doesn't end. */
async function processEnd(instance: Instance): Promise<void> {
  const timeout = AbortSignal.timeout(stopTimeoutMs);
  while (isAlive(instance.pid)) {
    if (timeout.aborted) throw notEnded(instance);
    await wait(systemClock, pollMs);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}
