// Which portal events somebody has seen, remembered per connection between sessions, within bounds.
import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock, StatePort } from '../ports.ts';
import { decodeStoredList } from '../storedList.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

const entryName = 'portalEventsSeen';
const maximumCount = 50;
/** A burst of events is written down once. */
const writeAfterMs = 1000;

const SeenSchema = v.object({
  connectionId: v.string(),
  /** The start of the event's key; empty: there were no events. */
  key: v.string(),
  /** Epoch milliseconds. */
  time: v.nullable(v.number()),
});
/** The newest event that was seen. */
export type Seen = v.InferOutput<typeof SeenSchema>;

/** How many of the events, newest first, are newer than the one seen; none where nothing was seen yet. Pure. */
export function countUnread(items: readonly PortalEvent[], seen: Seen | undefined): number {
  if (seen === undefined) return 0;
  const at = items.findIndex(({ key }) => shortKey(key) === seen.key);
  if (at >= 0) return at;
  const { time } = seen;
  if (time === null) return items.length;
  return items.filter(({ timestamp }) => timestamp !== null && timestamp.getTime() > time).length;
}

/** A key may hold a whole payload. */
function shortKey(key: string): string {
  return key.slice(0, 200);
}

export interface SeenEvents extends Disposable {
  get(connectionId: string): Seen | undefined;
  /** The newest event is seen, and with it all that are older; undefined: there are none yet. */
  mark(connectionId: string, newest: PortalEvent | undefined): void;
}

/** Positions of the 50 connections that were marked last. */
export function createSeenEvents(state: StatePort, clock: Clock): SeenEvents {
  const unwritten = new Map<string, Seen>();
  let timer: Disposable | undefined;

  const readStored = (): readonly Seen[] => decodeStoredList(state.get(entryName), SeenSchema);
  const write = (): void => {
    timer?.dispose();
    timer = undefined;
    if (unwritten.size === 0) return;
    const others = readStored().filter(({ connectionId }) => !unwritten.has(connectionId));
    const all = [...unwritten.values(), ...others].slice(0, maximumCount);
    unwritten.clear();
    void state.set(entryName, all);
  };

  return {
    get: (connectionId) =>
      unwritten.get(connectionId) ?? readStored().find((seen) => seen.connectionId === connectionId),
    mark(connectionId, newest) {
      const key = shortKey(newest?.key ?? '');
      if (this.get(connectionId)?.key === key) return;
      unwritten.set(connectionId, { connectionId, key, time: newest?.timestamp?.getTime() ?? null });
      timer ??= clock.schedule(write, writeAfterMs);
    },
    dispose: write,
  };
}
