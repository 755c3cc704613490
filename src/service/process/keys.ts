import type { KeysCommand } from './commandLine.ts';
import { withStore } from './withStore.ts';

/** Manages API keys, also while a service runs on the data. Returns the value to print. Rejects when there's no key with the id. */
export function runKeys(command: KeysCommand): Promise<unknown> {
  return withStore(command.location, async ({ keys }) => {
    switch (command.kind) {
      case 'createKey':
        return keys.create(command.name, command.expiration);
      case 'listKeys':
        return keys.list();
      case 'revokeKey':
        if (!(await keys.revoke(command.id))) throw new Error(`There is no key with the id ${command.id}.`);
        return (await keys.list()).find((key) => key.id === command.id);
    }
  });
}
