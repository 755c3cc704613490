// Opens the data for a command that ends soon, also while a service uses them.
import { databasePath } from '../../protocol/localService/dataFolder.ts';
import { SqliteStore } from '../store/sqlite/sqliteStore.ts';
import { toStorageError, withStorage } from '../store/storageError.ts';
import type { Store } from '../store/store.ts';
import { prepareDataFolder } from './dataFolder.ts';
import type { DataPlace } from './dataPlace.ts';

/** Rejects with what the work rejects with, or with a StorageError, a TablesError or a NewerDataError. */
export async function withStore<T>(place: DataPlace, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place);
  try {
    return await work(store);
  } catch (error) {
    throw 'dataFolder' in place ? toStorageError(error, databasePath(place.dataFolder)) : error;
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
