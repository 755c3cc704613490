import type { ServicePort } from '../../api/servicePort.ts';
import { isSendable, type KeyRight } from '../../domain/apiKey.ts';
import { type Connection, type ConnectionKind, isLoopback } from '../../domain/connection.ts';
import { ConnectionError, isServiceError, isTransient, type ServiceError } from '../../domain/errors.ts';
import type { ClientFactory } from '../ports.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

const versionSegment = /\/v\d+[A-Za-z0-9.-]*$/;

/** Returns the base URL without surrounding blanks, trailing slashes, and what its kind adds. Throws a ConnectionError for anything else. */
export function checkBaseUrl(text: string, kind: ConnectionKind = 'remote'): string {
  const trimmed = text.trim();
  const { ownPath, exampleUrl: example } = serviceTraits[kind];
  if (!URL.canParse(trimmed)) throw new ConnectionError({ kind: 'baseUrlUnreadable', example });
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw new ConnectionError({ kind: 'baseUrlInsecure' });
  if (url.username !== '' || url.password !== '')
    throw new ConnectionError({ kind: 'baseUrlParts', part: 'credentials' });
  // An empty query or fragment ("…/v1?") leaves nothing in the URL's members, so the text is searched.
  if (trimmed.includes('#')) throw new ConnectionError({ kind: 'baseUrlParts', part: 'fragment' });
  if (trimmed.includes('?')) throw new ConnectionError({ kind: 'baseUrlParts', part: 'query' });
  const path = url.pathname.replace(/\/+$/, '');
  if (ownPath !== undefined) return url.origin + path.replace(ownPath, '');
  if (!versionSegment.test(path)) throw new ConnectionError({ kind: 'baseUrlVersionMissing' });
  return url.origin + path;
}

/** True if this is the URL of the connection, however it's written. */
export function hasUrl({ baseUrl, kind }: Pick<Connection, 'baseUrl' | 'kind'>, url: string): boolean {
  try {
    return checkBaseUrl(url, kind) === baseUrl;
  } catch (error) {
    if (error instanceof ConnectionError) return false;
    throw error;
  }
}

/** Returns a page's URL without surrounding blanks. Throws a ConnectionError for anything but https. */
export function checkSettingsUrl(text: string): string {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) throw new ConnectionError({ kind: 'settingsUrl' });
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new ConnectionError({ kind: 'settingsUrl' });
  return url.href;
}

/** What a connection is opened with. */
export interface ConnectionSecrets {
  readonly apiKey: string;
  /** For the service's MCP server, where its kind has one. */
  readonly mcpToken?: string | undefined;
}

/**
 * Returns the key without surrounding blanks. Throws a ConnectionError when it has another prefix than its kind's keys, or nothing after the
 * prefix.
 */
export function checkKey(text: string, prefix: string, kind: ConnectionKind = 'remote'): string {
  const key = text.trim();
  if (!serviceTraits[kind].hasKeyPrefix || prefix === '') {
    if (!isSendable(key)) throw new ConnectionError({ kind: 'secretUnreadable', secret: 'apiKey' });
    return key;
  }
  if (!key.startsWith(prefix) || key.length === prefix.length || !isSendable(key))
    throw new ConnectionError({ kind: 'keyPrefix', expected: prefix });
  return key;
}

/** Returns the token without surrounding blanks; undefined for none. Throws a ConnectionError where it can't be one. */
export function checkMcpToken(text: string, kind: ConnectionKind): string | undefined {
  const token = text.trim();
  if (token === '') return undefined;
  if (!serviceTraits[kind].takesMcpToken) throw new ConnectionError({ kind: 'mcpTokenNotTaken' });
  if (!isSendable(token)) throw new ConnectionError({ kind: 'secretUnreadable', secret: 'mcpToken' });
  return token;
}

