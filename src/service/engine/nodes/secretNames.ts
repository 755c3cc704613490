import { type JsonObject, stringifyJson } from '../../../base/json.ts';
import type { Expressions } from '../../sandbox/ownerExpressions.ts';
import type { Secrets } from '../../secrets/secrets.ts';

/** What is needed to read the templates of nodes. */
export interface SecretReading {
  readonly sandbox: Expressions;
  readonly secrets: Pick<Secrets, 'namesIn'>;
  readonly signal: AbortSignal;
}

/** Returns the names of the secrets that the templates of an HTTP request node read. Rejects with a NodeError. */
export async function secretNames(
  config: JsonObject,
  { sandbox, secrets, signal }: SecretReading,
): Promise<readonly string[]> {
  const { url = null, query = null, headers = null, body = null } = config;
  const templates = [url, query, headers, body];
  // Most requests use no secrets, and this check is far cheaper than reading their expressions.
  const text = stringifyJson(templates);
  if (!text.includes('secrets')) return [];
  return secrets.namesIn(text, () => sandbox.findSecrets(templates, signal));
}
