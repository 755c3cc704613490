// The secrets that requests carry in a header, each read anew for each request.
import { isSendable } from '../../domain/apiKey.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { KeyReader } from '../servicePort.ts';

interface SecretRules {
  /** As it's named in the log: "API key". */
  readonly name: string;
  /** Default: "". */
  readonly prefix?: string;
  /** What "keyRejected" says of one that can't be right. Default: null. */
  readonly code?: string | null;
}

/** Rejects with "keyMissing", or "keyRejected" for one that can't be right. It isn't sent: the HTTP port's error could quote it whole. */
export async function readStoredSecret(
  read: KeyReader,
  { name, prefix = '', code = null }: SecretRules,
): Promise<string> {
  const secret = (await read()) ?? '';
  if (secret === '')
    throw new ServiceError({ kind: 'keyMissing' }, `This connection has no ${name} on this machine.`);
  if (secret.startsWith(prefix) && isSendable(secret)) return secret;
  const begins = prefix === '' ? '' : ` starts with "${prefix}" and`;
  throw new ServiceError({ kind: 'keyRejected', code }, `An ${name}${begins} has no spaces.`, { code });
}
