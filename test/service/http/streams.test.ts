// Streams are how people see things happen; every row comes once, in order, whenever the reader came or went (contract section 5).
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { PortalEventSchema } from '../../../src/protocol/records.ts';
import { createPortalEventSource } from '../../../src/service/routes/portalEvents.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import {
  assertRefused,
  call,
  chain,
  createDeployed,
  execute,
  openStream,
  readEvents,
  readToEnds,
  type Row,
  runToEnd,
  textAt,
  toCompleteResponse,
} from '../calls.ts';

const ticking = chain(
  ['start', 'trigger'],
  ...Array.from({ length: 8 }, (_tick, index) => [`tick${index}`, 'delay', { milliseconds: 5 }] as const),
);
const short = chain(['start', 'trigger'], ['answer', 'output', { expression: '1' }]);

describe('Streams', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await createTestService({
      requestsPerMinute: 10_000,
      eventLimits: { count: 50 },
      heartbeatMs: 10,
    });
  });
  afterEach(() => service.dispose());

  const take = async (response: Response, count: number): Promise<Row[]> => {
    const taken: Row[] = [];
    for await (const row of readEvents(response)) if (taken.push(row) === count) break;
    return taken;
  };

  describe('of node logs', () => {
    it('send the backlog and what follows, and end with the execution', async () => {
      const id = await execute(service, await createDeployed(service, ticking), {});
      const response = await openStream(service, `/v1/executions/${id}/logs`);
      assert.equal(response.headers.get('Content-Type'), 'text/event-stream; charset=utf-8');
      assert.equal(response.headers.get('Cache-Control'), 'no-cache, no-transform');
      assert.equal(response.headers.get('X-Accel-Buffering'), 'no');
      const rows = await take(response, Number.POSITIVE_INFINITY);
      const end = rows.pop();
      assert.deepEqual(
        [end?.event, end?.id, end?.data],
        ['end', null, { executionId: id, status: 'completed' }],
      );
      assert.deepEqual(
        rows.map((row) => [row.event, row.id, row.data['sequence']]),
        rows.map((_row, index) => ['log', String(index + 1), index + 1]),
      );
      const kept = await call(service, 'GET', `/v1/executions/${id}/logs?limit=100`);
      assert.deepEqual(
        kept.body['data'],
        rows.map((row) => row.data),
      );
    });

    it('that are dropped again and again resume with nothing lost or doubled', async () => {
      const id = await execute(service, await createDeployed(service, ticking), {});
      const path = `/v1/executions/${id}/logs`;
      const sequences: unknown[] = [];
      for (let isOver = false; !isOver;) {
        const from: Record<string, string> =
          sequences.length === 0 ? {} : { 'Last-Event-ID': String(sequences.at(-1)) };
        const response = await openStream(service, path, from);
        isOver = response.status === 204;
        for (const { event, data } of isOver ? [] : await take(response, 3)) {
          if (event === 'log') sequences.push(data['sequence']);
          else isOver = true;
        }
      }
      assert.deepEqual(
        sequences,
        sequences.map((_sequence, index) => index + 1),
      );
      assert.equal(sequences.length, await service.store.nodeRuns.lastSequence(id));
    });

    it('respond with 204 after the end, 410 for an unknown sequence, 400 for an invalid one', async () => {
      const { executionId, rows } = await runToEnd(service, short);
      const path = `/v1/executions/${executionId}/logs`;
      const resumeAt = (id: string) => openStream(service, path, { 'Last-Event-ID': id });
      assert.equal((await resumeAt(String(rows.length))).status, 204);
      assert.equal((await openStream(service, `${path}?after=${rows.length}`)).status, 204);
      assertRefused(await toCompleteResponse(await resumeAt('999')), 410, 'event_gap');
      assertRefused(await toCompleteResponse(await resumeAt('x')), 400, 'invalid_request');
      assertRefused(
        await toCompleteResponse(await openStream(service, '/v1/executions/none/logs')),
        404,
        'execution_not_found',
      );
      assert.equal((await take(await openStream(service, path), 99)).length, rows.length + 1);
    });

    it('start with the retry time and stay alive with pings', async () => {
      const definition = chain(['start', 'trigger'], ['wait', 'delay', { milliseconds: 60_000 }]);
      const id = await execute(service, await createDeployed(service, definition), {});
      const response = await openStream(service, `/v1/executions/${id}/logs`);
      assert.ok(response.body);
      let text = '';
      for await (const chunk of response.body) {
        text += new TextDecoder().decode(chunk);
        if (text.includes(': ping\n\n')) break;
      }
      assert.match(text, /^retry: 3000\n\n/);
    });

    it('end when the execution is deleted while a reader still reads', async () => {
      const { executionId } = await runToEnd(service, short);
      const response = await openStream(service, `/v1/executions/${executionId}/logs`);
      const events = readEvents(response);
      assert.equal((await events.next()).done, false);
      const keepDrafts = { count: 0, bytes: 0 };
      await service.store.executions.prune({
        before: null,
        draftsBefore: null,
        keep: 0,
        keepDrafts,
        limit: 100,
      });
      const left: unknown[] = [];
      for await (const { event } of events) left.push(event);
      assert.ok(!left.includes('end'), String(left));
      const again = await openStream(service, `/v1/executions/${executionId}/logs`, { 'Last-Event-ID': '1' });
      assert.equal(again.status, 404);
    });

    it('end when the service stops, and cost one request of the limit', async () => {
      const definition = chain(['start', 'trigger'], ['wait', 'delay', { milliseconds: 60_000 }]);
      const id = await execute(service, await createDeployed(service, definition), {});
      const response = await openStream(service, `/v1/executions/${id}/logs`);
      assert.equal(response.headers.get('X-RateLimit-Remaining'), '9996');
      service.endStreams();
      for await (const { event } of readEvents(response)) assert.equal(event, 'log');
    });
  });

  describe('of a key that ends', () => {
    const delayed = chain(['start', 'trigger'], ['wait', 'delay', { milliseconds: 60_000 }]);
    /** Opens one stream of each kind, and reads each until its end; resolves once both have begun. */
    const openBoth = async (key: string) => {
      const id = await execute(service, await createDeployed(service, delayed), {});
      const reader = { app: service.app, key };
      const streams = await Promise.all(
        [`/v1/executions/${id}/logs`, '/v1/portal/events'].map((path) => openStream(reader, path)),
      );
      return { reader, ...(await readToEnds(streams)) };
    };

    it('end when it is revoked; others continue', async () => {
      const { id, key } = await service.store.keys.create('CI', 'never');
      const { reader, ended } = await openBoth(key);
      const other = await openStream(service, '/v1/portal/events?type=portal.after');
      const taking = take(other, 1);
      await service.store.keys.revoke(id);
      await ended;
      assertRefused(
        await toCompleteResponse(await openStream(reader, '/v1/portal/events')),
        401,
        'api_key_revoked',
      );
      await call(service, 'POST', '/v1/portal/events', { type: 'after' });
      assert.equal((await taking)[0]?.event, 'portal.after');
    });

    it('end by themselves when it expires', async () => {
      await service.dispose();
      let now = Date.now();
      service = await createTestService({ now: () => now, heartbeatMs: 10 });
      const { key, expiresAt } = await service.store.keys.create('CI', '30d');
      now = Date.parse(expiresAt ?? '') - 5;
      const { reader, ended } = await openBoth(key);
      now += 5;
      await ended;
      assertRefused(
        await toCompleteResponse(await openStream(reader, '/v1/portal/events')),
        401,
        'api_key_expired',
      );
    });

    it('end when it was revoked before the reader began to read', async () => {
      const { id, key } = await service.store.keys.create('CI', 'never');
      const stream = await openStream({ app: service.app, key }, '/v1/portal/events');
      await service.store.keys.revoke(id);
      await call(service, 'POST', '/v1/portal/events', { type: 'secret' });
      for await (const { event } of readEvents(stream)) assert.fail(`${event} was sent.`);
    });
  });

  describe('of portal events', () => {
    const send = async (type: string, more: object = {}) =>
      textAt((await call(service, 'POST', '/v1/portal/events', { type, ...more })).body, 'eventIds', 0);

    it('send what is published from now on, and resume after an event', async () => {
      await send('before');
      const response = await openStream(service, '/v1/portal/events/stream');
      const taking = take(response, 2);
      const first = await send('one', { data: { a: 1 } });
      const second = await send('two');
      const rows = await taking;
      assert.deepEqual(
        rows.map((row) => [row.id, row.event, v.parse(PortalEventSchema, row.data).id]),
        [
          [first, 'portal.one', first],
          [second, 'portal.two', second],
        ],
      );
      const resumed = await openStream(service, '/v1/portal/events', { 'Last-Event-ID': first });
      assert.deepEqual(
        (await take(resumed, 1)).map((row) => row.id),
        [second],
      );
    });

    it('send only the requested events', async () => {
      const after = await send('start');
      await send('other', { workflowId: 'wf_1' });
      await send('wanted', { workflowId: 'wf_2' });
      const wanted = await send('wanted', { workflowId: 'wf_1' });
      const query = `after=${after}&type=portal.wanted&workflowId=wf_1`;
      const rows = await take(await openStream(service, `/v1/portal/events?${query}`), 1);
      assert.equal(rows[0]?.id, wanted);
      const { body } = await call(service, 'GET', `/v1/portal/events?${query}`);
      assert.deepEqual(body['data'], [rows[0].data]);
    });

    it('respond with 410 when the event to resume after was pruned', async () => {
      const first = await send('first');
      const kept: string[] = [];
      for (let count = 0; count < 50; count += 1) kept.push(await send('more'));
      assertRefused(await call(service, 'GET', `/v1/portal/events?after=${first}`), 410, 'event_gap');
      const stream = await openStream(service, '/v1/portal/events', { 'Last-Event-ID': first });
      assertRefused(await toCompleteResponse(stream), 410, 'event_gap');
      assert.equal((await call(service, 'GET', `/v1/portal/events?after=${kept[0] ?? ''}`)).status, 200);
    });

    it('are read newest first, or ascending after an event, in pages', async () => {
      const ids: string[] = [];
      for (const type of ['a', 'b', 'c', 'd']) ids.push(await send(type));
      const read = async (query: string) => (await call(service, 'GET', `/v1/portal/events?${query}`)).body;
      const idsOf = (body: Awaited<ReturnType<typeof read>>) => [
        textAt(body, 'data', 0, 'id'),
        textAt(body, 'data', 1, 'id'),
      ];
      const newest = await read('limit=2');
      assert.deepEqual(idsOf(newest), [ids[3], ids[2]]);
      assert.deepEqual(idsOf(await read(`limit=2&cursor=${textAt(newest, 'nextCursor')}`)), [ids[1], ids[0]]);
      const ascending = await read(`limit=2&after=${ids[0] ?? ''}`);
      assert.deepEqual(idsOf(ascending), [ids[1], ids[2]]);
      const rest = await read(`limit=2&after=${ids[0] ?? ''}&cursor=${textAt(ascending, 'nextCursor')}`);
      assert.deepEqual([textAt(rest, 'data', 0, 'id'), rest['nextCursor']], [ids[3], null]);
    });

    it('respond with 410 when events were pruned between two pages', async () => {
      const ids: string[] = [];
      for (const type of ['a', 'b', 'c', 'd']) ids.push(await send(type));
      const path = `/v1/portal/events?limit=2&after=${ids[0] ?? ''}`;
      const cursor = textAt((await call(service, 'GET', path)).body, 'nextCursor');
      for (let count = 0; count < 49; count += 1) await send('more');
      assert.equal((await call(service, 'GET', `${path}&cursor=${cursor}`)).status, 200);
      await send('more');
      assertRefused(await call(service, 'GET', `${path}&cursor=${cursor}`), 410, 'event_gap');
    });

    it('end when events are pruned while a page is read', async () => {
      const { portalEvents } = service.store;
      const append = () => portalEvents.append({ type: 'portal.more', data: {} });
      for (let count = 0; count < 50; count += 1) await append();
      const { first } = await portalEvents.range();
      const [next] = (await portalEvents.listAfter({}, first, 1)).items;
      const source = createPortalEventSource(service.store, {}, first);
      const [{ frames, isEnd }] = await Promise.all([source.read(), append(), append(), append()]);
      assert.ok(isEnd || frames[0]?.id === next?.event.id, 'an event was left out');
    });

    it('are accepted once for one ID, and refused when they are invalid', async () => {
      const once = await send('paid', { id: 'stripe-1', data: { amount: 5 } });
      assert.equal(await send('paid', { id: 'stripe-1' }), once);
      const answer = await call(service, 'POST', '/v1/portal/events', { type: 'portal.paid' });
      assert.deepEqual([answer.status, answer.body['status']], [202, 'received']);
      for (const body of [{}, { type: 'a b' }, { type: 'a', data: [] }, { type: 'a', id: '' }])
        assertRefused(await call(service, 'POST', '/v1/portal/events', body), 422, 'validation_failed');
    });
  });
});
