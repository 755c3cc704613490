import { createHash, randomBytes } from 'node:crypto';

export type IdPrefix = 'wf' | 'exec' | 'evt' | 'log' | 'key' | 'req';

/** A new id such as `wf_9f0c…`: 96 random bits. */
export function createId(prefix: IdPrefix): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** Names a text by its content. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
