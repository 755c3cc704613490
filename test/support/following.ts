// Following takes minutes; this collects what it says while time is moved by hand.
import type { HttpRequest } from '../../src/api/http/httpPort.ts';
import { createFeed } from './memory/logs.ts';
import type { HandClock } from './memory/ports.ts';
import { never, type ScriptedAnswer } from './scriptedPort.ts';
import type { FollowItem } from '../../src/api/servicePort.ts';

/** An item in a word or two; the keys of rows that came together. */
function inShort(item: FollowItem): string {
  switch (item.kind) {
    case 'open':
      return `open by ${item.by}`;
    case 'logs':
      return item.logs.map(({ key }) => key).join(' ');
    case 'lost':
      return `lost for ${item.retryInMs}`;
    case 'paused':
      return `paused for ${item.resumeInMs}`;
    case 'end':
      return `end ${item.status.word}`;
  }
}

/** Returns what says the same, and each row by itself: those that are new or have changed for the feed that takes them. */
export function createShortener(): (item: FollowItem) => readonly string[] {
  const feed = createFeed();
  return (item) => (item.kind === 'logs' ? feed.append(item.logs).map(({ key }) => key) : [inShort(item)]);
}

export interface Collected {
  readonly items: readonly string[];
  readonly error: unknown;
  readonly isOver: boolean;
}

/** Follows for at most so many seconds of the clock. */
export async function collect(
  clock: HandClock,
  follow: AsyncIterable<FollowItem>,
  seconds = 600,
): Promise<Collected> {
  const items: string[] = [];
  const shorten = createShortener();
  const state: { error: unknown; isOver: boolean } = { error: undefined, isOver: false };
  const reading = (async (): Promise<void> => {
    for await (const item of follow) items.push(...shorten(item));
  })().then(
    () => (state.isOver = true),
    (error: unknown) => {
      state.error = error;
      state.isOver = true;
    },
  );
  for (let second = 0; second < seconds && !state.isOver; second += 1) await clock.advance(1000);
  if (state.isOver) await reading;
  return { items, ...state };
}

export function logEvent(sequence: number): string {
  const row = { id: `l${sequence}`, sequence, nodeId: 'n', message: `row ${sequence} ✓` };
  return `id: ${sequence}\nevent: log\ndata: ${JSON.stringify(row)}\n\n`;
}

export function endEvent(status: string): string {
  return `event: end\ndata: ${JSON.stringify({ executionId: 'x', status })}\n\n`;
}

/** What comes after the text: nothing more, a broken connection, or silence. */
export type Ending = 'close' | 'reset' | 'silence';

export function eventStream(text: string, ending: Ending, { signal }: HttpRequest): ScriptedAnswer {
  return {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    body: (async function* () {
      yield await Promise.resolve(new TextEncoder().encode(text));
      if (ending === 'reset') throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
      if (ending === 'silence') await never(signal);
    })(),
  };
}
