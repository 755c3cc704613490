// The commands about secrets, which work beside a running service.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { findValueFault, isSecretName, maximumSecretBytes } from '../../domain/secret.ts';
import type { Logger } from '../../base/logger.ts';
import { Secrets, SecretsError, type SecretsKeys } from '../secrets/secrets.ts';
import { type DataPlace, type Environment, readPlace } from './dataPlace.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { readSecretsKeys, secretsKeyNames } from './secretsKeys.ts';
import { withStore } from './withStore.ts';

interface Common {
  readonly place: DataPlace;
  readonly keys: SecretsKeys;
}

export type SecretsCommand =
  | (Common & { readonly kind: 'setSecret' | 'deleteSecret'; readonly name: string })
  | (Common & { readonly kind: 'listSecrets' | 'rotateSecrets' });

export const secretsUsage = `\
  secrets set NAME (--data DIR | --database-url URL)      reads the value from stdin
  secrets list (--data DIR | --database-url URL)
  secrets delete NAME (--data DIR | --database-url URL)
  secrets rotate (--data DIR | --database-url URL)        encrypts all with the current key`;

export const secretsKeyUsage = `\
Secrets are encrypted with the key in WORKFLOW_SECRETS_KEY, 32 characters or more, or in a file: --secrets-key-file FILE. Until
"secrets rotate" has run, WORKFLOW_OLD_SECRETS_KEY or --old-secrets-key-file FILE give the key before.`;

/** `words`: what follows "secrets". Throws a UsageError. */
export function readSecretsCommand(words: readonly string[], environment: Environment): SecretsCommand {
  const [verb = '', ...rest] = words;
  if (verb === 'list' || verb === 'rotate')
    return { kind: verb === 'list' ? 'listSecrets' : 'rotateSecrets', ...readCommon(rest, environment) };
  if (verb !== 'set' && verb !== 'delete')
    throw new UsageError(`"${`secrets ${verb}`.trim()}" is no command.`);
  const [name = '', ...options] = rest;
  if (name === '' || name.startsWith('--')) throw new UsageError('The name of the secret is missing.');
  if (!isSecretName(name))
    throw new UsageError(
      `"${name}" is no name of a secret: it has at most 64 letters, digits and _, and doesn't begin with a digit.`,
    );
  return { kind: verb === 'set' ? 'setSecret' : 'deleteSecret', name, ...readCommon(options, environment) };
}

function readCommon(words: readonly string[], environment: Environment): Common {
  const options: Options = readOptions(words, ['data', 'database-url', ...secretsKeyNames]);
  return { place: readPlace(options, environment), keys: readSecretsKeys(options, environment) };
}

/** Returns the lines to print. Rejects with an Error whose message is for people. `stdin`: has the value of a secret that is set. */
export function runSecrets(
  command: SecretsCommand,
  stdin: Readable,
  logger: Logger,
): Promise<readonly unknown[]> {
  return withStore(command.place, async (store) => {
    const secrets = new Secrets({ store, keys: command.keys, logger });
    try {
      switch (command.kind) {
        case 'setSecret':
          return [await secrets.set(command.name, await readValue(stdin))];
        case 'listSecrets':
          return (await store.secrets.list()).map(({ name, updatedAt }) => ({ name, updatedAt }));
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

/** Reads a value without the newline at its end. */
async function readValue(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const buffer = chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk));
    bytes += buffer.length;
    // Room for the newline.
    if (bytes > maximumSecretBytes + 2) throw tooLong();
    chunks.push(buffer);
  }
  const written = Buffer.concat(chunks);
  if (!isUtf8(written)) throw new SecretsError('secret_invalid', "The value isn't text in UTF-8.");
  const value = written.toString('utf8').replace(/\r?\n$/, '');
  const fault = findValueFault(value);
  if (fault === 'tooLong') throw tooLong();
  if (fault !== undefined) throw new SecretsError('secret_invalid', 'The value is empty. Write it to stdin.');
  return value;
}

function tooLong(): SecretsError {
  return new SecretsError('secret_invalid', 'The value has more than 16,384 bytes.');
}
