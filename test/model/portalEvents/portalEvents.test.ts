// The portal events of the active connection against the real service and against odd ones: gaps said, switches clean, nothing asked for nobody.
import assert from 'node:assert/strict';
import type { HttpPort, HttpRequest } from '../../../src/api/http/httpPort.ts';
import { type Clock, systemClock } from '../../../src/base/time.ts';
import { noEventFilter, type PortalEventsState } from '../../../src/model/portalEvents/portalEventsState.ts';
import { createAppPort } from '../../support/appPort.ts';
import { createHastyClock } from '../../support/hastyClock.ts';
import { HandClock, MemoryRecords, MemoryState } from '../../support/memory/ports.ts';
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
const newestIs = (id: string) => (state: PortalEventsState) => state.items[0]?.id === id;
const typesOf = ({ items }: PortalEventsState) => items.map(({ type }) => type);

describe('portal events of the real service', () => {
  let services: readonly [TestService, TestService];
  let world: PortalEventsWorld;
  /** Turns the line to the first service off. */
  let isDown = false;
  /** Happens before a list is answered. */
  let beforeList: () => void = () => undefined;
  let globalState: MemoryState;
  let records: MemoryRecords;

  const publish = (service: TestService, type: string): Promise<string> =>
    service.store.portalEvents.append({ type, data: {} });

  function createWorld(clock: Clock = systemClock): PortalEventsWorld {
    const ports = services.map(({ app }) => createAppPort(app));
    const http: HttpPort = (url, request) => {
      if (request.headers['Accept'] !== 'text/event-stream') beforeList();
      const at = url.startsWith('http://127.0.0.1:4101') ? 0 : 1;
      if (at === 0 && isDown) throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
      const port = ports[at] ?? assert.fail();
      return port(url, request);
    };
    return createPortalEventsWorld({ http, clock, globalState, records });
  }

  beforeEach(async () => {
    const options = { requestsPerMinute: 100_000, eventLimits: { count: 5 } };
    services = [await createTestService(options), await createTestService(options)];
    isDown = false;
    beforeList = () => undefined;
    globalState = new MemoryState();
    records = new MemoryRecords();
    world = createWorld();
  });
  afterEach(async () => {
    world.dispose();
    for (const service of services) await service.dispose();
  });

  const connectFirst = () => world.connect('http://127.0.0.1:4101/v1', services[0].key);

  it('asks nothing until somebody looks, then lists and streams', async () => {
    await publish(services[0], 'a');
    await connectFirst();
    const { portalEvents } = world;
    portalEvents.setListenMode('whenVisible');
    assert.deepEqual(
      [portalEvents.state.current.hasData, portalEvents.state.current.listening.kind],
      [false, 'off'],
    );
    portalEvents.setAttention(seen);
    assert.deepEqual(typesOf(await stateWhen(portalEvents, isLive)), ['a']);
    const id = await publish(services[0], 'b');
    assert.deepEqual(typesOf(await stateWhen(portalEvents, newestIs(id))), ['b', 'a']);
    portalEvents.setAttention(hidden);
    assert.equal(portalEvents.state.current.listening.kind, 'off');
  });

  it('keeps a filter that is set while the list is caught up', async () => {
    await publish(services[0], 'a');
    await connectFirst();
    const { portalEvents } = world;
    portalEvents.setListenMode('whenVisible');
    portalEvents.setAttention(seen);
    await stateWhen(portalEvents, isLive);
    portalEvents.setAttention(hidden);
    let lists = 0;
    beforeList = () => {
      lists += 1;
      if (lists === 1) void portalEvents.setFilter({ ...noEventFilter, type: 'a' });
    };
    portalEvents.setAttention(seen);
    const { filter, items } = await stateWhen(portalEvents, (state) => isLive(state) && lists > 1);
    assert.deepEqual([filter.type, items.length], ['a', 1]);
  });

  it('says that events are gone that the service pruned meanwhile, and lists what is left', async () => {
    await connectFirst();
    const { portalEvents } = world;
    portalEvents.setListenMode('whenVisible');
    portalEvents.setAttention(seen);
    await stateWhen(portalEvents, isLive);
    const known = await publish(services[0], 'known');
    await stateWhen(portalEvents, newestIs(known));
    portalEvents.setAttention(hidden);
    for (let number = 0; number < 8; number += 1) await publish(services[0], `later${number}`);
    portalEvents.setAttention(seen);
    const state = await stateWhen(portalEvents, (each) => each.gap !== null && isLive(each));
    assert.deepEqual(typesOf(state), ['later7', 'later6', 'later5', 'later4', 'later3']);
    assert.ok(state.gap?.lastKnownAt instanceof Date);
    await portalEvents.refresh();
    assert.equal(portalEvents.state.current.gap, null);
  });

  it('drops the events of a connection that is no longer the active one', async () => {
    const first = await connectFirst();
    const { portalEvents, connections } = world;
    portalEvents.setListenMode('always');
    await stateWhen(portalEvents, isLive);
    const second = await world.connect('http://127.0.0.1:4102/v1', services[1].key);
    await stateWhen(portalEvents, (state) => state.connectionId === second && isLive(state));
    await publish(services[0], 'late');
    const id = await publish(services[1], 'here');
    assert.deepEqual(typesOf(await stateWhen(portalEvents, newestIs(id))), ['here']);
    await connections.switchTo(first);
    const back = await stateWhen(portalEvents, (state) => state.connectionId === first && isLive(state));
    assert.deepEqual(typesOf(back), ['late']);
  });

  it('counts what nobody saw, also after the window was closed', async () => {
    await publish(services[0], 'old');
    await connectFirst();
    world.portalEvents.setListenMode('always');
    assert.equal((await stateWhen(world.portalEvents, isLive)).unread, 0);
    const second = await publish(services[0], 'second');
    assert.equal((await stateWhen(world.portalEvents, newestIs(second))).unread, 1);
    world.portalEvents.setAttention(seen);
    assert.equal(world.portalEvents.state.current.unread, 0);
    world.dispose();

    const third = await publish(services[0], 'third');
    const fourth = await publish(services[0], 'fourth');
    world = createWorld();
    await world.connections.replaceKey('connection_1', services[0].key, { verify: 'never' });
    const { portalEvents } = world;
    portalEvents.setListenMode('always');
    const state = await stateWhen(portalEvents, (each) => newestIs(fourth)(each) && isLive(each));
    assert.deepEqual([state.unread, state.items[1]?.id], [2, third]);
    portalEvents.markAllRead();
    assert.equal(portalEvents.state.current.unread, 0);
  });

  it('tells that the service cannot be reached, and heals by itself', async () => {
    isDown = true;
    world.dispose();
    world = createWorld(createHastyClock());
    await connectFirst();
    world.portalEvents.setAttention(seen);
    world.portalEvents.setListenMode('whenVisible');
    const lost = await stateWhen(world.portalEvents, ({ listening }) => listening.kind === 'lost');
    assert.equal(lost.hasData, false);
    isDown = false;
    assert.equal((await stateWhen(world.portalEvents, isLive)).hasData, true);
  });
});

