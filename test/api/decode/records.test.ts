// Workflows, executions, events and keys of services that chose other names are read all the same.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { decodeExecution, decodeRunError, decodeTriggered } from '../../../src/api/decode/execution.ts';
import { decodeWorkflow } from '../../../src/api/decode/workflow.ts';
import { decodeApiKey } from '../../../src/api/decode/settings.ts';
import { decodePortalEvent, decodeStreamedPortalEvent } from '../../../src/api/decode/portalEvent.ts';

describe('workflow', () => {
  const deployed: readonly (readonly [JsonObject, boolean | null])[] = [
    [{ isDeployed: true }, true],
    [{ is_deployed: false, status: 'active' }, false],
    ...['deployed', 'active', 'isActive', 'published', 'enabled', 'on'].map(
      (name) => [{ [name]: true }, true] as const,
    ),
    [{ isPaused: true }, false],
    [{ isPaused: false }, true],
    [{ status: 'Published' }, true],
    [{ status: 'draft' }, false],
    [{ publishStatus: 'live' }, true],
    [{ deployedAt: '2026-01-05T10:00:00Z' }, true],
    [{ activeVersion: 3 }, true],
    [{ deployedAt: null }, null],
    [{}, null],
  ];
  for (const [fields, expected] of deployed)
    it(`reads ${JSON.stringify(fields)} as ${expected === null ? 'not told' : String(expected)}`, () =>
      assert.equal(decodeWorkflow({ id: 'w', ...fields })?.isDeployed, expected));

  const definitions: readonly (readonly [JsonObject, boolean])[] = [
    [{ nodes: [], edges: [] }, true],
    [{ nodes: [], connections: {} }, true],
    ...['definition', 'graph', 'canvas', 'config', 'state', 'data'].map(
      (name) => [{ [name]: { nodes: [], edges: [] } }, true] as const,
    ),
    [{ yaml: 'nodes: []' }, true],
    [{ nodes: [] }, false],
    [{ state: 'active' }, false],
  ];
  for (const [fields, expected] of definitions)
    it(`${JSON.stringify(fields)} ${expected ? 'carries' : 'does not carry'} the definition`, () =>
      assert.equal(decodeWorkflow({ id: 'w', ...fields })?.hasDefinition, expected));

  for (const name of ['id', 'workflowId', 'workflow_id', '_id', 'uuid', 'key'])
    it(`takes the id from ${name}`, () => assert.equal(decodeWorkflow({ [name]: 7, title: 'T' })?.id, '7'));

  it('keeps unknown members', () => {
    const raw = { id: 'w', name: 'N', teamColour: 'red', nodes: [{ x: 1 }], edges: [] };
    assert.deepEqual(decodeWorkflow({ data: raw })?.raw, raw);
  });

  it('is nothing without an id', () => {
    for (const value of [{}, { name: 'N' }, null, 'text', 4, []])
      assert.equal(decodeWorkflow(value), undefined);
  });
});

describe('execution', () => {
  it('reads the contract record', () => {
    const reading = decodeExecution({
      id: 'exec_1',
      workflowId: 'wf_1',
      eventId: 'evt_1',
      status: 'failed',
      trigger: 'api',
      input: { a: 1 },
      error: { code: 'node_failed', message: 'Boom', nodeId: 'n2' },
      createdAt: '2026-01-05T10:00:00.000Z',
      startedAt: '2026-01-05T10:00:01.000Z',
      completedAt: '2026-01-05T10:00:02.500Z',
      durationMs: 1500,
    });
    assert.equal(reading?.status.state, 'failed');
    assert.deepEqual(reading.eventIds, ['evt_1']);
    assert.deepEqual(reading.error, { code: 'node_failed', message: 'Boom', nodeId: 'n2' });
    assert.equal(reading.durationMs, 1500);
    assert.deepEqual(reading.input, { a: 1 });
    assert.equal(reading.output, undefined);
  });

  it('reads what it comes from, and takes nothing for told where a service has none of it', () => {
    const origin = { kind: 'draft', retryOf: 'exec_1', basedOn: 'exec_2', workflowVersionId: 'v1' };
    const told = { ...origin, cancelRequested: true };
    const read = (record: JsonObject) => {
      const { kind, retryOf, basedOn, definitionVersion, isCancelRequested } =
        decodeExecution({ id: 'e', ...record }) ?? {};
      return [kind, retryOf, basedOn, definitionVersion, isCancelRequested];
    };
    assert.deepEqual(read(told), ['draft', 'exec_1', 'exec_2', 'v1', true]);
    assert.deepEqual(read({}), ['deployed', null, null, null, false]);
    assert.deepEqual(read({ kind: 'job', retryOf: null, cancelRequested: 'no' }), [
      'deployed',
      null,
      null,
      null,
      false,
    ]);
  });

  it('reads another service in snake case', () => {
    const reading = decodeExecution({
      run_id: 12,
      workflow: { id: 'w' },
      trigger: { event_ids: ['e'], type: 'api' },
      state: 'SUCCESS',
      run_started_at: 1767607200,
      end_time: '1767607201',
      conf: '{"a":1}',
      final_output: '{"b":2}',
      output_type: 'application/json',
    });
    assert.equal(reading?.id, '12');
    assert.equal(reading.workflowId, 'w');
    assert.deepEqual(reading.eventIds, ['e']);
    assert.equal(reading.trigger, 'api');
    assert.equal(reading.durationMs, 1000);
    assert.deepEqual(reading.input, { a: 1 });
    assert.deepEqual(reading.output, { b: 2 });
  });

  const errors: readonly (readonly [JsonValue | undefined, string | null, string | null])[] = [
    ['Boom', 'Boom', null],
    [{ error: 'Boom', name: 'E' }, 'Boom', 'E'],
    [{ detail: 'Boom' }, 'Boom', null],
    [{ why: 1 }, '{"why":1}', null],
    ['', null, null],
    [null, null, null],
    [undefined, null, null],
  ];
  for (const [value, message, code] of errors)
    it(`reads the error ${JSON.stringify(value)}`, () => {
      assert.equal(decodeRunError(value)?.message ?? null, message);
      assert.equal(decodeRunError(value)?.code ?? null, code);
    });
});

