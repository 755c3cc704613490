// The running service as windows find it: its file, the proof that it wrote this file, and the codes it exits with.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../../base/json.ts';
import { codeOf } from '../../base/reason.ts';
import { instancePath } from './dataFolder.ts';

const InstanceSchema = v.object({
  /** Ends in /v1. */
  baseUrl: v.pipe(v.string(), v.url()),
  pid: v.number(),
  sessionToken: v.string(),
});
/** A listening service. Only its user can read the file with its session token. */
export type Instance = v.InferOutput<typeof InstanceSchema>;

/** Returns the instance in the folder's file; undefined when the file is missing or invalid. The instance may have exited already. */
export async function readInstance(dataFolder: string): Promise<Instance | undefined> {
  let text: string;
  try {
    text = await readFile(instancePath(dataFolder), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const result = v.safeParse(InstanceSchema, parseJson(text));
  return result.success ? result.output : undefined;
}

/** Writes the file atomically and for its user only. */
export async function writeInstance(dataFolder: string, instance: Instance): Promise<void> {
  const path = instancePath(dataFolder);
  const unfinished = `${path}.${instance.pid}`;
  await writeFile(unfinished, stringifyJson(instance), { mode: 0o600 });
  await rename(unfinished, path);
}

export async function removeInstance(dataFolder: string): Promise<void> {
  await rm(instancePath(dataFolder), { force: true });
}

/** Matches a nonce: 32 bytes in base64url. */
export const noncePattern = /^[\w-]{43}$/;

export function createNonce(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Proves knowledge of the session token without revealing it. `origin` is the address that the service itself listens on, so that a proof
 * relayed from another service isn't valid for this address.
 */
export function proveIdentity(sessionToken: string, nonce: string, origin: string): string {
  return createHmac('sha256', sessionToken)
    .update(`workflow-automation identity\n${nonce}\n${origin}`)
    .digest('base64url');
}

/** Compares in constant time. */
export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Exit codes of the service's program, which the launcher acts on. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  /** Another service uses the data folder. */
  alreadyRunning: 3,
  /** The data can't be read. */
  dataDamaged: 4,
} as const;
