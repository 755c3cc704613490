// What the launcher and the service find in the local service's data folder.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseJson } from '../../base/json.ts';

const databaseName = 'service.db';
const logName = 'service.log';
const lockName = 'instance.lock';
const instanceName = 'instance.json';

/** The database's files. */
export const dataFiles = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`] as const;

/** Name prefix of the folders that damaged data is moved to. */
export const setAsidePrefix = 'set-aside-';

/** Name prefixes of everything in the folder. A file that's still being written has a suffix. */
export const ownNames = [databaseName, logName, lockName, instanceName, setAsidePrefix] as const;

export const databasePath = (dataFolder: string): string => join(dataFolder, databaseName);

/** Contains the service process's stderr output. */
export const logPath = (dataFolder: string): string => join(dataFolder, logName);

export const lockPath = (dataFolder: string): string => join(dataFolder, lockName);

/** In this file windows find the running service and its session token. Only its user can read it. */
const instancePath = (dataFolder: string): string => join(dataFolder, instanceName);

const InstanceSchema = v.object({
  /** Ends in /v1. */
  baseUrl: v.pipe(v.string(), v.url()),
  pid: v.number(),
  sessionToken: v.string(),
});
/** A listening service. */
export type Instance = v.InferOutput<typeof InstanceSchema>;

/** Returns the instance in the folder's file; undefined when the file is missing or invalid. The instance may have exited already. */
export async function readInstance(dataFolder: string): Promise<Instance | undefined> {
  let text: string;
  try {
    text = await readFile(instancePath(dataFolder), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const result = v.safeParse(InstanceSchema, parseJson(text));
  return result.success ? result.output : undefined;
}

/** Writes the file atomically and for its user only. */
export async function writeInstance(dataFolder: string, instance: Instance): Promise<void> {
  const path = instancePath(dataFolder);
  const unfinished = `${path}.${instance.pid}`;
  await writeFile(unfinished, JSON.stringify(instance), { mode: 0o600 });
  await rename(unfinished, path);
}

export async function removeInstance(dataFolder: string): Promise<void> {
  await rm(instancePath(dataFolder), { force: true });
}
