import { type Connection, isLoopback } from '../../domain/connection.ts';
import { ConnectionError, isServiceError, type ServiceError } from '../../domain/errors.ts';
import type { ClientFactory } from '../ports.ts';

const versionSegment = /\/v\d+[A-Za-z0-9.-]*$/;

/** Returns the base URL without surrounding blanks and trailing slashes. Throws a ConnectionError for anything else. */
export function checkBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) throw new ConnectionError({ kind: 'baseUrlUnreadable' });
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw new ConnectionError({ kind: 'baseUrlInsecure' });
  if (url.username !== '' || url.password !== '')
    throw new ConnectionError({ kind: 'baseUrlParts', part: 'credentials' });
  // An empty query or fragment ("…/v1?") leaves nothing in the URL's members, so the text is searched.
  if (trimmed.includes('#')) throw new ConnectionError({ kind: 'baseUrlParts', part: 'fragment' });
  if (trimmed.includes('?')) throw new ConnectionError({ kind: 'baseUrlParts', part: 'query' });
  const path = url.pathname.replace(/\/+$/, '');
  if (!versionSegment.test(path)) throw new ConnectionError({ kind: 'baseUrlVersionMissing' });
  return url.origin + path;
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

/** Returns the key without surrounding blanks. Throws a ConnectionError when it has another prefix, or nothing after the prefix. */
export function checkKey(text: string, prefix: string): string {
  const key = text.trim();
  // The key is sent in a header, where only visible ASCII is safe.
  if (!key.startsWith(prefix) || key.length === prefix.length || !/^[\x21-\x7e]+$/.test(key))
    throw new ConnectionError({ kind: 'keyPrefix', expected: prefix });
  return key;
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

/** Checks with one cheap read whether the service accepts the key. Rejects with a ConnectionError, or the signal's reason. */
export async function verifyKey(
  createClient: ClientFactory,
  { kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>,
  key: string,
  signal?: AbortSignal,
): Promise<void> {
  const client = createClient({ id: 'verification', name: '', kind, baseUrl }, () => Promise.resolve(key));
  try {
    await client.workflows.list({ limit: 1 }, { signal });
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const refusal = readRefusal(error);
    if (refusal) throw refusal;
  } finally {
    client.dispose();
  }
}

/** Returns null when the failure doesn't mean that the key is wrong. */
function readRefusal(error: ServiceError): ConnectionError | null {
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
      return new ConnectionError({ kind: 'notTheService', error });
  }
}
