// Assembles the local service.
import { randomBytes } from 'node:crypto';
import type { Logger } from '../../base/logger.ts';
import { steadyNow } from '../../base/time.ts';
import { basePath } from '../http/routes.ts';
import { importSamples } from '../samples.ts';
import type { SecretMask } from '../secrets/secretMask.ts';
import { MemoryRequestLimit } from '../store/requestLimit.ts';
import { SqliteStore } from '../store/sqlite/sqliteStore.ts';
import { StorageError, StorageLog, toStorageError, withStorage } from '../store/storageError.ts';
import { databasePath } from '../../protocol/localService/dataFolder.ts';
import type { ServeCommand } from './commandLine.ts';
import { checkNotedDamage, noteDamage, prepareDataFolder, takeInstanceLock } from './dataFolder.ts';
import { firstLeaseMs, leaseGraceMs, Leases } from './leases.ts';
import { assemble, type EndStep, openParts, serveApi } from './parts.ts';
import { removeInstance, writeInstance } from '../../protocol/localService/instance.ts';
import { writeLastPort } from '../../protocol/localService/lastPort.ts';

export interface RunningService {
  readonly baseUrl: string;
  /** Resolves when a window stops the service or after the last lease ends, and with the reason when the data are found damaged. */
  readonly ended: Promise<StorageError | undefined>;
  /** Closes streams, interrupts executions so that the next start continues them, and unlocks the folder. */
  stop(): Promise<void>;
}

/** Starts the service on a folder. `mask`: learns the values of secrets. Rejects with an AlreadyRunningError that names the other service's address, or a StorageError. */
export async function serve(
  command: ServeCommand,
  logger: Logger,
  mask: SecretMask,
): Promise<RunningService> {
  const { dataFolder } = command;
  try {
    return await assemble(async (ends) => {
      withStorage(dataFolder, () => prepareDataFolder(dataFolder));
      const lock = await takeInstanceLock(dataFolder);
      ends.push(() => lock.dispose());
      return run(command, logger, mask, ends);
    });
  } catch (error) {
    throw toStorageError(error, databasePath(dataFolder));
  }
}

async function run(
  command: ServeCommand,
  unlimitedLogger: Logger,
  mask: SecretMask,
  ends: EndStep[],
): Promise<Pick<RunningService, 'baseUrl' | 'ended'>> {
  const { dataFolder, keepDays, keepExecutions, refusesPrivateAddresses, limits, secretsKeys } = command;
  const path = databasePath(dataFolder);
  const location = { file: path };
  const logger = new StorageLog(unlimitedLogger, location);
  const end = Promise.withResolvers<StorageError | undefined>();
  const stop = (): void => end.resolve(undefined);
  checkNotedDamage(dataFolder);
  let isDamaged = false;
  const onDamage = (): void => {
    isDamaged = true;
    end.resolve(new StorageError('damaged', location));
  };
  ends.push(() => {
    if (isDamaged) noteDamage(dataFolder);
  });
  const store = new SqliteStore({ path, logger, onDamage });
  ends.push(() => store.close());
  if (command.hasSamples) await importSamples(store.workflows);
  const parts = openParts({ store, logger, refusesPrivateAddresses, limits, secretsKeys }, mask, ends);
  const leases = new Leases(stop, leaseGraceMs, command.isLeased ? firstLeaseMs : undefined);
  ends.push(() => leases.dispose());
  const sessionToken = randomBytes(32).toString('base64url');
  const port = await serveApi(
    parts,
    {
      listen: { port: command.port },
      hosts: { kind: 'loopback' },
      settings: { takeLease: () => leases.take(), stop, sessionToken },
      logger,
      retention: { keepDays, keepExecutions },
      requestLimit: new MemoryRequestLimit(command.requestsPerMinute, steadyNow),
      location,
      findProblem: () => store.problem(),
    },
    ends,
  );
  const baseUrl = `http://127.0.0.1:${port}${basePath}`;
  await writeLastPort(dataFolder, port);
  await writeInstance(dataFolder, { baseUrl, pid: process.pid, sessionToken });
  ends.push(() => removeInstance(dataFolder));
  parts.starter.begin();
  return { baseUrl, ended: end.promise };
}
