import * as v from 'valibot';
import { Pulse } from '../../base/pulse.ts';
import type { Clock } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import { decodeStoredList, type StatePort } from '../ports.ts';
import { isNodeEvent } from './portalEventsState.ts';

const entryName = 'portalEventsSeen';
const maximumCount = 50;
/** A burst of events is stored once. */
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

/** Returns how many of the events, newest first, are newer than the seen one, without those of nodes; 0 if none was seen yet. */
export function countUnread(items: readonly PortalEvent[], seen: Seen | undefined): number {
  if (seen === undefined) return 0;
  return newerThan(items, seen).filter((event) => !isNodeEvent(event)).length;
}

function newerThan(items: readonly PortalEvent[], seen: Seen): readonly PortalEvent[] {
  const at = items.findIndex(({ key }) => shortKey(key) === seen.key);
  if (at >= 0) return items.slice(0, at);
  const { time } = seen;
  if (time === null) return items;
  return items.filter(({ timestamp }) => timestamp !== null && timestamp.getTime() > time);
}

/** A key may contain a whole payload, so only its start is stored. */
function shortKey(key: string): string {
  return key.slice(0, 200);
}

/** Stores the newest seen event of each connection across sessions, for the 50 connections that were marked last. */
export class SeenEvents implements Disposable {
  readonly #state: StatePort;
  readonly #unwritten = new Map<string, Seen>();
  readonly #pulse: Pulse;

  constructor(state: StatePort, clock: Clock) {
    this.#state = state;
    this.#pulse = new Pulse(clock, () => this.#write(), { first: writeAfterMs });
  }

  get(connectionId: string): Seen | undefined {
    return (
      this.#unwritten.get(connectionId) ?? this.#stored().find((seen) => seen.connectionId === connectionId)
    );
  }

  /** Marks the newest event and all older ones as seen; undefined: there are none yet. */
  mark(connectionId: string, newest: PortalEvent | undefined): void {
    const key = shortKey(newest?.key ?? '');
    if (this.get(connectionId)?.key === key) return;
    this.#unwritten.set(connectionId, { connectionId, key, time: newest?.timestamp?.getTime() ?? null });
    this.#pulse.ask();
  }

  /** Stores pending marks. */
  dispose(): void {
    this.#pulse.dispose();
    this.#write();
  }

  #stored(): readonly Seen[] {
    return decodeStoredList(this.#state.get(entryName), SeenSchema);
  }

  #write(): void {
    if (this.#unwritten.size === 0) return;
    const others = this.#stored().filter(({ connectionId }) => !this.#unwritten.has(connectionId));
    const all = [...this.#unwritten.values(), ...others].slice(0, maximumCount);
    this.#unwritten.clear();
    void this.#state.set(entryName, all);
  }
}
