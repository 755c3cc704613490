// Windows find the running service, and the right to its settings, in a file only its user can read.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parseJson } from '../../base/json.ts';
import { instancePath } from './dataFolder.ts';

const InstanceSchema = v.object({
  /** Ends in /v1. */
  baseUrl: v.pipe(v.string(), v.url()),
  pid: v.number(),
  sessionToken: v.string(),
});
/** A service that is listening. */
export type Instance = v.InferOutput<typeof InstanceSchema>;

/** The instance that the folder's file names; undefined without a readable file. It may be gone already. */
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

/** Written whole or not at all, for its user only. */
export async function writeInstance(dataFolder: string, instance: Instance): Promise<void> {
  const path = instancePath(dataFolder);
  const unfinished = `${path}.${instance.pid}`;
  await writeFile(unfinished, JSON.stringify(instance), { mode: 0o600 });
  await rename(unfinished, path);
}

export async function removeInstance(dataFolder: string): Promise<void> {
  await rm(instancePath(dataFolder), { force: true });
}