describe('portal events of odd services', () => {
  let world: PortalEventsWorld | undefined;
  afterEach(() => {
    world?.dispose();
  });

  /** A service that answers each request as it is told. */
  async function against(answer: (url: string, request: HttpRequest) => ScriptedAnswer) {
    const { port, requests } = createScriptedPort((url, request) => answer(url, request));
    const clock = new HandClock();
    world = createPortalEventsWorld({ http: port, clock });
    await world.connect('https://odd.example/v1', 'svc_sk_odd0123456789');
    world.portalEvents.setAttention(seen);
    world.portalEvents.setListenMode('whenVisible');
    await clock.advance(0);
    return { portalEvents: world.portalEvents, requests, clock };
  }

  const event = (number: number) => ({ event_id: number, kind: 'x', created_at: 1_700_000_000 + number });

  it('polls where there is no stream: bare lists, snake case, the oldest first', async () => {
    let count = 2;
    const { portalEvents, clock, requests } = await against(() => ({
      body: Array.from({ length: count }, (_event, index) => event(index)),
    }));
    assert.deepEqual(portalEvents.state.current.listening, { kind: 'live', by: 'polling' });
    count = 4;
    await clock.advance(2000);
    assert.deepEqual(
      portalEvents.state.current.items.map(({ id }) => id),
      ['3', '2', '1', '0'],
    );
    portalEvents.setAttention({ isVisible: true, isFocused: false });
    const asked = requests.length;
    await clock.advance(3_600_000);
    assert.equal(requests.length, asked);
  });

  it('is quiet where there are none, until it is asked again', async () => {
    let isThere = false;
    const { portalEvents, clock, requests } = await against(() =>
      isThere ? { body: [event(1)] } : { status: 404, body: { message: 'nothing' } },
    );
    assert.deepEqual([portalEvents.state.current.isOffered, portalEvents.state.current.error], [false, null]);
    const asked = requests.length;
    portalEvents.setAttention(hidden);
    portalEvents.setAttention(seen);
    await clock.advance(3_600_000);
    assert.equal(requests.length, asked);
    isThere = true;
    await portalEvents.refresh();
    assert.deepEqual(
      [portalEvents.state.current.isOffered, portalEvents.state.current.items.length],
      [true, 1],
    );
  });

  it('goes back in time page by page, to a thousand and no further', async () => {
    const { portalEvents } = await against((url, { isStream }) => {
      if (isStream) return { status: 204 };
      const query = new URL(url).searchParams;
      const from = Number(query.get('cursor') ?? 0);
      const limit = Number(query.get('limit'));
      const data = Array.from({ length: limit }, (_event, index) => event(5000 - from - index));
      return { body: { data, nextCursor: String(from + limit) } };
    });
    assert.equal(portalEvents.state.current.items.length, 100);
    for (let pages = 0; pages < 12; pages += 1) await portalEvents.loadMore();
    const { items } = portalEvents.state.current;
    assert.deepEqual([items.length, items.at(-1)?.id], [1000, '4001']);
  });

  it('stops at a key that is rejected, and says so', async () => {
    const { portalEvents } = await against(() => ({ status: 401, body: {} }));
    const { error, listening } = portalEvents.state.current;
    assert.deepEqual([error?.reason.kind, listening.kind], ['keyRejected', 'off']);
  });
});
