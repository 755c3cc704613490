// Lists of events are joined by pure rules; each row is one of them.
import assert from 'node:assert/strict';
import {
  emptyList,
  type EventList,
  maximumEvents,
  newestFirst,
  withLatest,
  withNewest,
  withOlder,
} from '../../../src/model/portalEvents/eventList.ts';
import { isFiltering, noEventFilter, passes } from '../../../src/model/portalEvents/eventFilter.ts';
import { countUnread } from '../../../src/model/portalEvents/seenEvents.ts';
import type { PortalEvent } from '../../../src/domain/portalEvent.ts';

const event = (time: number): PortalEvent => ({
  key: `e${time}`,
  id: `e${time}`,
  type: time % 2 === 0 ? 'even' : 'odd',
  timestamp: new Date(time),
  workflowId: null,
  data: {},
  raw: {},
});
const events = (...times: readonly number[]): readonly PortalEvent[] => times.map(event);
const list = (...times: readonly number[]): EventList => ({ ...emptyList, items: events(...times) });
const timesOf = (result: EventList | undefined) => result?.items.map(({ key }) => Number(key.slice(1)));
const downFrom = (newest: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_each, index) => newest - index);

describe('event list', () => {
  it('puts a new event in front, and a known one nowhere', () => {
    const before = list(2, 1);
    assert.deepEqual(timesOf(withNewest(before, event(3))), [3, 2, 1]);
    assert.equal(withNewest(before, event(1)), before);
  });

  it('keeps the newest thousand, and lets no replayed old one back in', () => {
    const full = withNewest(list(...downFrom(maximumEvents, maximumEvents)), event(5000));
    assert.deepEqual([full.items.length, full.isTrimmed, full.nextCursor], [maximumEvents, true, null]);
    assert.equal(timesOf(full)?.at(-1), 2);
    assert.equal(withNewest(full, event(1)), full);
  });

  it('appends older ones once each', () => {
    const result = withOlder(list(5, 4), events(4, 3, 2), 'next');
    assert.deepEqual([timesOf(result), result.nextCursor], [[5, 4, 3, 2], 'next']);
  });

  const meetings: readonly (readonly [string, number[], number[], number[] | undefined])[] = [
    ['new ones in front', [3, 2, 1], [5, 4, 3], [5, 4, 3, 2, 1]],
    ['nothing new', [3, 2, 1], [3, 2], [3, 2, 1]],
    ['one that a stream left out', [5, 3], [5, 4, 3], [5, 4, 3]],
    ['one that is not listed yet', [6, 5, 4], [5, 4], [6, 5, 4]],
    ['more than was known', [3], [4, 3, 2, 1], [4, 3, 2, 1]],
    ['nothing in common', [3, 2], [9, 8], undefined],
  ];
  for (const [title, known, latest, expected] of meetings)
    it(`joins the latest: ${title}`, () =>
      assert.deepEqual(timesOf(withLatest(list(...known), events(...latest), null)), expected));

  it('goes on from where its last event stands', () => {
    const known = { ...list(3, 2), nextCursor: 'behind 2' };
    assert.equal(withLatest(known, events(4, 3), 'behind 3')?.nextCursor, 'behind 2');
    assert.equal(withLatest(known, events(4, 3, 2, 1), 'behind 1')?.nextCursor, 'behind 1');
  });

  it('turns a list round that begins with the oldest', () => {
    assert.deepEqual(newestFirst(events(1, 2, 3)), events(3, 2, 1));
    assert.deepEqual(newestFirst(events(3, 2)), events(3, 2));
  });

  const seen = (key: string, time: number | null) => ({ connectionId: 'c', key, time });
  const counts = [
    ['nothing was seen yet', undefined, 0],
    ['the newest was seen', seen('e3', 3), 0],
    ['an older one was seen', seen('e1', 1), 2],
    ['what was seen is gone', seen('e0', 0), 3],
    ['there were none when it was seen', seen('', null), 3],
  ] as const;
  for (const [title, position, expected] of counts)
    it(`counts unread ones where ${title}`, () =>
      assert.equal(countUnread(events(3, 2, 1), position), expected));

  it('filters by type and workflow', () => {
    assert.equal(isFiltering(noEventFilter), false);
    assert.ok(passes({ type: 'odd', workflowId: null }, event(1)));
    assert.ok(!passes({ type: 'odd', workflowId: null }, event(2)));
    assert.ok(!passes({ type: null, workflowId: 'w' }, event(1)));
    assert.ok(passes({ type: 'odd', workflowId: 'w' }, { ...event(1), workflowId: 'w' }));
  });
});
