// A filter reaches every event that the service keeps, and takes nothing away: not from the list, not from the stream, not from the count.
import assert from 'node:assert/strict';
import type { HttpPort, HttpRequest } from '../../../src/api/http/httpPort.ts';
import { systemClock } from '../../../src/base/time.ts';
import type { PortalEvents } from '../../../src/model/portalEvents/portalEvents.ts';
import {
  hasMore,
  noEventFilter,
  type PortalEventsState,
  shownEvents,
} from '../../../src/model/portalEvents/portalEventsState.ts';
import { createAppPort } from '../../support/appPort.ts';
import { HandClock, settle } from '../../support/memory/ports.ts';
import {
  createPortalEventsWorld,
  type PortalEventsWorld,
  stateWhen,
} from '../../support/portalEventsWorld.ts';
import { createScriptedPort, type ScriptedAnswer } from '../../support/scriptedPort.ts';
import { createTestService, type TestService } from '../../support/service.ts';

const seen = { isVisible: true, isFocused: true };
const hidden = { isVisible: false, isFocused: true };
const isLive = ({ listening }: PortalEventsState): boolean => listening.kind === 'live';
const byType = (type: string) => ({ ...noEventFilter, type });
const shown = ({ state }: PortalEvents) => shownEvents(state.current);

describe('a filter of portal events over the real service', () => {
  let service: TestService;
  let world: PortalEventsWorld;
  let portalEvents: PortalEvents;
  /** The queries of the lists that were asked for. */
  const asked: string[] = [];
  /** Happens before a list is answered. */
  let beforeList: (query: string) => Promise<unknown> = () => Promise.resolve();

  const publish = (type: string, workflowId?: string): Promise<string> =>
    service.store.portalEvents.append({ type, data: workflowId === undefined ? {} : { workflowId } });

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 100_000, eventLimits: { count: 450 } });
    await publish('rare', 'w1');
    for (let number = 0; number < 400; number += 1) await publish(number % 2 === 0 ? 'even' : 'odd');
    const port = createAppPort(service.app);
    const http: HttpPort = async (url, request) => {
      if (request.headers['Accept'] !== 'text/event-stream') {
        asked.push(new URL(url).search);
        await beforeList(new URL(url).search);
      }
      return port(url, request);
    };
    world = createPortalEventsWorld({ http, clock: systemClock });
    ({ portalEvents } = world);
    await world.connect('http://127.0.0.1:4101/v1', service.key);
    portalEvents.setListenMode('always');
    portalEvents.setAttention(seen);
    await stateWhen(portalEvents, isLive);
    asked.length = 0;
    beforeList = () => Promise.resolve();
  });
  afterEach(async () => {
    world.dispose();
    await service.dispose();
  });

  it('finds what was not loaded, by type and by workflow, for one request', async () => {
    const before = portalEvents.state.current.items;
    assert.ok(before.every(({ type }) => type !== 'rare'));
    await portalEvents.setFilter(byType('rare'));
    assert.deepEqual(
      shown(portalEvents).map(({ type }) => type),
      ['rare'],
    );
    await portalEvents.setFilter({ ...noEventFilter, workflowId: 'w1' });
    assert.deepEqual(
      shown(portalEvents).map(({ workflowId }) => workflowId),
      ['w1'],
    );
    assert.deepEqual(asked, ['?type=rare&limit=100', '?workflowId=w1&limit=100']);
    assert.equal(hasMore(portalEvents.state.current), false);
  });

  it('goes back page by page under the filter, each event once, newest first', async () => {
    await portalEvents.setFilter(byType('even'));
    assert.equal(shown(portalEvents).length, 100);
    while (hasMore(portalEvents.state.current)) await portalEvents.loadMore();
    const events = shown(portalEvents);
    assert.equal(new Set(events.map(({ key }) => key)).size, 200);
    assert.ok(events.every(({ type }) => type === 'even'));
    const times = events.map(({ timestamp }) => timestamp?.getTime() ?? 0);
    assert.deepEqual(
      times,
      times.toSorted((one, other) => other - one),
    );
    assert.equal(asked.length, 2);
  });

  it('loses nothing: cleared, the list is what it was and what came meanwhile', async () => {
    const before = portalEvents.state.current;
    await portalEvents.setFilter(byType('rare'));
    const passing = await publish('rare');
    const other = await publish('odd');
    await stateWhen(portalEvents, ({ items }) => items[0]?.id === other);
    assert.deepEqual(
      shown(portalEvents).map(({ id }) => id === passing),
      [true, false],
    );
    await portalEvents.setFilter(noEventFilter);
    const { items, nextCursor } = portalEvents.state.current;
    assert.deepEqual(
      items.map(({ id }) => id),
      [other, passing, ...before.items.map(({ id }) => id)],
    );
    assert.equal(nextCursor, before.nextCursor);
    assert.deepEqual(asked, ['?type=rare&limit=100']);
  });

  it('counts what came whatever the filter, and asks nothing for it', async () => {
    await portalEvents.setFilter(byType('rare'));
    portalEvents.setAttention(hidden);
    const last = [await publish('odd'), await publish('rare')][1];
    const { unread } = await stateWhen(portalEvents, ({ items }) => items[0]?.id === last);
    assert.equal(unread, 2);
    assert.equal(asked.length, 1);
  });

  it('drops the answer to a filter that is no longer set', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    beforeList = (query) => (query.includes('rare') ? promise : Promise.resolve());
    const first = portalEvents.setFilter(byType('rare'));
    assert.equal(portalEvents.state.current.filtered?.status, 'loading');
    await portalEvents.setFilter(byType('odd'));
    resolve(undefined);
    await first;
    assert.ok(shown(portalEvents).every(({ type }) => type === 'odd'));
    assert.equal(portalEvents.state.current.filtered.status, 'loaded');
  });

  it('asks anew when the list begins anew', async () => {
    await portalEvents.setFilter(byType('rare'));
    portalEvents.setListenMode('whenVisible');
    portalEvents.setAttention(hidden);
    const missed = await publish('rare');
    for (let number = 0; number < 150; number += 1) await publish('odd');
    asked.length = 0;
    await portalEvents.refresh();
    assert.deepEqual(asked, ['?limit=100', '?type=rare&limit=100']);
    assert.ok(shown(portalEvents).some(({ id }) => id === missed));
  });

  it('opens an event that only the filter found', async () => {
    await portalEvents.setFilter(byType('rare'));
    const [{ key } = assert.fail()] = shown(portalEvents);
    const target = { connectionId: portalEvents.state.current.connectionId ?? '', key };
    assert.equal((await portalEvents.read(target))?.type, 'rare');
    assert.equal(asked.length, 1);
  });
});

