export const keyExpirations = ['30d', '90d', '1y', 'never'] as const;
/** How long an API key is valid. */
export type KeyExpiration = (typeof keyExpirations)[number];

/** Headers hold visible ASCII only. */
export function isSendable(secret: string): boolean {
  return /^[\x21-\x7e]+$/.test(secret);
}

/** An API key as listed in the service's settings, without the secret itself. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
  readonly expiration: string | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly requestCount: number | null;
  readonly revokedAt: Date | null;
}

/** The rights of a key that are used here, by the service's own names. */
export const keyRights = [
  'workflow:list',
  'workflow:read',
  'workflow:create',
  'workflow:update',
  'workflow:delete',
  'workflow:activate',
  'workflow:deactivate',
  'execution:list',
  'execution:read',
  'execution:stop',
  'execution:retry',
] as const;
export type KeyRight = (typeof keyRights)[number];
