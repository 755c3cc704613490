// One execution may have so many iterations and store so many bytes, whether the service is restarted meanwhile or not.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { mebibyte } from '../../../src/service/engine/limits.ts';
import { EngineFigures } from '../../../src/service/metrics/engineFigures.ts';
import { renderFamilies } from '../../../src/service/metrics/families.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { openTestStorage, queryStorage } from '../../support/storage.ts';
import {
  at,
  call,
  chain,
  claimOne,
  createDeployed,
  execute,
  follow,
  followUntil,
  runToEnd,
  textAt,
} from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

type Rows = readonly JsonObject[];

/** A loop in a loop, over `input.outer` and `input.inner`; the outer loop waits for `input.wait` in its second iteration. */
const nested = {
  name: 'Loops',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'outer', type: 'forEach', config: { items: 'input.outer' } },
    { id: 'wait', type: 'delay', config: { milliseconds: '{{ index = 1 ? input.wait : 0 }}' } },
    { id: 'inner', type: 'forEach', config: { items: 'input.inner' }, retry: { maximumAttempts: 3 } },
    { id: 'say', type: 'log', config: { message: 'Here' } },
  ],
  edges: [
    { source: 'start', target: 'outer' },
    { source: 'outer', target: 'wait', branch: 'each' },
    { source: 'wait', target: 'inner' },
    { source: 'inner', target: 'say', branch: 'each' },
  ],
};

/** Nodes that store a value of 300 kB each; `letters` are the values. */
function large(letters: string): JsonObject {
  const nodes = Array.from(letters).map(
    (letter, index) => [`n${index}`, 'transform', { expression: `$pad("", 300000, "${letter}")` }] as const,
  );
  const definition = chain(['start', 'trigger'], ...nodes);
  const retry = { maximumAttempts: 3, initialDelayMs: 1 };
  return { ...definition, nodes: chainNodes(definition).map((node) => ({ ...node, retry })) };
}

function chainNodes(definition: JsonObject): Rows {
  const nodes = definition['nodes'];
  assert.ok(Array.isArray(nodes));
  return nodes as Rows;
}

const said = (rows: Rows) => rows.filter(({ message }) => message === 'Here').length;
const failures = (rows: Rows) =>
  rows
    .filter((row) => row['status'] === 'failed')
    .map((row) => [row['nodeId'], row['attempt'], row['message']]);

