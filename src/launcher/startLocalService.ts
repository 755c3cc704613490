// A window starts the local service, or joins the one that another window started; both end up holding the same one.
import { Emitter, type Event } from '../base/event.ts';
import { LaunchError } from '../domain/launchError.ts';
import type { Logger } from '../base/logger.ts';
import { exitCodes } from '../protocol/localService/exitCodes.ts';
import { systemClock, wait } from '../base/time.ts';
import { settingsOperations } from '../protocol/operations.ts';
import { type Instance, readInstance } from '../protocol/localService/instanceFile.ts';
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
  /** Imports the samples into an empty store. */
  readonly samples: boolean;
  /** 0 keeps all. */
  readonly keepDays: number;
  /** 0 keeps all. */
  readonly keepExecutions: number;
  /** HTTP request nodes call public addresses only. */
  readonly refusesPrivateAddresses: boolean;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

export interface RunningLocalService {
  /** Ends in /v1. */
  readonly baseUrl: string;
  /** Where /settings lies. */
  readonly origin: string;
  readonly sessionToken: string;
  /** The service has ended, whoever ended it; not announced after dispose. */
  readonly onDidEnd: Event<void>;
  /** Ends the service for all windows; resolves when its process is gone, rejects with a LaunchError when it stays. */
  stop(): Promise<void>;
  /** Lets go of the service; it goes on while another window holds it. */
  dispose(): void;
}

/** Rejects with a LaunchError when the service does not come up, or with the signal's reason. */
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
  // A service that crashed is followed by one at the same address, so that what spoke to it finds it again.
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
      // Another service has the folder: it is about to answer, or about to end and leave the folder to a new one.
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

/** written: the end of what it wrote; the last line names the file. */
function dataDamaged(written: string): LaunchError {
  const words = written.split('\n').at(-1) ?? '';
  return new LaunchError(
    { kind: 'dataDamaged', words },
    `The local service cannot read its data. ${written}`,
  );
}

/** written: the end of what it wrote; the line that names the error says most, the stack below it nothing. */
function notStarted(written: string, cause?: unknown): LaunchError {
  const lines = written.split('\n').filter((line) => /^\S/.test(line));
  const error = lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '';
  const message = `The local service ended at once. ${written}`.trim();
  return new LaunchError({ kind: 'notStarted', words: error.replace(/^Error: /, '') }, message, { cause });
}

/** Holds the service that the folder names; undefined when there is none. */
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

/** Waits until the process is gone, so that its folder is free; rejects when it stays. */
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
