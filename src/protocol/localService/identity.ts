// Lets the service prove to a window that it wrote the folder's instance file, before the window sends it anything.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

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
