// A process leaves executions to others that need more than it knows.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import type { WorkflowDefinition } from '../../../src/definition/definition.ts';
import { needsOf } from '../../../src/service/engine/needsOf.ts';
import { NodeError } from '../../../src/service/errors.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { commonQueue, knownLevel, queueOf, readQueue } from '../../../src/service/store/needs.ts';
import { databasePath } from '../../../src/protocol/localService/dataFolder.ts';
import { createTestService } from '../../support/service.ts';
import { call, chain, createDeployed, execute, follow, textAt } from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

const start = ['start', 'trigger'] as const;
const plan = { again: [], pinned: {}, iteration: [] };
const definition = {
  nodes: [{ id: 'start', type: 'trigger', name: 'Start', config: {} }],
  edges: [],
  settings: {},
} as const satisfies WorkflowDefinition;

describe('The name of a queue', () => {
  it('contains the needs of its executions and their workflow', () => {
    for (const queue of [
      commonQueue,
      queueOf('wf_1', { level: 1, readsSecrets: false }),
      queueOf('wf/+secrets/1\n', { level: 12, readsSecrets: true }),
    ])
      assert.deepEqual(readQueue(queue.name), queue);
    for (const name of ['', 'other', '1', '1/', 'x/wf', '1+more/wf'])
      assert.equal(readQueue(name), undefined);
  });
});

describe('What an execution needs', () => {
  const sandbox = createSandbox();
  after(() => sandbox.dispose());

  const { signal } = new AbortController();
  const reading = {
    sandbox: sandbox.of('wf_1'),
    secrets: { namesIn: (_text: string, find: () => Promise<readonly string[]>) => find() },
    signal,
  };
  const request = (config: JsonObject): WorkflowDefinition => ({
    ...definition,
    nodes: [...definition.nodes, { id: 'ask', type: 'httpRequest', name: 'Ask', config }],
  });
  const onError = {
    ...request({ url: 'http://a' }),
    edges: [{ source: 'ask', target: 'start', branch: 'error' }],
  };

  for (const [what, execution, level, readsSecrets] of [
    ['a plain one', { definition }, 1, false],
    ['a request', { definition: request({ url: 'http://a/secrets' }) }, 1, false],
    ['the word in a text', { definition: request({ url: 'http://a/{{ "secrets.A" }}' }) }, 1, false],
    ['a secret', { definition: request({ url: 'http://a', headers: { A: '{{ secrets.A }}' } }) }, 2, true],
    ['a query', { definition: request({ url: 'http://a', query: { a: 1 } }) }, 2, false],
    ['an error branch', { definition: onError }, 2, false],
    ['a draft', { definition, kind: 'draft' }, 2, false],
    ['a retry', { definition, retryOf: 'exec_1' }, 2, false],
    ['answers', { definition, kind: 'draft', plan: { ...plan, answers: {} } }, 3, false],
  ] as const)
    it(`is found of ${what}`, async () => {
      assert.deepEqual(await needsOf(execution, reading), { level, readsSecrets });
    });

  it('may be secrets if the templates cannot be checked', async () => {
    const namesIn = () => Promise.reject(new NodeError('too_many_expressions', 'Too much waits.'));
    const execution = { definition: request({ url: 'http://a/secrets' }) };
    assert.deepEqual(await needsOf(execution, { ...reading, secrets: { namesIn } }), {
      level: 2,
      readsSecrets: true,
    });
  });
});

describe('An execution that needs more than a process knows', () => {
  let dataFolder = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  it('waits for a process that knows it', async () => {
    const path = databasePath(dataFolder);
    const queue = queueOf('wf_future', { level: knownLevel + 1, readsSecrets: false });
    const service = await createTestService({ path });
    const ids: string[] = [];
    // Earlier versions put those that they know into the common queue, too.
    for (const name of [queue.name, commonQueue.name]) {
      const given = { workflowId: 'wf_future', definition, input: '{}', queue: { ...queue, name } };
      const result = await service.store.executions.trigger(given);
      assert.ok(result.kind === 'created');
      ids.push(result.execution.id);
    }
    const workflowId = await createDeployed(service, chain(start));
    await follow(service, await execute(service, workflowId, {}));
    await service.dispose();
    const again = await createTestService({ path });
    await follow(again, await execute(again, workflowId, {}));
    for (const id of ids)
      assert.equal((await call(again, 'GET', `/v1/executions/${id}`)).body['status'], 'queued');
    await again.dispose();
    const newer = await createTestService({ path, level: knownLevel + 1 });
    for (const id of ids) {
      await follow(newer, id);
      assert.equal(textAt((await call(newer, 'GET', `/v1/executions/${id}`)).body, 'status'), 'completed');
    }
    await newer.dispose();
  });
});
