// The portal events of a connection as one list: newest first, each once, bounded, and what is missing said.
import assert from 'node:assert/strict';
import { EventStore } from '../../../src/model/portalEvents/eventStore.ts';
import {
  type EventFilter,
  everyEvent,
  hasMore,
  isFiltering,
  maximumEvents,
  noEventFilter,
  passes,
  shownEvents,
} from '../../../src/model/portalEvents/portalEventsState.ts';
import { countUnread, SeenEvents } from '../../../src/model/portalEvents/seenEvents.ts';
import type { PortalEvent } from '../../../src/domain/portalEvent.ts';
import { HandClock, MemoryState } from '../../support/memory/ports.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';

/** Numbers are seconds as well. */
const event = (number: number): PortalEvent => ({
  key: `e${number}`,
  id: `e${number}`,
  type: number % 2 === 0 ? 'even' : 'odd',
  timestamp: new Date(number * 1000),
  workflowId: null,
  executionId: null,
  nodeName: null,
  iteration: [],
  data: {},
  raw: {},
});
const events = (...numbers: readonly number[]): readonly PortalEvent[] => numbers.map(event);
const { signal } = new AbortController();

describe('the store of portal events', () => {
  let store: EventStore;
  /** The numbers that the service lists, newest first. */
  let listed: readonly number[];
  let isOldestFirst: boolean;
  let typeOf: (number: number) => string;
  const asked: string[] = [];

  beforeEach(async () => {
    listed = [3, 2, 1];
    isOldestFirst = false;
    typeOf = () => 'any';
    asked.length = 0;
    const { client } = createScriptedClient((path) => {
      const query = new URL(path, 'https://service.example').searchParams;
      asked.push(query.toString());
      const from = Number(query.get('cursor') ?? 0);
      const end = from + Number(query.get('limit'));
      const numbers = listed.slice(from, end);
      const data = numbers.map((number) => ({
        id: `e${number}`,
        type: typeOf(number),
        timestamp: new Date(number * 1000).toISOString(),
      }));
      const nextCursor = end < listed.length ? String(end) : null;
      return { body: { data: isOldestFirst ? data.toReversed() : data, nextCursor } };
    });
    store = new EventStore({ get: () => client }, new SeenEvents(new MemoryState(), new HandClock()));
    store.reset('c');
    await store.catchUp(false, signal);
  });
  afterEach(() => {
    store.dispose();
  });

  const numbers = () => store.state.current.items.map(({ key }) => Number(key.slice(1)));
  const downFrom = (newest: number, count: number): readonly number[] =>
    Array.from({ length: count }, (_each, index) => newest - index);

  it('puts a new event in front, and a known one nowhere', () => {
    store.add(event(4));
    const { items } = store.state.current;
    assert.deepEqual(numbers(), [4, 3, 2, 1]);
    store.add(event(2));
    assert.equal(store.state.current.items, items);
  });

  it('keeps the newest thousand, and lets no replayed old one back in', async () => {
    listed = downFrom(maximumEvents, maximumEvents);
    await store.readAnew(signal);
    while (store.state.current.nextCursor !== null) await store.loadMore();
    assert.deepEqual([numbers().length, store.state.current.isTrimmed], [maximumEvents, false]);
    store.add(event(5000));
    const { items, isTrimmed, nextCursor } = store.state.current;
    assert.deepEqual([items.length, isTrimmed, nextCursor], [maximumEvents, true, null]);
    assert.deepEqual([numbers()[0], numbers().at(-1)], [5000, 2]);
    store.add(event(1));
    assert.equal(store.state.current.items, items);
    await store.readAnew(signal);
    assert.deepEqual([numbers().length, store.state.current.isTrimmed], [100, false]);
  });

  it('drops no event of its own for those of nodes, which have a maximum of their own', async () => {
    const ofNode = (number: number): PortalEvent => ({ ...event(number), type: 'node.completed' });
    for (let number = 4; number < 2504; number += 1) store.add(ofNode(number));
    store.add(event(2504));
    assert.deepEqual(
      shownEvents(store.state.current).map(({ key }) => key),
      ['e2504', 'e3', 'e2', 'e1'],
    );
    const { items, isTrimmed, isTrimmedOfNodes, unread } = store.state.current;
    assert.deepEqual(
      [items.length, isTrimmed, isTrimmedOfNodes, unread],
      [maximumEvents + 4, false, true, 1],
    );
    store.add(ofNode(5));
    assert.equal(store.state.current.items, items);
    await store.loadMore();
    for (let number = 2505; number < 4505; number += 1) store.add(event(number));
    assert.deepEqual(
      [store.state.current.items.length, store.state.current.isTrimmed],
      [maximumEvents * 2, true],
    );
  });

  it('reads on at first, up to the first of its own behind many of nodes, in five requests at most', async () => {
    typeOf = (number) => (number > 3 ? 'node.completed' : 'any');
    for (const [count, found, requests] of [
      [303, 3, 4],
      [903, 0, 5],
    ] as const) {
      listed = downFrom(count, count);
      store.reset('c');
      asked.length = 0;
      await store.catchUp(false, signal);
      assert.deepEqual([shownEvents(store.state.current).length, asked.length], [found, requests]);
      assert.equal(hasMore(store.state.current), found === 0);
    }
  });

  it('goes on reading older ones where events of nodes were dropped', async () => {
    listed = downFrom(300, 300);
    await store.readAnew(signal);
    for (let number = 301; number < 2000; number += 1)
      store.add({ ...event(number), type: 'node.completed' });
    await store.loadMore();
    assert.deepEqual(
      shownEvents(store.state.current).map(({ key }) => key),
      downFrom(300, 200).map((number) => `e${number}`),
    );
  });

  it('appends older ones once each', async () => {
    listed = downFrom(150, 150);
    await store.readAnew(signal);
    // Meanwhile one came, so that the next page begins with one that is known.
    store.add(event(151));
    listed = downFrom(151, 151);
    await store.loadMore();
    assert.deepEqual(numbers(), downFrom(151, 151));
  });

  it('turns a list round that begins with the oldest', async () => {
    isOldestFirst = true;
    await store.readAnew(signal);
    assert.deepEqual(numbers(), [3, 2, 1]);
  });

  it('reads back to what is known, a little at first, and keeps what the service no longer lists', async () => {
    const known = store.state.current.items;
    asked.length = 0;
    assert.equal(await store.catchUp(false, signal), false);
    assert.equal(store.state.current.items, known);
    listed = downFrom(140, 140).filter((number) => number > 2);
    assert.equal(await store.catchUp(false, signal), true);
    assert.deepEqual(numbers(), downFrom(140, 140));
    assert.equal(store.state.current.items.at(-1), known.at(-1));
    assert.deepEqual(
      [asked, store.state.current.gap],
      [['limit=25', 'limit=25', 'limit=100&cursor=25', 'limit=100&cursor=125'], null],
    );
  });

  it('says that events are gone where the service lists none that was known', async () => {
    listed = [9, 8];
    await store.catchUp(false, signal);
    assert.deepEqual([numbers(), store.state.current.gap], [[9, 8], { lastKnownAt: new Date(3000) }]);
    await store.readAnew(signal);
    assert.equal(store.state.current.gap, null);
  });

  it('says so of a position that was refused, and reads no further back than one page', async () => {
    listed = downFrom(5000, 500);
    asked.length = 0;
    await store.catchUp(true, signal);
    assert.deepEqual([numbers().length, asked], [100, ['limit=100']]);
    assert.deepEqual(store.state.current.gap, { lastKnownAt: new Date(3000) });
  });

  it('does not know of a gap where it stopped reading back', async () => {
    listed = downFrom(5000, 4000);
    asked.length = 0;
    await store.catchUp(false, signal);
    assert.deepEqual([asked.length, store.state.current.gap], [10, null]);
  });

  it('has the unread ones counted from the newest that was seen', () => {
    assert.equal(store.state.current.unread, 0);
    store.add(event(4));
    assert.equal(store.state.current.unread, 1);
    store.setLookedAt(true);
    assert.equal(store.state.current.unread, 0);
  });

  it('is empty where the service has none, and lists them when it has', async () => {
    store.close();
    assert.deepEqual(
      [numbers(), store.state.current.isOffered, store.state.current.hasData],
      [[], false, true],
    );
    await store.readAnew(signal);
    assert.deepEqual([numbers(), store.state.current.isOffered], [[3, 2, 1], true]);
  });
});

