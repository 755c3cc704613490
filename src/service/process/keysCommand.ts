// Why: keys can be made and revoked from the command line, while a service runs on the folder or not.
import { mkdir } from 'node:fs/promises';
import { createSqliteStore } from '../store/sqlite/createSqliteStore.ts';
import type { Command } from './commandLine.ts';
import { databasePath } from './serve.ts';

/** Does what the command asks and answers what to print. Rejects when there is no key with the id. */
export async function runKeysCommand(command: Exclude<Command, { kind: 'serve' }>): Promise<unknown> {
  await mkdir(command.dataFolder, { recursive: true, mode: 0o700 });
  const store = createSqliteStore({ path: databasePath(command.dataFolder) });
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
  } finally {
    await store.close();
  }
}
