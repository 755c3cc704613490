// However the bytes of a stream are cut, also inside a character or a line end, the events are the same.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readEvents, type StreamEvent } from '../../src/api/stream/events.ts';
import { isServiceError } from '../../src/domain/serviceError.ts';
import { hostileJsonText } from '../support/hostileJson.ts';
import { tries } from '../support/properties.ts';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts, bytes.length]) {
    await Promise.resolve();
    yield bytes.subarray(start, cut);
    start = cut;
  }
}

async function read(bytes: Uint8Array, cuts: readonly number[] = []): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(inPieces(bytes, cuts))) events.push(event);
  return events;
}

const word = fc.string({
  unit: fc.constantFrom('a', 'é', '€', '🚀', ' ', ':', '\u2028', '0'),
  maxLength: 12,
});
const line = fc.oneof(
  word.map((text) => `data: ${text}`),
  hostileJsonText.filter((text) => text.length < 200).map((text) => `data: ${text}`),
  word.map((text) => `id: ${text}`),
  fc.constantFrom(
    'event: log',
    'event: end',
    'event:',
    'retry: 0',
    'retry: 1e9',
    'retry: 99999999999',
    ': ping',
    'data',
  ),
  fc.constantFrom('data: [DONE]', 'id: \u0000', ':', 'unknown: x', 'data:  two spaces'),
  word,
);
const newline = fc.constantFrom('\n', '\r\n', '\r');
/** A stream whose lines end in one way or in all of them. */
const streamText = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(fc.oneof(line, fc.constant('')), newline), { maxLength: 20 }))
  .map(([hasBom, lines]) => `${hasBom ? '\uFEFF' : ''}${lines.map((each) => each.join('')).join('')}`);

describe('The events of a stream', () => {
  it('are the same wherever it is cut in two', async () => {
    await fc.assert(
      fc.asyncProperty(streamText, async (text) => {
        const bytes = new TextEncoder().encode(text);
        const whole = await read(bytes);
        for (let cut = 0; cut <= bytes.length; cut += 1) assert.deepEqual(await read(bytes, [cut]), whole);
      }),
      tries(150),
    );
  });

  it('are the same when every byte comes alone, and when any come together', async () => {
    await fc.assert(
      fc.asyncProperty(streamText, fc.array(fc.nat(400)), async (text, places) => {
        const bytes = new TextEncoder().encode(text);
        const whole = await read(bytes);
        const cuts = places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b);
        assert.deepEqual(await read(bytes, cuts), whole);
        assert.deepEqual(await read(bytes, [...bytes.keys()]), whole);
      }),
      tries(400),
    );
  });

  it('are read, or refused as unreadable, whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(300)), async (bytes, places) => {
        const cuts = places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b);
        try {
          await read(bytes, cuts);
        } catch (error) {
          if (!isServiceError(error)) throw error;
        }
      }),
      tries(1000),
    );
  });
});
