// What a service finds when it opens its folder again: old work, half-begun work, data of another version.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqliteStore } from '../../../src/service/store/sqlite/sqliteStore.ts';
import { createTestService } from '../../support/service.ts';
import { call, chain, createDeployed, execute, follow } from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

describe('Opening a folder again', () => {
  let dataFolder = '';
  let path = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    path = join(dataFolder, 'service.db');
  });
  afterEach(() => removeDataFolder(dataFolder));

  it('continues a waiting execution with its stored data', async () => {
    const first = await createTestService({ path });
    const definition = chain(
      ['start', 'trigger'],
      ['wait', 'delay', { milliseconds: 100 }],
      ['answer', 'output', { expression: 'input.n' }],
    );
    const workflowId = await createDeployed(first, definition);
    const executionId = await execute(first, workflowId, { n: 7 });
    await first.dispose();
    const second = await createTestService({ path });
    await follow(second, executionId);
    const { body } = await call(second, 'GET', `/v1/executions/${executionId}/output`);
    assert.deepEqual([body['status'], body['output']], ['completed', 7]);
    assert.equal((await call(second, 'GET', `/v1/workflows/${workflowId}`)).status, 200);
    await second.dispose();
  });

  it('refuses the data of a newer version', () => {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    assert.throws(() => new SqliteStore({ path }), /written by a newer version/);
  });
});