describe('a filter of portal events over odd services', () => {
  let world: PortalEventsWorld | undefined;
  afterEach(() => {
    world?.dispose();
  });

  async function against(answer: (url: URL, request: HttpRequest) => ScriptedAnswer) {
    const { port, requests } = createScriptedPort((url, request) =>
      request.isStream ? { status: 204 } : answer(new URL(url), request),
    );
    const clock = new HandClock();
    world = createPortalEventsWorld({ http: port, clock });
    await world.connect('https://odd.example/v1', 'svc_sk_odd0123456789');
    world.portalEvents.setAttention(seen);
    await settle();
    return { portalEvents: world.portalEvents, lists: () => requests.filter(({ isStream }) => !isStream) };
  }

  /** Numbers its events from the newest on; every thousandth is of the type "rare". */
  const ignoring = ({ searchParams }: URL): ScriptedAnswer => {
    const from = Number(searchParams.get('cursor') ?? 1);
    const limit = Number(searchParams.get('limit'));
    const data = Array.from({ length: limit }, (_event, index) => ({
      id: `e${from + index}`,
      type: (from + index) % 250 === 0 ? 'rare' : 'usual',
      timestamp: new Date(2_000_000_000_000 - (from + index) * 1000).toISOString(),
    }));
    return { body: { data, nextCursor: String(from + limit) } };
  };

  it('that do not heed it reads on to the next match, five pages at most', async () => {
    const { portalEvents, lists } = await against(ignoring);
    const ids = () => shown(portalEvents).map(({ id }) => id);
    await portalEvents.setFilter(byType('rare'));
    assert.deepEqual([ids(), lists().length], [['e250'], 4]);
    await portalEvents.loadMore();
    assert.deepEqual([ids(), lists().length], [['e250', 'e500'], 6]);
    await portalEvents.setFilter(byType('never'));
    assert.deepEqual([ids(), lists().length], [[], 11]);
    assert.equal(hasMore(portalEvents.state.current), true);
    await portalEvents.loadMore();
    assert.equal(lists().length, 16);
  });

  it('keeps what was loaded when it fails, says why, and is read again', async () => {
    let isDown = false;
    const { portalEvents } = await against((url) => (isDown ? { status: 403, body: {} } : ignoring(url)));
    isDown = true;
    await portalEvents.setFilter(byType('usual'));
    const { filtered, error } = portalEvents.state.current;
    assert.deepEqual([filtered?.error?.reason.kind, filtered?.status, error], ['forbidden', 'failed', null]);
    assert.equal(shown(portalEvents).length, 100);
    isDown = false;
    await portalEvents.refresh();
    assert.equal(portalEvents.state.current.filtered?.error, null);
  });
});
