// Opens the data for a command that ends soon, also while a service uses them.
import { databasePath } from '../../protocol/localService/dataFolder.ts';
import { SqliteStore } from '../store/sqlite/sqliteStore.ts';
import { toStorageError, withStorage } from '../store/storageError.ts';
import type { Store } from '../store/store.ts';
import { prepareDataFolder } from './dataFolder.ts';
import type { DataLocation } from './dataLocation.ts';

/** Rejects with what the work rejects with, or with a StorageError, a TablesError or a NewerDataError. */
export async function withStore<T>(location: DataLocation, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(location);
  try {
    return await work(store);
  } catch (error) {
    throw 'dataFolder' in location ? toStorageError(error, databasePath(location.dataFolder)) : error;
  } finally {
    await store.close();
  }
}

async function openStore(location: DataLocation): Promise<Store> {
  if ('dataFolder' in location) {
    const path = databasePath(location.dataFolder);
    return withStorage(path, () => {
      prepareDataFolder(location.dataFolder);
      return new SqliteStore({ path });
    });
  }
  const { checkTables, PostgresStore } = await import('./teamDatabase.ts');
  await checkTables(location.address);
  return new PostgresStore({ address: location.address, poolSize: 1 });
}
