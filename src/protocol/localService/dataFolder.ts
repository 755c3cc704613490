// The files of the local service's data folder, which the launcher and the service both reach for.
import { join } from 'node:path';

const databaseName = 'service.db';
const logName = 'service.log';
const lockName = 'instance.lock';
const instanceName = 'instance.json';

/** The files that hold the data. */
export const dataFiles = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`] as const;

/** How the folders begin that data were moved to. */
export const setAsidePrefix = 'set-aside-';

/** How the names of everything in the folder begin; the name of a file that is still being written ends in more. */
export const ownNames = [databaseName, logName, lockName, instanceName, setAsidePrefix] as const;

export const databasePath = (dataFolder: string): string => join(dataFolder, databaseName);

/** What the service's process writes to stderr. */
export const logPath = (dataFolder: string): string => join(dataFolder, logName);

export const lockPath = (dataFolder: string): string => join(dataFolder, lockName);

export const instancePath = (dataFolder: string): string => join(dataFolder, instanceName);
