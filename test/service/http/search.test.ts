// What a search of executions finds (contract section 9), before and after they are in the index of the database.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { queryStorage } from '../../support/storage.ts';
import { assertRefused, at, call, chain, createDeployed, execute, followUntil, runToEnd } from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';
import { fillIndex, idsOf, search } from '../searching.ts';

const pass = chain(['start', 'trigger']);
const loop = {
  name: 'Loop',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'all', type: 'forEach', config: { items: 'input.list' } },
    { id: 'say', type: 'log', config: { message: 'Item {{ item }}' } },
  ],
  edges: [
    { source: 'start', target: 'all' },
    { source: 'all', target: 'say', branch: 'each' },
  ],
};
const failing = chain(['start', 'trigger'], ['stop', 'fail', { message: 'Quota of {{ input.tenant }}' }]);
const calling = (url: string, mark: string) =>
  chain(
    ['start', 'trigger'],
    ['call', 'httpRequest', { url: `${url}/${mark}-path`, method: 'POST', body: { sent: `${mark}-body` } }],
    ['answer', 'output', { expression: '"constant"' }],
  );
const inRun = (nodeId: string, path: string, excerpt: string) => ({ in: 'nodeRun', nodeId, path, excerpt });

describe('A search of executions', () => {
  let service: TestService;
  before(async () => (service = await createTestService({ requestsPerMinute: 100_000 })));
  after(() => service.dispose());

  it('is offered', async () => {
    const { headers } = await call(service, 'GET', '/v1/executions');
    assert.match(headers.get('Workflow-Capabilities') ?? '', /\bsearch\b/);
  });

  for (const [q, message] of [
    ['', 'must have at least 2 characters'],
    ['x', 'must have at least 2 characters'],
    ['😀', 'must have at least 2 characters'],
    ['😀'.repeat(201), 'must have at most 200 characters'],
  ] as const)
    it(`refuses a text of ${Array.from(q).length} characters: ${q.slice(0, 10)}`, async () => {
      const answer = await call(service, 'GET', `/v1/executions?q=${encodeURIComponent(q)}`);
      assertRefused(answer, 422, 'validation_failed');
      assert.deepEqual(at(answer.body, 'error', 'details'), [{ path: 'q', message }]);
    });

  it('takes 200 characters', async () => assert.deepEqual(await idsOf(service, { q: '😀'.repeat(200) }), []));

  it('refuses a duration that is no number', async () =>
    assertRefused(await call(service, 'GET', '/v1/executions?minDurationMs=1s'), 400, 'invalid_request'));

  for (const mark of ['waiting', 'indexed'])
    describe(mark === 'indexed' ? 'that are in the index' : 'that ended a moment ago', () => {
      let server: Running;
      let ids: Readonly<Record<string, string>> = {};
      before(async () => {
        server = await serve((request, response) => {
          request.resume();
          response
            .writeHead(200, { 'Content-Type': 'application/json', 'X-Answer': `${mark}-header` })
            .end(`{"total": 12345678901234567890.50, "note": "${mark}-answer"}`);
        });
        const run = async (definition: JsonObject, input: JsonObject = {}) =>
          (await runToEnd(service, definition, input)).executionId;
        ids = {
          input: await run(pass, { lines: [{ lineId: `INV-7 ${mark}` }] }),
          loop: await run(loop, { list: ['one', `${mark}-turn`] }),
          failed: await run(failing, { tenant: `${mark}-47` }),
          called: await run(calling(`http://127.0.0.1:${server.port}`, mark)),
        };
        if (mark === 'indexed') await fillIndex(service.store);
      });
      after(() => server.close());

      const found = async (q: string): Promise<readonly (readonly [id: unknown, found: unknown])[]> =>
        (await search(service, { q })).map((execution) => [execution['id'], execution['found']]);

      it('finds part of a text of the input in any case, and tells the first three places', async () => {
        const excerpt = `INV-7 ${mark}`;
        assert.deepEqual(await found(`v-7 ${mark}`.toUpperCase()), [
          [
            ids['input'],
            [
              { in: 'input', path: 'lines[0].lineId', excerpt },
              inRun('start', 'input.lines[0].lineId', excerpt),
              inRun('start', 'output.lines[0].lineId', excerpt),
            ],
          ],
        ]);
      });

      it('finds messages, and tells the turn of a loop', async () => {
        const excerpt = `Item ${mark}-turn`;
        assert.deepEqual(await found(excerpt), [
          [
            ids['loop'],
            [
              { ...inRun('say', 'message', excerpt), iteration: [1] },
              { ...inRun('say', 'output', excerpt), iteration: [1] },
              inRun('all', 'output[1]', excerpt),
            ],
          ],
        ]);
      });

      it('finds errors', async () => {
        const excerpt = `Quota of ${mark}-47`;
        assert.deepEqual(await found(excerpt), [
          [ids['failed'], [{ in: 'error', path: 'message', excerpt }, inRun('stop', 'message', excerpt)]],
        ]);
      });

      for (const [part, q, path] of [
        ['the address', 'path', 'request.url'],
        ['the body', 'body', 'request.body.sent'],
        ['a header of the response', 'header', 'output.headers.x-answer'],
        ['the body of the response', 'answer', 'output.body.note'],
      ] as const)
        it(`finds ${part} of a request`, async () => {
          const [[id, places] = []] = await found(`${mark}-${q}`);
          assert.equal(id, ids['called']);
          const paths = (places as readonly JsonObject[]).map((place) => place['path']);
          assert(paths.includes(path), JSON.stringify(places));
        });

      it('finds a number as it was written', async () => {
        const [[, places] = []] = await found('34567890.50');
        assert.equal(at(places as JsonObject[], 0, 'excerpt'), '12345678901234567890.50');
      });

      it('finds no name of a member, no word of JSON and no text across two values', async () => {
        for (const q of ['lineId', 'null', `one","${mark}`]) assert.deepEqual(await found(q), [], q);
      });

      it('finds nothing else', async () => assert.deepEqual(await found(`${mark}-nothing`), []));
    });

  it('goes with the other filters, for all executions or those of a workflow', async () => {
    const text = 'filtered-text';
    const workflowId = await createDeployed(service, failing);
    const failed = await execute(service, workflowId, { tenant: text });
    await followUntil(service, failed, ({ status }) => status === 'failed');
    const { executionId: other } = await runToEnd(service, pass, { text });
    const of = (query: Readonly<Record<string, string>>) => idsOf(service, { q: text, ...query });
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await of({}), [other, failed]);
      assert.deepEqual(await of({ status: 'completed' }), [other]);
      assert.deepEqual(await of({ workflowId }), [failed]);
      assert.deepEqual(await of({ errorCode: 'node_failed' }), [failed]);
      assert.deepEqual(await of({ errorCode: 'node' }), []);
      assert.deepEqual(await of({ nodeId: 'stop' }), [failed]);
      assert.deepEqual(await of({ nodeId: 'start' }), []);
      assert.deepEqual(await of({ minDurationMs: '0' }), [other, failed]);
      assert.deepEqual(await of({ minDurationMs: '3600000' }), []);
      assert.deepEqual(await of({ kind: 'draft' }), []);
      assert.deepEqual(await of({ startedAfter: '2000-01-01T00:00:00Z' }), [other, failed]);
      assert.deepEqual(await of({ startedBefore: '2000-01-01T00:00:00Z' }), []);
      const path = `/v1/workflows/${workflowId}/executions?q=${text}`;
      assert.equal(at((await call(service, 'GET', path)).body, 'data', 0, 'id'), failed);
      await fillIndex(service.store);
    }
  });

  it('finds a failure without a text, and says no place then', async () => {
    const { executionId } = await runToEnd(service, failing, { tenant: 'alone' });
    const [first] = await search(service, { errorCode: 'node_failed', nodeId: 'stop' });
    assert.equal(first?.['id'], executionId);
    assert.equal('found' in first, false);
  });

  it('finds what an execution that still runs has recorded', async () => {
    const rest = chain(['start', 'trigger'], ['rest', 'delay', { milliseconds: 600_000 }]);
    const id = await execute(service, await createDeployed(service, rest), { note: 'under way' });
    await followUntil(service, id, ({ status }) => status === 'waiting');
    assert.deepEqual(await idsOf(service, { q: 'under way' }), [id]);
    await call(service, 'POST', `/v1/executions/${id}/cancel`);
    assert.deepEqual(await idsOf(service, { q: 'under way' }), [id]);
    await fillIndex(service.store);
    assert.deepEqual(await idsOf(service, { q: 'under way', status: 'cancelled' }), [id]);
  });
});

