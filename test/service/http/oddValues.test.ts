// Numbers and IDs that a database could interpret in its own way get the same response, whichever database it is.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, call, chain, listAt, openStream, runToEnd, textAt } from '../calls.ts';

const numbers = [
  '2147483647',
  '2147483648',
  '4294967296',
  '999999999999999',
  '9007199254740993',
  '18446744073709551616',
  '-1',
  '1e3',
  '0x10',
  '٣',
] as const;
const isCount = (text: string): boolean => /^\d{1,15}$/.test(text);
const cursorOf = (list: string, position: string): string =>
  Buffer.from(`${list}:${position}`).toString('base64url');

describe('The response to odd values', () => {
  let service: TestService;
  let executionId = '';
  let workflowId = '';
  let eventId = '';
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
    ({ executionId, workflowId } = await runToEnd(service, chain(['start', 'trigger'])));
    eventId = textAt((await call(service, 'GET', '/v1/portal/events')).body, 'data', 0, 'id');
  });
  after(() => service.dispose());

  const logs = (query: string) => `/v1/executions/${executionId}/logs?${query}`;
  const cursors: Readonly<Record<string, readonly [list: string, path: (cursor: string) => string]>> = {
    workflows: ['workflows', (cursor) => `/v1/workflows?cursor=${cursor}`],
    executions: ['executions', (cursor) => `/v1/executions?cursor=${cursor}`],
    'executions by their start': [
      'executions',
      (cursor) => `/v1/executions?startedAfter=2026-01-01&cursor=${cursor}`,
    ],
    'executions of a workflow': [
      'executions',
      (cursor) => `/v1/workflows/${workflowId}/executions?cursor=${cursor}`,
    ],
    logs: ['logs', (cursor) => logs(`cursor=${cursor}`)],
    'logs of a node': ['logs', (cursor) => logs(`nodeId=start&cursor=${cursor}`)],
    events: ['events', (cursor) => `/v1/portal/events?cursor=${cursor}`],
    'events after one': ['eventsAfter', (cursor) => `/v1/portal/events?after=${eventId}&cursor=${cursor}`],
  };

  for (const number of numbers) {
    const value = encodeURIComponent(number);
    it(`is 200 or 400 for ${number} wherever a list takes a number`, async () => {
      for (const [name, [list, pathOf]] of Object.entries(cursors)) {
        const { status, text } = await call(service, 'GET', pathOf(cursorOf(list, number)));
        assert.equal(status, isCount(number) ? 200 : 400, `${name}: ${text}`);
      }
      for (const query of [`after=${value}`, `nodeId=start&after=${value}`]) {
        const { status, text } = await call(service, 'GET', logs(query));
        assert.equal(status, isCount(number) ? 200 : 400, `${query}: ${text}`);
      }
      for (const path of ['/v1/workflows', '/v1/executions', '/v1/portal/events', logs('').slice(0, -1)])
        assertRefused(await call(service, 'GET', `${path}?limit=${value}`), 400, 'invalid_request');
      const stream = await openStream(service, logs(`after=${value}`));
      assert.equal(stream.status, isCount(number) ? 410 : 400);
      if (/^[\x20-\x7e]*$/.test(number)) {
        const resumed = await openStream(service, logs('').slice(0, -1), { 'Last-Event-ID': number });
        assert.equal(resumed.status, isCount(number) ? 410 : 400);
      }
      const versions = Number.isNaN(Number(number)) ? [number] : [number, Number(number)];
      for (const version of versions)
        assertRefused(
          await call(service, 'PATCH', `/v1/workflows/${workflowId}`, { version }),
          409,
          'version_conflict',
        );
    });
  }

  it('is an error for times that do not exist', async () => {
    for (const time of ['0000-01-01', '9999-12-31T23:59:59.999Z', '1969-12-31', '2028-02-29'])
      for (const name of ['startedAfter', 'startedBefore']) {
        const { status } = await call(service, 'GET', `/v1/executions?${name}=${time}`);
        assert.equal(status, 200, time);
      }
    for (const time of ['2026-13-01', '2026-02-30', '99999-01-01', '+275760-09-13'])
      assertRefused(
        await call(service, 'GET', `/v1/executions?startedAfter=${time}`),
        400,
        'invalid_request',
      );
  });

  it('has everything for times before and after all years that a timestamp has', async () => {
    for (const query of ['startedAfter=0000-01-01T00:00%2B01:00', 'startedBefore=9999-12-31T23:59:59-05:00'])
      assert.notDeepEqual(
        listAt((await call(service, 'GET', `/v1/executions?${query}`)).body, 'data'),
        [],
        query,
      );
  });

  const send = (body: JsonObject) => call(service, 'POST', '/v1/portal/events', { type: 'odd', ...body });
  for (const [name, odd] of [
    ['U+0000', 'a\0'],
    ['half a surrogate pair', 'a\ud800'],
    ['the other half', '\udc00a'],
  ] as const)
    it(`is 422 for an id with ${name}`, async () => {
      for (const body of [{ id: odd }, { workflowId: odd }]) {
        const refused = await send(body);
        assertRefused(refused, 422, 'validation_failed');
        assert.match(
          textAt(refused.body, 'error', 'message'),
          /must be valid Unicode without the character U\+0000\.$/,
        );
      }
      const definition = chain(['start', 'trigger'], [odd, 'output', { expression: '1' }]);
      const { body } = await call(service, 'POST', '/v1/workflows', definition);
      const deployed = await call(service, 'POST', `/v1/workflows/${textAt(body, 'id')}/deploy`);
      assertRefused(deployed, 422, 'workflow_invalid');
    });

  it('distinguishes values that only look alike', async () => {
    const ids = ['a', 'a\ufffd', 'a ', 'A', 'a\u0301', 'á', '𝒶'];
    const stored = await Promise.all(ids.map(async (id) => textAt((await send({ id })).body, 'eventIds', 0)));
    assert.equal(new Set(stored).size, ids.length);
  });

  it('is empty for IDs with U+0000 that do not exist', async () => {
    for (const query of ['workflowId=a%00', 'eventId=a%00'])
      assert.deepEqual(listAt((await call(service, 'GET', `/v1/executions?${query}`)).body, 'data'), []);
    assert.deepEqual(listAt((await call(service, 'GET', logs('nodeId=a%00'))).body, 'data'), []);
    for (const path of ['/v1/workflows/a%00', '/v1/executions/a%00', '/v1/executions/a%00/output'])
      assert.equal((await call(service, 'GET', path)).status, 404);
  });
});
