// Whatever a service says becomes a record or a ServiceError, and takes no longer than it is long.
import assert from 'node:assert/strict';
import { decodeTriggered } from '../../src/api/decode/execution.ts';
import { decodeNodeLog, logRows } from '../../src/api/decode/nodeLog.ts';
import { readNextCursor } from '../../src/api/decode/nextPage.ts';
import { decodeStatusWord } from '../../src/api/decode/status.ts';
import { parseTime } from '../../src/api/decode/fields.ts';
import type { JsonValue } from '../../src/base/json.ts';
import { kindOf, reasonOf } from '../support/reasons.ts';
import { createScriptedClient } from '../support/scriptedClient.ts';
import { decodeStreamedPortalEvent } from '../../src/api/decode/portalEvent.ts';

const origin = { url: 'https://service.example/v1/workflows', cursor: undefined };
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const json = { 'content-type': 'application/json' };

describe('hostile responses', () => {
  it('a Link header takes no longer than it is long', function () {
    this.timeout(5000);
    const long = ' '.repeat(200_000);
    const headers = [`<a>; rel=${long}x`, `<a>;${long}rel`, '<a>; rel="'.repeat(20_000), `${long}<a>${long}`];
    for (const linkHeader of headers) assert.equal(readNextCursor({}, 1, { ...origin, linkHeader }), null);
  });

  it('a number of any length is no time', function () {
    this.timeout(5000);
    assert.equal(parseTime('9'.repeat(16_000_000)), null);
    assert.equal(parseTime(1.7e308), null);
  });

  it('a place that is badly encoded tells nothing', () => {
    const context = { workflowId: 'w', runIdHeader: null, dateHeader: null };
    const trigger = decodeTriggered({}, { ...context, locationHeader: '/executions/%E0%A4%A' });
    assert.deepEqual(trigger.executionIds, []);
  });

  it('ids without number are cut off', () => {
    const eventIds = Array.from({ length: 100_000 }, (_none, index) => `e${index}`);
    const context = { workflowId: 'w', runIdHeader: null, locationHeader: null, dateHeader: null };
    assert.equal(decodeTriggered({ eventIds }, context).eventIds.length, 1000);
  });

  it('a row counts only by what can be counted by', () => {
    const row = { nodeId: 'n', sequence: 1e308, attempt: -3, iteration: [0, 1.5, 1e300, -1, 2] };
    const reading = decodeNodeLog({ ...row, durationMs: 1e200 }, 0);
    assert.deepEqual(
      [reading?.sequence, reading?.attempt, reading?.iteration, reading?.durationMs],
      [null, 1, [0, 2], null],
    );
  });

  it('a status is a word', () => assert.equal(decodeStatusWord('x'.repeat(1_000_000)).word.length, 100));

  it('an event without an id is told by a short key', () =>
    assert.ok(decodeStreamedPortalEvent({ type: 't', data: 'x'.repeat(1_000_000) }).key.length < 100));

  it('lists within lists are laid out at the cost of their rows', function () {
    this.timeout(5000);
    const rows: JsonValue = Array.from({ length: 300_000 }, () => ({ nodeId: 'n' }));
    let body: JsonValue = rows;
    for (let depth = 0; depth < 30; depth += 1) body = [body, body.length === 1 ? 0 : 1];
    assert.equal(logRows(body)?.length, 300_000);
    assert.deepEqual(logRows(JSON.parse(nested(150)) as JsonValue), []);
  });

  it('lines without number are read up to a hundred thousand', async () => {
    const { client, logged } = createScriptedClient(() => ({
      headers: { 'content-type': 'text/plain' },
      body: 'a\n'.repeat(300_000),
    }));
    assert.equal((await client.executions.logs('x', {})).rows.length, 100_000);
    assert.ok(logged.includes('warn 200000 of 300000 rows could not be read and were left out.'));
  });

  for (const depth of [201, 5000, 100_000])
    it(`an answer nested ${depth} deep cannot be understood`, async () => {
      const body = `{"id":"x","output":${nested(depth)}}`;
      const { client } = createScriptedClient(() => ({ headers: json, body }));
      const calls = [
        client.executions.get('x'),
        client.executions.list({}),
        client.executions.logs('x', {}),
        client.workflows.get('x'),
        client.workflows.execute('x', {}),
        client.portalEvents.list({}),
      ];
      for (const call of calls)
        assert.deepEqual(await reasonOf(call), { kind: 'unreadable', cause: 'tooDeep' });
    });

  it('an id that no address can hold is not found', async () => {
    const { client, requests } = createScriptedClient(() => ({ body: {} }));
    for (const id of ['.', '..', '', '\ud800'])
      assert.equal(await kindOf(client.workflows.get(id)), 'notFound');
    assert.equal(requests.length, 0);
  });

  it('a request id that holds the key or is long is not kept', async () => {
    const { client } = createScriptedClient((_path, { headers }) => ({
      status: 400,
      headers: { 'x-request-id': `${headers['Authorization'] ?? ''} ${'x'.repeat(5000)}` },
    }));
    await assert.rejects(client.workflows.list({}), (error) => {
      assert.ok(error instanceof Error && 'requestId' in error && typeof error.requestId === 'string');
      assert.match(error.requestId, /^Bearer \[redacted/);
      return error.requestId.length <= 200;
    });
  });
});