describe('portal events', () => {
  const seen = (key: string, time: number | null) => ({ connectionId: 'c', key, time });
  const counts = [
    ['nothing was seen yet', undefined, 0],
    ['the newest was seen', seen('e3', 3000), 0],
    ['an older one was seen', seen('e1', 1000), 2],
    ['what was seen is gone', seen('e0', 0), 3],
    ['there were none when it was seen', seen('', null), 3],
  ] as const;
  for (const [title, position, expected] of counts)
    it(`are counted as unread where ${title}`, () =>
      assert.equal(countUnread(events(3, 2, 1), position), expected));

  it('of nodes are neither shown nor counted, unless asked for', () => {
    const node = { ...event(3), type: 'node.completed' };
    const [items, filtered] = [[node, ...events(2, 1)], null];
    const shown = (filter: EventFilter) =>
      shownEvents({ items, filter, filtered, nextCursor: null }).includes(node);
    assert.equal(shown(noEventFilter), false);
    assert.equal(shown(everyEvent), true);
    assert.equal(shown({ ...noEventFilter, type: 'node.completed' }), true);
    assert.equal(countUnread(items, seen('e1', 1000)), 1);
  });

  it('are filtered by type and workflow', () => {
    assert.equal(isFiltering(noEventFilter), false);
    assert.ok(passes({ ...noEventFilter, type: 'odd' }, event(1)));
    assert.ok(!passes({ ...noEventFilter, type: 'odd' }, event(2)));
    assert.ok(!passes({ ...noEventFilter, workflowId: 'w' }, event(1)));
    assert.ok(passes({ ...noEventFilter, type: 'odd', workflowId: 'w' }, { ...event(1), workflowId: 'w' }));
  });
});
