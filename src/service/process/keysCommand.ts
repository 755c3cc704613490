// Manages API keys from the command line, also while a service runs on the folder.
import { createSqliteStore } from '../store/sqlite/createSqliteStore.ts';
import { toStorageError, withStorage } from '../store/storageError.ts';
import type { Command } from './commandLine.ts';
import { databasePath } from '../../protocol/localService/dataFolder.ts';
import { prepareDataFolder } from './prepareDataFolder.ts';

/** Runs the command and returns the value to print. Rejects when there's no key with the id. */
export async function runKeysCommand(command: Exclude<Command, { kind: 'serve' }>): Promise<unknown> {
  const path = databasePath(command.dataFolder);
  const store = withStorage(path, () => {
    prepareDataFolder(command.dataFolder);
    return createSqliteStore({ path });
  });
  try {
    switch (command.kind) {
      case 'createKey':
        return await store.keys.create(command.name, command.expiration);
      case 'listKeys':
        return await store.keys.list();
      case 'revokeKey':
        if (!(await store.keys.revoke(command.id)))
          throw new Error(`There is no key with the id ${command.id}.`);
        return (await store.keys.list()).find((key) => key.id === command.id);
    }
  } catch (error) {
    throw toStorageError(error, path);
  } finally {
    await store.close();
  }
}
