// A service that is killed while it fills the index of the search goes on where it was: nothing is lost, and nothing is found wrongly.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../../src/protocol/localService/dataFolder.ts';
import { call } from '../calls.ts';
import { endedExecutions, idsOf } from '../searching.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  serviceOf,
  startProgram,
} from './program.ts';

const count = 250;

describe('Killed in the middle of filling the index of the search', () => {
  let dataFolder = '';
  let program: Program;
  let key = '';
  before(async () => {
    dataFolder = await createDataFolder();
    program = await startProgram(dataFolder, '--requests-per-minute', '100000');
    key = await createKey(dataFolder);
    await program.kill();
    change(...endedExecutions(0, count));
  });
  after(async () => {
    await program.kill();
    await removeDataFolder(dataFolder);
  });

  function change(...statements: readonly string[]): void {
    const database = new DatabaseSync(databasePath(dataFolder));
    for (const statement of statements) database.exec(statement);
    database.close();
  }

  function total(sql: string): number {
    const database = new DatabaseSync(databasePath(dataFolder), { readOnly: true });
    try {
      return Number(database.prepare(`SELECT count(*) AS total FROM ${sql}`).get()?.['total']);
    } finally {
      database.close();
    }
  }

  const waiting = (): number => total('search_queue');
  const start = async () => {
    program = await startProgram(dataFolder, '--requests-per-minute', '100000');
    return serviceOf(program, key);
  };

  it('the service finds everything at once, and all is in the index in the end', async () => {
    let service = await start();
    while (waiting() === count) await call(service, 'GET', '/health');
    await program.kill();
    const left = waiting();
    assert(left > 0 && left < count, String(left));
    assert.equal(
      total(`executions WHERE position NOT IN (SELECT position FROM search_queue)
        AND position * 65536 NOT IN (SELECT rowid FROM search_index)`),
      0,
    );
    change("INSERT INTO search_index (search_index) VALUES ('integrity-check')");

    service = await start();
    const find = async (): Promise<void> => {
      for (const number of [1, 70, count])
        assert.deepEqual(
          await idsOf(service, { q: `"INV-${number}"`.slice(1, -1), minDurationMs: '0' }),
          found(number),
        );
    };
    await find();
    while (waiting() > 0) await call(service, 'GET', '/health');
    await find();
  });
});

/** Those whose invoice begins with the number, newest first. */
function found(number: number): readonly string[] {
  return Array.from({ length: count }, (_id, at) => String(count - at))
    .filter((each) => each.startsWith(String(number)))
    .map((each) => `exec_${each}`);
}
