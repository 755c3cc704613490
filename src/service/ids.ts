import { createHash, randomBytes } from 'node:crypto';

export type IdPrefix = 'wf' | 'exec' | 'evt' | 'log' | 'key' | 'req' | 'rev';

/** Returns a new id such as `wf_9f0c…`, with 96 random bits. */
export function createId(prefix: IdPrefix): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** Returns the SHA-256 of the text. */
export function hashOf(text: string, encoding: 'base64url' | 'hex' = 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding);
}
