import { createHash } from 'node:crypto';

/** Names a text by its content. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
