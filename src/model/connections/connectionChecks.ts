// What makes a name, a base URL and a key acceptable, before anything is stored or sent.
import { ConnectionError } from '../../domain/connectionError.ts';
import { isLoopback } from '../../domain/connection.ts';

const versionSegment = /\/v\d+[A-Za-z0-9.-]*$/;
/** The base URL without surrounding blanks and trailing slashes. Throws a ConnectionError for what is not one. */
export function checkBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) throw new ConnectionError({ kind: 'baseUrlUnreadable' });
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw new ConnectionError({ kind: 'baseUrlInsecure' });
  if (url.username !== '' || url.password !== '')
    throw new ConnectionError({ kind: 'baseUrlParts', part: 'credentials' });
  // An empty query or fragment ("…/v1?") leaves nothing in the URL's own members, so the text is asked.
  if (trimmed.includes('#')) throw new ConnectionError({ kind: 'baseUrlParts', part: 'fragment' });
  if (trimmed.includes('?')) throw new ConnectionError({ kind: 'baseUrlParts', part: 'query' });
  const path = url.pathname.replace(/\/+$/, '');
  if (!versionSegment.test(path)) throw new ConnectionError({ kind: 'baseUrlVersionMissing' });
  return url.origin + path;
}

/** The address of a page, without surrounding blanks. Throws a ConnectionError for anything but https. */
export function checkSettingsUrl(text: string): string {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) throw new ConnectionError({ kind: 'settingsUrl' });
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new ConnectionError({ kind: 'settingsUrl' });
  return url.href;
}

/** The key without surrounding blanks. Throws a ConnectionError for another prefix, or nothing behind it. */
export function checkKey(text: string, prefix: string): string {
  const key = text.trim();
  // A key travels in a header, where only visible ASCII is safe.
  if (!key.startsWith(prefix) || key.length === prefix.length || !/^[\x21-\x7e]+$/.test(key))
    throw new ConnectionError({ kind: 'keyPrefix', expected: prefix });
  return key;
}

/** The name without surrounding blanks. Throws a ConnectionError for an empty one. */
export function checkName(text: string): string {
  const name = text.trim();
  if (name === '') throw new ConnectionError({ kind: 'nameMissing' });
  return name;
}