describe('trigger', () => {
  const context = { workflowId: 'wf_1', runIdHeader: null, locationHeader: null, dateHeader: null };
  const rows: readonly (readonly [JsonValue | undefined, readonly string[], readonly string[]])[] = [
    [{ workflowId: 'wf_1', eventIds: ['e'], status: 'triggered' }, ['e'], []],
    [{ eventIds: ['e'], executionIds: ['x'] }, ['e'], ['x']],
    [{ data: { ids: ['e'] } }, ['e'], []],
    [{ events: [{ id: 'e' }] }, ['e'], []],
    [{ event_id: 'e', run_id: 'x' }, ['e'], ['x']],
    [{ workflowRunId: 'x' }, [], ['x']],
    [{ jobId: 3 }, [], ['3']],
    [{ id: 'x' }, [], ['x']],
    [{ id: 'wf_1' }, [], []],
    ['x', [], ['x']],
    [undefined, [], []],
  ];
  for (const [body, eventIds, executionIds] of rows)
    it(`reads ${JSON.stringify(body)}`, () => {
      const reading = decodeTriggered(body, context);
      assert.deepEqual(reading.eventIds, eventIds);
      assert.deepEqual(reading.executionIds, executionIds);
      assert.equal(reading.workflowId, 'wf_1');
      assert.equal(reading.status, 'triggered');
    });

  it('reads the headers', () => {
    const date = 'Mon, 05 Jan 2026 10:00:00 GMT';
    const run = decodeTriggered(undefined, { ...context, runIdHeader: 'x', dateHeader: date });
    assert.deepEqual(run.executionIds, ['x']);
    assert.equal(run.respondedAt?.toISOString(), '2026-01-05T10:00:00.000Z');
    const location = decodeTriggered(
      {},
      { ...context, locationHeader: 'https://s.example/v1/executions/e%201?a=b' },
    );
    assert.deepEqual(location.executionIds, ['e 1']);
    assert.deepEqual(
      decodeTriggered({}, { ...context, locationHeader: '/v1/workflows/wf_1' }).executionIds,
      [],
    );
  });
});

describe('surroundings', () => {
  it('reads portal events by any name', () => {
    const raw = { event_id: 'e', kind: 'portal.x', time: 0, payload: { workflow_id: 7 } };
    assert.deepEqual(decodePortalEvent(raw), {
      key: 'e',
      id: 'e',
      type: 'portal.x',
      timestamp: new Date(0),
      workflowId: '7',
      executionId: null,
      nodeName: null,
      iteration: [],
      data: { workflow_id: 7 },
      raw,
    });
    assert.deepEqual(decodePortalEvent({ a: 1 })?.data, { a: 1 });
    assert.equal(decodePortalEvent('x'), undefined);
  });

  it('reads what only a stream gives a name to', () => {
    const named = decodeStreamedPortalEvent({ a: 1 }, 'portal.x');
    assert.deepEqual([named.type, named.data, named.id], ['portal.x', { a: 1 }, null]);
    const text = decodeStreamedPortalEvent('hello', undefined);
    assert.deepEqual([text.type, text.data], ['unknown', 'hello']);
    const other = decodeStreamedPortalEvent('hello again', undefined);
    assert.notEqual(text.key, other.key);
  });

  for (const name of ['preview', 'maskedKey', 'display_key', 'keyPrefix', 'prefix'])
    it(`reads a key's ${name}`, () =>
      assert.equal(decodeApiKey({ id: 'k', name: 'CI', [name]: 'svc_sk_ab…' })?.preview, 'svc_sk_ab…'));
});
