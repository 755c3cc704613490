// A stream of portal events goes on where it stopped, says what it lost, and ends where there is no stream.
import assert from 'node:assert/strict';
import { isServiceError, ServiceError } from '../../../src/domain/errors.ts';
import { type Ending, eventStream } from '../../support/following.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';
import type { PortalEventItem } from '../../../src/api/servicePort.ts';

const event = (id: string): string =>
  `id: ${id}\nevent: portal.x\ndata: ${JSON.stringify({ id, type: 'portal.x', data: {} })}\n\n`;

function inShort(item: PortalEventItem): string {
  switch (item.kind) {
    case 'event':
      return item.event.id ?? item.event.type;
    case 'lost':
      return `lost for ${item.retryInMs}`;
    case 'paused':
      return `paused for ${item.resumeInMs}`;
    default:
      return item.kind;
  }
}

/** Streams what the script says, until it has nothing more to say. */
async function play(script: readonly (readonly [string, Ending] | ScriptedAnswer)[], after?: string) {
  const ended = new AbortController();
  const { client, clock, requests } = createScriptedClient((_path, request, count) => {
    const answer = script[count];
    if (answer === undefined) {
      ended.abort();
      return {};
    }
    return 'length' in answer ? eventStream(answer[0], answer[1], request) : answer;
  });
  const items: string[] = [];
  const state: { error?: unknown; isOver: boolean } = { isOver: false };
  const reading = (async () => {
    for await (const item of client.portalEvents.stream(after, ended.signal)) items.push(inShort(item));
  })()
    .catch((error: unknown) => {
      state.error = error;
    })
    .finally(() => {
      state.isOver = true;
    });
  for (let second = 0; second < 600 && !state.isOver; second += 1) await clock.advance(1000);
  await reading;
  const positions = requests.map(({ headers }) => headers['Last-Event-ID']);
  return { items, positions, error: ended.signal.aborted ? 'aborted' : state.error, requests };
}

describe('a stream of portal events', () => {
  it("goes on once the key can be read again, also where it couldn't be for the list", async () => {
    const ended = new AbortController();
    const { client, clock } = createScriptedClient((_path, request) =>
      eventStream(event('a'), 'silence', request),
    );
    let reads = 0;
    const list = {
      prepare: () => Promise.resolve(),
      newestId: () => undefined,
      catchUp: () => {
        reads += 1;
        const reason = { kind: 'secretStorage', operation: 'read', cause: 'silent' } as const;
        return reads === 1 ? Promise.reject(new ServiceError(reason, 'Silent.')) : Promise.resolve(true);
      },
      untilNextPoll: () => Promise.resolve(),
    };
    const items: string[] = [];
    const reading = (async () => {
      for await (const item of client.portalEvents.stream(undefined, ended.signal, list)) {
        items.push(inShort(item));
        if (item.kind === 'event') ended.abort();
      }
    })().catch((error: unknown) => error);
    for (let second = 0; second < 10; second += 1) await clock.advance(1000);
    ended.abort();
    await reading;
    assert.deepEqual(items, ['lost for 1000', 'open', 'a']);
  });

  it('resumes after an id that came without an event', async () => {
    const { items, positions } = await play([
      [`${event('a')}id: quiet-5\n\n`, 'reset'],
      [event('c'), 'close'],
    ]);
    assert.deepEqual(items, ['open', 'a', 'lost for 1000', 'open', 'c', 'lost for 1000']);
    assert.deepEqual(positions.slice(0, 2), [undefined, 'quiet-5']);
  });

  it('resumes after the last event that came, however it dropped', async () => {
    const { items, positions } = await play([
      [`retry: 3000\n\n${event('a')}${event('b')}`, 'reset'],
      [event('c'), 'close'],
    ]);
    assert.deepEqual(items, ['open', 'a', 'b', 'lost for 3000', 'open', 'c', 'lost for 3000']);
    assert.deepEqual(positions, [undefined, 'b', 'c']);
  });

  it('begins after the event it is told', async () => {
    const { positions, requests } = await play([['', 'close']], 'z');
    assert.deepEqual(positions, ['z', 'z']);
    assert.ok(requests[0]?.url.endsWith('/portal/events?after=z'));
  });

  it('waits longer each time that nothing came', async () => {
    const refused = { status: 503, body: {} };
    const { items } = await play([refused, refused, refused, [event('a'), 'close']]);
    assert.deepEqual(items, [
      ...['lost for 1000', 'lost for 2000', 'lost for 4000', 'open', 'a', 'lost for 1000'],
    ]);
  });

  it('says that the position was pruned, and opens without one', async () => {
    const pruned = { status: 410, body: { error: { code: 'event_gap', message: 'gone' } } };
    const { items, positions } = await play([pruned, [event('m'), 'close']], 'a');
    assert.deepEqual(items, ['gap', 'open', 'm', 'lost for 1000']);
    assert.deepEqual(positions, ['a', undefined, 'm']);
  });

  it('waits for the limit', async () => {
    const { items } = await play([{ status: 429, headers: { 'retry-after': '7' } }, ['', 'close']]);
    assert.deepEqual(items, ['paused for 7000', 'open', 'lost for 1000']);
  });

  it('takes the type from the stream, and text that is no JSON', async () => {
    const { items } = await play([['event: portal.a\ndata: {"x":1}\n\ndata: hello\n\n', 'close']]);
    assert.deepEqual(items, ['open', 'portal.a', 'unknown', 'lost for 1000']);
  });

  for (const [title, answer] of [
    ['a list', { body: { data: [] } }],
    ['nothing', { status: 204 }],
    ['no such endpoint', { status: 404, body: { error: { code: 'route_not_found', message: 'no route' } } }],
    ['not found', { status: 404, body: { message: 'nothing here' } }],
    ['a refusal of the query', { status: 400, body: {} }],
  ] as const)
    it(`ends where the service answers with ${title}`, async () => {
      const { items, error } = await play([answer, answer, answer]);
      assert.deepEqual([items, error], [[], undefined]);
    });

  it('throws what cannot heal', async () => {
    const { items, error } = await play([{ status: 401, body: {} }]);
    assert.deepEqual(items, []);
    assert.ok(isServiceError(error, 'keyRejected'));
  });
});