describe('One execution', () => {
  let dataFolder = '';
  let path = '';
  let service: TestService;
  const figures = new EngineFigures();
  const open = async (iterations: number, bytes = 1024 * mebibyte) => {
    service = await createTestService({
      path,
      requestsPerMinute: 10_000,
      limits: { iterations, bytes },
      watch: figures,
    });
  };
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    path = join(dataFolder, 'service.db');
  });
  afterEach(async () => {
    await service.dispose();
    await removeDataFolder(dataFolder);
  });

  const limited = (limit: string) => {
    const name = 'workflow_automation_executions_limited_total';
    const text = renderFamilies(figures.families());
    return Number(new RegExp(`^${name}\\{limit="${limit}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };

  const beyond = (count: string, limit: string) =>
    `With this loop, the loops of this execution would have ${count} iterations. The limit for one execution is ${limit}. Spread the items over several executions, or start the service with a higher --max-iterations.`;

  it('fails at the loop with which its loops have too many iterations, and keeps what they did before', async () => {
    await open(10);
    const before = limited('iterations');
    const { result, rows } = await runToEnd(service, nested, {
      outer: [1, 2, 3],
      inner: [1, 2, 3, 4],
      wait: 0,
    });
    assert.deepEqual(result['error'], {
      code: 'too_many_iterations',
      message: beyond('11', '10'),
      nodeId: 'inner',
    });
    assert.equal(said(rows), 4);
    assert.deepEqual(failures(rows), [
      ['inner', 1, beyond('11', '10')],
      ['outer', 1, `Failed in iteration 2 of 3: ${beyond('11', '10')}`],
    ]);
    assert.equal(
      at(
        rows.find((row) => row['status'] === 'failed'),
        'error',
        'code',
      ),
      'too_many_iterations',
    );
    assert.equal(limited('iterations'), before + 1);
  });

  it('may have as many iterations as the limit says', async () => {
    await open(15);
    const { result, rows } = await runToEnd(service, nested, {
      outer: [1, 2, 3],
      inner: [1, 2, 3, 4],
      wait: 0,
    });
    assert.equal(result['status'], 'completed');
    assert.equal(said(rows), 12);
  });

  it('begins no loop that would have too many by itself', async () => {
    await open(1000);
    const outer = Array.from({ length: 1001 }, () => 1);
    const { rows } = await runToEnd(service, nested, { outer, inner: [], wait: 0 });
    assert.deepEqual(failures(rows), [['outer', 1, beyond('1,001', '1,000')]]);
    assert.deepEqual(new Set(rows.map((row) => row['nodeId'])), new Set(['start', 'outer']));
  });

  it('continues its count after a restart', async () => {
    await open(10);
    const workflowId = await createDeployed(service, nested);
    const input = { outer: [1, 2, 3], inner: [1, 2], wait: 60_000 };
    const executionId = await execute(service, workflowId, input);
    await followUntil(service, executionId, (row) => row['message'] === 'Waiting 60000 ms.');
    await service.dispose();
    await queryStorage(path, 'UPDATE node_runs SET wake_at = 1 WHERE wake_at > 1');
    await queryStorage(path, `UPDATE executions SET available_at = 0 WHERE completed_at IS NULL`);
    await open(8);
    const rows = await follow(service, executionId);
    assert.deepEqual(failures(rows)[0], ['inner', 1, beyond('9', '8')]);
    assert.equal(said(rows), 4);
  });

  it('is counted once by a write that is repeated because its response was lost', async () => {
    await open(10);
    const { store } = await openTestStorage({ now: systemClock.now, logger: silentLogger });
    const definition = { nodes: [], edges: [], settings: {} };
    const { executions } = store;
    const triggered = await executions.trigger({ workflowId: 'none', definition, input: '{}' });
    assert.ok(triggered.kind === 'created');
    const executionId = triggered.execution.id;
    const claimed = await claimOne(executions);
    assert.ok(claimed);
    const { claim } = claimed;
    const turn = { executionId, nodeId: 'all', nodeName: 'All', nodeType: 'forEach', iteration: [] };
    const options = { input: '{}', canResume: true, isNew: true, maximumAttempts: 1, now: 0 };
    const begin = () => executions.write(claim, (writer) => writer.begin(turn, options));
    const start = await begin();
    assert.ok(start.kind === 'started');
    assert.deepEqual(start.use, { iterations: 0, bytes: 0 });
    const items = Array.from({ length: 3 }, () => JSON.stringify('x'.repeat(1000)));
    const keep = () => executions.write(claim, (writer) => writer.keepItems(start.run, items, 'Items'));
    await keep();
    const once = await begin();
    await keep();
    const twice = await begin();
    assert.ok(once.kind === 'resumed' && twice.kind === 'resumed');
    assert.equal(once.use.iterations, 3);
    assert.ok(once.use.bytes > 3000, String(once.use.bytes));
    assert.deepEqual(twice.use, once.use);
    await store.close();
  });

  it('runs no node once its values have too many bytes, and keeps the values', async () => {
    await open(10, mebibyte);
    const before = limited('bytes');
    const { executionId, result, rows } = await runToEnd(service, large('abcdefg'));
    const message =
      "This node didn't run, as the execution has already stored 1 MiB of values and log lines. The limit for one execution is 1 MiB. Spread the work over several executions, or start the service with a higher --max-mebibytes.";
    assert.deepEqual(result['error'], { code: 'too_many_bytes', message, nodeId: 'n4' });
    assert.deepEqual(failures(rows), [['n4', 1, message]]);
    const kept = rows.filter((row) => row['status'] === 'completed');
    assert.deepEqual(
      kept.map((row) => row['nodeId']),
      ['start', 'n0', 'n1', 'n2', 'n3'],
    );
    const last = await call(
      service,
      'GET',
      `/v1/executions/${executionId}/logs/${textAt(kept.at(-1), 'id')}`,
    );
    assert.equal(textAt(last.body, 'output'), 'd'.repeat(300_000));
    assert.equal(limited('bytes'), before + 1);
  });

  it('may store the same value again and again', async () => {
    await open(10, mebibyte);
    const { result } = await runToEnd(service, large('aaaaaaaa'));
    assert.equal(result['status'], 'completed');
  });

  it('fails by the lines of its log alone, and its count of bytes survives a restart', async () => {
    await open(100_000, mebibyte);
    const configs: Partial<Record<string, JsonObject>> = {
      inner: { result: 'index' },
      say: { message: '{{ $pad("", 100000, "x") }}' },
    };
    const workflowId = await createDeployed(service, {
      ...nested,
      nodes: nested.nodes.map((node) => ({ ...node, config: { ...node.config, ...configs[node.id] } })),
    });
    const input = { outer: [1, 2, 3], inner: [1, 2, 3, 4, 5, 6], wait: 60_000 };
    const executionId = await execute(service, workflowId, input);
    await followUntil(service, executionId, (row) => row['message'] === 'Waiting 60000 ms.');
    await service.dispose();
    await queryStorage(path, 'UPDATE node_runs SET wake_at = 1 WHERE wake_at > 1');
    await queryStorage(path, `UPDATE executions SET available_at = 0 WHERE completed_at IS NULL`);
    await open(100_000, mebibyte);
    const rows = await follow(service, executionId);
    const [first] = rows.filter((row) => row['status'] === 'failed');
    assert.deepEqual([at(first, 'error', 'code'), first?.['nodeId']], ['too_many_bytes', 'say']);
    assert.deepEqual(first?.['iteration'], [1, 4]);
  });
});