describe('A search among a great many executions', () => {
  const count = 50_000;
  let dataFolder = '';
  let service: TestService;
  before(async () => {
    dataFolder = await createDataFolder();
    const path = join(dataFolder, 'service.db');
    service = await createTestService({ path, requestsPerMinute: 100_000 });
    const time = "'2026-01-01T00:00:00.000Z'";
    await queryStorage(
      path,
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
       INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, started_at, completed_at, error, input)
       SELECT 'exec_' || number, 'wf_1', 'evt_1', 'failed', 'api', ${time}, ${time}, ${time}, '{"code":"usual","message":"No."}', '{}' FROM numbers`,
    );
    await queryStorage(path, 'INSERT INTO search_queue (position) SELECT position FROM executions');
  });
  after(async () => {
    await service.dispose();
    await removeDataFolder(dataFolder);
  });

  for (const [what, query] of [
    ['another error', 'errorCode=rare'],
    ['a long duration', 'minDurationMs=1000'],
    ['a text in another workflow', 'q=usual&workflowId=wf_2'],
  ] as const)
    it(`for ${what} ends a page before it has looked at all of them`, async () => {
      const { body } = await call(service, 'GET', `/v1/executions?${query}`);
      assert.deepEqual(body['data'], []);
      assert.equal(typeof body['nextCursor'], 'string');
    });
});
