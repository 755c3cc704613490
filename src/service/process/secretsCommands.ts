// The commands about secrets, which work beside a running service.
import type { Readable } from 'node:stream';
import {
  findValueFault,
  isSecretName,
  maximumOrigins,
  maximumSecretBytes,
  readOrigin,
} from '../../domain/secret.ts';
import type { Logger } from '../../base/logger.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { readBytes } from '../../protocol/body.ts';
import type { SecretJson } from '../../protocol/records.ts';
import { Secrets, SecretsError, type SecretsKeys } from '../secrets/secrets.ts';
import { toSecretJson } from '../store/secrets.ts';
import { type DataLocation, type Environment, readLocation } from './dataLocation.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { readSecretsKeys, secretsKeyNames } from './secretsKeys.ts';
import { withStore } from './withStore.ts';

interface CommonOptions {
  readonly location: DataLocation;
  readonly keys: SecretsKeys;
}

export type SecretsCommand =
  | (CommonOptions & {
      readonly kind: 'setSecret';
      readonly name: string;
      readonly origins: readonly string[];
    })
  | (CommonOptions & { readonly kind: 'deleteSecret'; readonly name: string })
  | (CommonOptions & { readonly kind: 'listSecrets' | 'rotateSecrets' });

export const secretsUsage = `\
  secrets set NAME (--data DIR | --database-url URL) [--origin ORIGIN]...
  secrets list (--data DIR | --database-url URL)
  secrets delete NAME (--data DIR | --database-url URL)
  secrets rotate (--data DIR | --database-url URL)        encrypts all with the current key`;

export const secretsKeyUsage = `\
"secrets set" reads the value from stdin. With --origin https://api.example.com, which can be given several times, requests send the secret
to these origins only; without it, to any. Setting it again replaces the value and the origins.
Secrets are encrypted with the key in WORKFLOW_SECRETS_KEY, 32 characters or more, or in a file: --secrets-key-file FILE. Until
"secrets rotate" has run, WORKFLOW_OLD_SECRETS_KEY or --old-secrets-key-file FILE give the previous key.`;

/** `words`: what follows "secrets". Throws a UsageError. */
export function readSecretsCommand(words: readonly string[], environment: Environment): SecretsCommand {
  const [verb = '', ...rest] = words;
  if (verb === 'list' || verb === 'rotate')
    return { kind: verb === 'list' ? 'listSecrets' : 'rotateSecrets', ...readCommon(rest, environment) };
  if (verb !== 'set' && verb !== 'delete')
    throw new UsageError(`"${`secrets ${verb}`.trim()}" isn't a command.`);
  const [name = '', ...options] = rest;
  if (name === '' || name.startsWith('--')) throw new UsageError('The name of the secret is missing.');
  if (!isSecretName(name))
    throw new UsageError(
      `"${name}" isn't a valid name of a secret: a name has at most 64 letters, digits and _, and doesn't begin with a digit.`,
    );
  if (verb === 'delete') return { kind: 'deleteSecret', name, ...readCommon(options, environment) };
  const { lists, ...others } = readOptions(options, commonNames, [], ['origin']);
  const origins = readOrigins(lists['origin'] ?? []);
  return { kind: 'setSecret', name, origins, ...toCommon({ ...others, lists }, environment) };
}

function readOrigins(given: readonly string[]): readonly string[] {
  if (given.length > maximumOrigins)
    throw new UsageError(`A secret can have at most ${maximumOrigins} origins.`);
  return given.map((text) => {
    const origin = readOrigin(text);
    if (origin !== undefined) return origin;
    throw new UsageError(
      `"${text}" isn't an origin. An origin is http or https, a host and optionally a port, without a path, such as https://api.example.com.`,
    );
  });
}

const commonNames = ['data', 'database-url', ...secretsKeyNames];

function readCommon(words: readonly string[], environment: Environment): CommonOptions {
  return toCommon(readOptions(words, commonNames), environment);
}

function toCommon(options: Options, environment: Environment): CommonOptions {
  return { location: readLocation(options, environment), keys: readSecretsKeys(options, environment) };
}

/** Returns the lines to print, and warns through the logger. Rejects with an Error whose message is for people. `stdin`: has the value of a secret that is set. */
export function runSecrets(
  command: SecretsCommand,
  stdin: Readable,
  logger: Logger,
): Promise<readonly unknown[]> {
  return withStore(command.location, async (store) => {
    const secrets = new Secrets({ store, keys: command.keys, logger });
    try {
      switch (command.kind) {
        case 'setSecret':
          return [await setSecret(secrets, command, await readValue(stdin), logger)];
        case 'listSecrets':
          return (await store.secrets.list()).map(toSecretJson);
        case 'deleteSecret':
          if (!(await secrets.delete(command.name)))
            throw new SecretsError('secret_not_found', `There is no secret with the name ${command.name}.`);
          return [];
        case 'rotateSecrets':
          return await secrets.rotate();
      }
    } finally {
      secrets.dispose();
    }
  });
}

async function setSecret(
  secrets: Secrets,
  { name, origins }: Extract<SecretsCommand, { kind: 'setSecret' }>,
  value: string,
  logger: Logger,
): Promise<SecretJson> {
  const { warnings = [], ...secret } = await secrets.set(name, value, origins);
  for (const warning of warnings) logger.warn(warning);
  return secret;
}

/** Reads a value without the byte order mark that some editors and shells put before it, and the newline at its end. */
async function readValue(stdin: Readable): Promise<string> {
  // Room for the newline.
  const written = await readBytes(stdin, maximumSecretBytes + 2);
  if (written === undefined) throw tooLong();
  const text = decodeUtf8(written);
  if (text === undefined) throw new SecretsError('secret_invalid', "The value isn't text in UTF-8.");
  const value = text.replace(/\r?\n$/, '');
  const fault = findValueFault(value);
  if (fault === 'tooLong') throw tooLong();
  if (fault !== undefined) throw new SecretsError('secret_invalid', 'The value is empty. Write it to stdin.');
  return value;
}

function tooLong(): SecretsError {
  return new SecretsError('secret_invalid', 'The value exceeds 16,384 bytes.');
}
