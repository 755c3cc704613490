// Every record has an opaque id whose prefix tells a reader what it names (contract section 1).
import { randomBytes } from 'node:crypto';

export type IdPrefix = 'wf' | 'exec' | 'evt' | 'log' | 'key' | 'req';

/** A new id such as `wf_9f0c…`: 96 random bits. */
export function createId(prefix: IdPrefix): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
