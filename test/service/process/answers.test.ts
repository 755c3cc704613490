// A process that is killed in the middle of a draft with answers: what goes on takes the answers that are left (contract section 9).
import assert from 'node:assert/strict';
import { serve } from '../../support/servers.ts';
import { at, call, follow, textAt } from '../calls.ts';
import { edge, start } from '../engine/callingDefinitions.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  serviceOf,
  startProgram,
} from './program.ts';

it('A draft whose process is killed goes on with the next answer of each node', async () => {
  const dataFolder = await createDataFolder();
  const key = await createKey(dataFolder);
  let program: Program = await startProgram(dataFolder);
  let calls = 0;
  let killing: Promise<void> | undefined;
  const server = await serve((_request, response) => {
    calls += 1;
    if (calls === 3) killing = program.kill();
    else response.writeHead(200).end();
  });
  try {
    const request = (id: string, url: string) => ({ id, type: 'httpRequest', config: { url } });
    const definition = {
      name: 'Killed',
      nodes: [
        start,
        { id: 'each', type: 'forEach', config: { items: '[0..4]', result: 'nodes.a.status' } },
        request('a', 'http://nowhere.invalid/'),
        request('b', `http://127.0.0.1:${server.port}`),
      ],
      edges: [edge('start', 'each'), edge('each', 'a', 'each'), edge('a', 'b')],
    };
    const before = serviceOf(program, key);
    const { body: workflow } = await call(before, 'POST', '/v1/workflows', definition);
    const answers = { a: [200, 201, 202, 203, 204].map((status) => ({ status })) };
    const path = `/v1/workflows/${textAt(workflow, 'id')}/draft-executions`;
    const { body: started } = await call(before, 'POST', path, { answers });
    const executionId = textAt(started, 'executionIds', 0);
    await assert.rejects(follow(before, executionId));
    await killing;
    program = await startProgram(dataFolder);
    const after = serviceOf(program, key);
    const rows = await follow(after, executionId);
    const { body } = await call(after, 'GET', `/v1/executions/${executionId}/output`);
    assert.deepEqual([body['status'], at(body, 'output')], ['completed', null]);
    const given = rows.filter((row) => row['answered'] === true).map((row) => at(row, 'response', 'status'));
    assert.deepEqual([given, calls], [[200, 201, 202, 203, 204], 6]);
  } finally {
    await program.kill();
    await server.close();
    await removeDataFolder(dataFolder);
  }
});