/** Checks both. */
export function checkSecrets(
  secrets: ConnectionSecrets,
  prefix: string,
  kind: ConnectionKind,
): ConnectionSecrets {
  const mcpToken = checkMcpToken(secrets.mcpToken ?? '', kind);
  return {
    apiKey: checkKey(secrets.apiKey, prefix, kind),
    ...(mcpToken === undefined ? {} : { mcpToken }),
  };
}

/** Returns the name without surrounding blanks. Throws a ConnectionError for an empty one. */
export function checkName(text: string): string {
  const name = text.trim();
  if (name === '') throw new ConnectionError({ kind: 'nameMissing' });
  return name;
}

/** Throws a ConnectionError if there's a connection with this id, or with this name and base URL. */
export function refuseDuplicate(
  records: readonly Connection[],
  added: Pick<Connection, 'name' | 'baseUrl'> & { readonly id?: string },
): void {
  const same = records.find(
    ({ id, name, baseUrl }) => id === added.id || (name === added.name && baseUrl === added.baseUrl),
  );
  if (same) throw new ConnectionError({ kind: 'duplicate', connectionId: same.id });
}

/**
 * Checks with one cheap read whether the service accepts the key, and so the token if there's one. Resolves with the rights that the key lacks,
 * where the service reports them. Rejects with a ConnectionError, or the signal's reason.
 */
export async function verifySecrets(
  createClient: ClientFactory,
  { kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>,
  { apiKey, mcpToken }: ConnectionSecrets,
  signal?: AbortSignal,
): Promise<readonly KeyRight[]> {
  const client = createClient(
    { id: 'verification', name: '', kind, baseUrl },
    () => Promise.resolve(apiKey),
    undefined,
    () => Promise.resolve(mcpToken),
  );
  try {
    await refusing(client.workflows.list({ limit: 1 }, { signal }), (error) => readRefusal(error, kind));
    if (mcpToken !== undefined) await verifyWith(client, signal);
    return (await client.missingRights?.()) ?? [];
  } finally {
    client.dispose();
  }
}

/** Checks whether the MCP server accepts the token. Rejects with a ConnectionError, or the signal's reason. */
export async function verifyMcpToken(
  createClient: ClientFactory,
  connection: Connection,
  mcpToken: string,
  signal?: AbortSignal,
): Promise<void> {
  const none = (): Promise<undefined> => Promise.resolve(undefined);
  const client = createClient(connection, none, undefined, () => Promise.resolve(mcpToken));
  try {
    await verifyWith(client, signal);
  } finally {
    client.dispose();
  }
}

function verifyWith({ mcp }: ServicePort, signal: AbortSignal | undefined): Promise<void> {
  if (mcp === undefined) throw new ConnectionError({ kind: 'mcpTokenNotTaken' });
  return refusing(mcp.verify({ signal }), (error) => {
    if (error.reason.kind === 'notOffered') return new ConnectionError({ kind: 'mcpMissing' });
    return isTransient(error) || error.reason.kind === 'unreachable'
      ? new ConnectionError({ kind: 'unverified', error })
      : new ConnectionError({ kind: 'mcpTokenRejected', error });
  });
}

/** Rejects with what a failure means for the connection; null: nothing. */
async function refusing(
  call: Promise<unknown>,
  read: (error: ServiceError) => ConnectionError | null,
): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const refusal = read(error);
    if (refusal) throw refusal;
  }
}

/** Returns null when the failure doesn't mean that the key is wrong. */
function readRefusal(error: ServiceError, expected: ConnectionKind): ConnectionError | null {
  switch (error.reason.kind) {
    case 'forbidden':
      // The service knows the key, but the key may not be allowed to list workflows.
      return null;
    case 'keyRejected':
      return new ConnectionError({ kind: 'keyRejected' });
    case 'unreachable':
    case 'unavailable':
    case 'rateLimited':
      return new ConnectionError({ kind: 'unverified', error });
    default:
      return new ConnectionError({ kind: 'notTheService', error, expected });
  }
}
