// The stored record of a connection. It doesn't include the API key.
import * as v from 'valibot';
import { keyExpirations } from './apiKey.ts';

export const ConnectionRecordSchema = v.object({
  /** Also names the stored record. */
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,100}$/)),
  name: v.string(),
  /** "local" is the embedded service, "n8n" an n8n of the user's own, "remote" any other service. */
  kind: v.picklist(['local', 'remote', 'n8n']),
  /** Ends with the version segment if its kind has one, without a trailing slash. */
  baseUrl: v.pipe(v.string(), v.url()),
  /** The key's lifetime as entered by the user. */
  expiration: v.exactOptional(v.picklist(keyExpirations)),
  /** ISO 8601: the time when the key was last set. */
  keySetAt: v.exactOptional(v.string()),
  /** The address of the service's settings page for API keys; https. */
  settingsUrl: v.exactOptional(v.string()),
});
/** The id of the local service's connection. It stays the same if the connection is removed and made again, so that its documents work again. */
export const localConnectionId = 'local';

/** A named service. Its key is stored separately, bound to the base URL's origin. */
export type Connection = Readonly<v.InferOutput<typeof ConnectionRecordSchema>>;

export type ConnectionKind = Connection['kind'];

interface KindRules {
  /** Its keys begin with the prefix in the setting. Others are recognized only by their values. */
  readonly hasKeyPrefix: boolean;
  /**
   * How the paths of the API and of the pages of its editor end: an address may be that of any of them, and is kept without. Without
   * this, a base URL ends with its version.
   */
  readonly ownPath?: RegExp;
  /** It accepts a token for its MCP server, beside the key. */
  readonly takesMcpToken: boolean;
}

/** How the kinds of connections differ before there's a client. */
const kindRules: Readonly<Record<ConnectionKind, KindRules>> = {
  local: { hasKeyPrefix: true, takesMcpToken: false },
  remote: { hasKeyPrefix: true, takesMcpToken: false },
  n8n: {
    hasKeyPrefix: false,
    ownPath: /\/(api\/v1|(home|workflows?|projects|executions|settings)(\/.*)?)$/,
    takesMcpToken: true,
  },
};

export function rulesOf(kind: ConnectionKind): KindRules {
  return kindRules[kind];
}

/**
 * True for this machine's own names and addresses, the only hosts that a key may be sent to without encryption.
 * hostname: as in URL, with IPv6 in brackets. Names below "localhost" don't count, because resolvers may point them elsewhere.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
