// The keys that secrets are encrypted with: from the environment, or from files that only their user can read.
import { readFileSync, statSync } from 'node:fs';
import { noKeys, type SecretsKeys } from '../secrets/secrets.ts';
import { minimumKeyCharacters, SecretsKey } from '../secrets/secretsKey.ts';
import type { Environment } from './dataLocation.ts';
import { optionalValue, type Options, UsageError } from './options.ts';

export const secretsKeyNames = ['secrets-key-file', 'old-secrets-key-file'] as const;

/** A command-line option takes precedence over the variable. Throws a UsageError. */
export function readSecretsKeys(options: Options, environment: Environment): SecretsKeys {
  const current = readKey(options, 'secrets-key-file', environment, 'WORKFLOW_SECRETS_KEY');
  const old = readKey(options, 'old-secrets-key-file', environment, 'WORKFLOW_OLD_SECRETS_KEY');
  if (!current && !old) return noKeys;
  return { current, old: old ? [old] : [] };
}

function readKey(
  options: Options,
  name: (typeof secretsKeyNames)[number],
  environment: Environment,
  variable: string,
): SecretsKey | undefined {
  const path = optionalValue(options, name);
  if (path !== undefined) return toKey(readKeyFile(path, name), `The file of --${name}`);
  const text = environment[variable];
  return text === undefined || text === '' ? undefined : toKey(text, variable);
}

function toKey(text: string, what: string): SecretsKey {
  if (Array.from(text).length < minimumKeyCharacters)
    throw new UsageError(`${what} must have ${minimumKeyCharacters} characters or more.`);
  return new SecretsKey(text);
}

function readKeyFile(path: string, name: string): string {
  try {
    const { mode } = statSync(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new UsageError(`Other users can read the file of --${name}. Run "chmod 600" on it.`);
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The file of --${name} can't be read: ${String(error)}`);
  }
}
