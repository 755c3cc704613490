import { databasePath } from '../../protocol/localService/dataFolder.ts';
import { SqliteStore } from '../store/sqlite/sqliteStore.ts';
import { toStorageError, withStorage } from '../store/storageError.ts';
import type { Store } from '../store/store.ts';
import type { KeysCommand } from './commandLine.ts';
import { prepareDataFolder } from './dataFolder.ts';
import type { DataPlace } from './dataPlace.ts';

/** Manages API keys, also while a service runs on the data. Returns the value to print. Rejects when there's no key with the id. */
export async function runKeys(command: KeysCommand): Promise<unknown> {
  const store = await openStore(command.place);
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
    throw 'dataFolder' in command.place
      ? toStorageError(error, databasePath(command.place.dataFolder))
      : error;
  } finally {
    await store.close();
  }
}

async function openStore(place: DataPlace): Promise<Store> {
  if ('dataFolder' in place) {
    const path = databasePath(place.dataFolder);
    return withStorage(path, () => {
      prepareDataFolder(place.dataFolder);
      return new SqliteStore({ path });
    });
  }
  const { checkTables, PostgresStore } = await import('./teamDatabase.ts');
  await checkTables(place.address);
  return new PostgresStore({ address: place.address, poolSize: 1 });
}
