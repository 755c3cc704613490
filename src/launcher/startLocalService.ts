// Starts the local service, or joins the one that another window started.
import { Emitter, type Event } from '../base/event.ts';
import { LaunchError } from '../domain/errors.ts';
import type { Logger } from '../base/logger.ts';
import { exitCodes, type Instance, readInstance } from '../protocol/localService/instance.ts';
import { systemClock, wait } from '../base/time.ts';
import { settingsOperations } from '../protocol/operations.ts';
import { callSettings, type Lease, takeLease } from './lease.ts';
import { type SpawnedService, spawnService } from './spawnService.ts';

const startTimeoutMs = 20_000;
const pollMs = 50;
const respawnMs = 500;
const stopTimeoutMs = 10_000;

export interface LaunchOptions {
  /** Node, or an Electron that can act as Node. */
  readonly nodePath: string;
  /** The service's program file. */
  readonly servicePath: string;
  readonly dataFolder: string;
  /** Imports the samples if there are no workflows. */
  readonly samples: boolean;
  /** 0 keeps all. */
  readonly keepDays: number;
  /** 0 keeps all. */
  readonly keepExecutions: number;
  /** Limits HTTP request nodes to public addresses. */
  readonly refusesPrivateAddresses: boolean;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

export interface RunningLocalService {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  /** The origin that serves /settings. */
  readonly origin: string;
  readonly sessionToken: string;
  /** Fires when the service has ended for any reason; doesn't fire after `dispose`. */
  readonly onDidEnd: Event<void>;
  /** Stops the service for all windows; resolves when its process has ended, rejects with a LaunchError when it doesn't end. */
  stop(): Promise<void>;
  /** Releases the lease; the service keeps running while another window holds one. */
  dispose(): void;
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
  // A new service takes the port of a crashed one, so that its clients find it again.
  let port = portOf(await readInstance(options.dataFolder));
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
      // Another service has locked the folder: it either answers soon, or ends and unlocks the folder.
      if (isTaken) spawnAt = Date.now() + respawnMs;
      else port = 0;
      spawned = undefined;
    }
    if (Date.now() >= spawnAt) spawned ??= spawnService({ ...options, port });
    await wait(systemClock, pollMs, options.signal);
  }
  const errors = (await spawned?.readErrors()) ?? '';
  const seconds = startTimeoutMs / 1000;
  const message = `The local service did not answer within ${seconds} s. ${errors}`.trim();
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
  const message = `The local service ended at once. ${written}`.trim();
  return new LaunchError({ kind: 'notStarted', words: error.replace(/^Error: /, '') }, message, { cause });
}

/** Takes a lease on the service that the folder's instance file names; undefined when none answers. */
async function join({ dataFolder, signal, logger }: LaunchOptions): Promise<RunningLocalService | undefined> {
  const instance = await readInstance(dataFolder);
  if (!instance) return undefined;
  const lease = await takeLease(instance, signal);
  if (!lease) {
    logger.debug('The named local service does not answer.');
    return undefined;
  }
  logger.info(`Holding the local service at ${instance.baseUrl}.`);
  return createRunningService(instance, lease);
}

function portOf(instance: Instance | undefined): number {
  return instance === undefined ? 0 : Number(new URL(instance.baseUrl).port);
}

function createRunningService(instance: Instance, lease: Lease): RunningLocalService {
  const ended = new Emitter<void>();
  void lease.ended.then(() => {
    ended.fire();
    ended.dispose();
  });
  return {
    baseUrl: instance.baseUrl,
    origin: new URL(instance.baseUrl).origin,
    sessionToken: instance.sessionToken,
    onDidEnd: ended.event,
    async stop() {
      await callSettings(instance, settingsOperations.stop).catch((error: unknown) => {
        throw notEnded(instance, error);
      });
      await lease.ended;
      await processEnd(instance);
    },
    dispose() {
      ended.dispose();
      lease.dispose();
    },
  };
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
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
