// The files in the local service's data folder.
import { join } from 'node:path';

const databaseName = 'service.db';
const logName = 'service.log';
const lockName = 'instance.lock';
const instanceName = 'instance.json';
const portName = 'instance.port';

const damageName = `${databaseName}-damaged`;

/** The database's files. */
export const dataFiles = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`, damageName] as const;

/** Name prefix of the folders that damaged data is moved to. */
export const setAsidePrefix = 'set-aside-';

/** Name prefixes of everything in the folder. A file that's still being written has a suffix. */
export const ownNames = [databaseName, logName, lockName, instanceName, portName, setAsidePrefix] as const;

export const databasePath = (dataFolder: string): string => join(dataFolder, databaseName);

/** Exists when the service has found the database damaged: the next start then checks all of it. */
export const damagePath = (dataFolder: string): string => join(dataFolder, damageName);

/** Contains the service process's stderr output. */
export const logPath = (dataFolder: string): string => join(dataFolder, logName);

export const lockPath = (dataFolder: string): string => join(dataFolder, lockName);

/** Contains the port that the service listened on last. */
export const portPath = (dataFolder: string): string => join(dataFolder, portName);

/** In this file windows find the running service and its session token. Only its user can read it. */
export const instancePath = (dataFolder: string): string => join(dataFolder, instanceName);
