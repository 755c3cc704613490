// However the bytes of a stream are cut, also inside a character or a line end, the events are the same.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isServiceError } from '../../src/domain/errors.ts';
import { hostileJsonText } from '../support/hostileJson.ts';
import { tries } from '../support/properties.ts';
import { readStream } from '../support/streamEvents.ts';

/** What is heard, and the pace that was asked for last. */
function read(bytes: Uint8Array, cuts: readonly number[] = []) {
  const ends = [...cuts, bytes.length];
  const heard = readStream(ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)));
  return {
    events: heard.filter(({ kind }) => kind !== 'retry'),
    pace: heard.findLast(({ kind }) => kind === 'retry'),
  };
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
  it('are the same wherever it is cut in two', () => {
    fc.assert(
      fc.property(streamText, (text) => {
        const bytes = new TextEncoder().encode(text);
        const whole = read(bytes);
        for (let cut = 0; cut <= bytes.length; cut += 1) assert.deepEqual(read(bytes, [cut]), whole);
      }),
      tries(50),
    );
  });

  it('are the same when every byte comes alone, and when any come together', () => {
    fc.assert(
      fc.property(streamText, fc.array(fc.nat(400)), (text, places) => {
        const bytes = new TextEncoder().encode(text);
        const whole = read(bytes);
        const cuts = places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b);
        assert.deepEqual(read(bytes, cuts), whole);
        assert.deepEqual(read(bytes, [...bytes.keys()]), whole);
      }),
      tries(130),
    );
  });

  it('are read, or refused as unreadable, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(300)), (bytes, places) => {
        const cuts = places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b);
        try {
          read(bytes, cuts);
        } catch (error) {
          if (!isServiceError(error)) throw error;
        }
      }),
      tries(300),
    );
  });
});
