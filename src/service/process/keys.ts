import type { KeyStore } from '../store/keys.ts';
import type { KeysCommand } from './commandLine.ts';
import { withStore } from './withStore.ts';

/** What a command returns could not be printed; the message is for people. */
export class PrintError extends Error {
  override readonly name = 'PrintError';
}

/** Rejects with a PrintError. */
type Print = (value: unknown) => Promise<void>;

/** Manages API keys, also while a service runs on the data. Rejects when there's no key with the id, or with a PrintError. */
export function runKeys(command: KeysCommand, print: Print): Promise<void> {
  return withStore(command.location, async ({ keys }) => {
    switch (command.kind) {
      case 'createKey':
        return createKey(keys, command, print);
      case 'listKeys':
        return print(await keys.list());
      case 'revokeKey':
        if (!(await keys.revoke(command.id))) throw new Error(`There is no key with the id ${command.id}.`);
        return print((await keys.list()).find((key) => key.id === command.id));
    }
  });
}

/** Revokes a key whose value nobody has seen. */
async function createKey(
  keys: KeyStore,
  { name, expiration }: Extract<KeysCommand, { kind: 'createKey' }>,
  print: Print,
): Promise<void> {
  const created = await keys.create(name, expiration);
  try {
    await print(created);
  } catch (error) {
    await keys.revoke(created.id);
    if (!(error instanceof PrintError)) throw error;
    throw new PrintError(`${error.message} Its value is lost, so the key was revoked.`);
  }
}
