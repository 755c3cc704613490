// The service proves to a window that it wrote the folder's instance file, before the window tells it anything.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a nonce looks like: 32 bytes in base64url. */
export const noncePattern = /^[\w-]{43}$/;

export function createNonce(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Shows knowledge of the session token without telling it. `origin` is where the service itself listens, so that the
 * proof of another service, asked for and passed on by somebody in between, is none for this address.
 */
export function proveIdentity(sessionToken: string, nonce: string, origin: string): string {
  return createHmac('sha256', sessionToken)
    .update(`workflow-automation identity\n${nonce}\n${origin}`)
    .digest('base64url');
}

/** Compared in constant time. */
export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
