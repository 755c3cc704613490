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
