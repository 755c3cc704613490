// An event stream is read the same however its bytes are cut into pieces (contract section 7.5).
import assert from 'node:assert/strict';
import { isServiceError } from '../../../src/domain/errors.ts';
import { EventReader } from '../../../src/api/stream/events.ts';
import { backOff } from '../../../src/api/stream/retry.ts';
import { readStream, type StreamEvent } from '../../support/streamEvents.ts';
import { pollDelay } from '../../../src/domain/budget.ts';

function read(text: string, size = 7): readonly StreamEvent[] {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size));
  return readStream(pieces);
}

const data = (value: StreamEvent & { kind: 'data' }): StreamEvent => value;

describe('events', () => {
  const rows: readonly (readonly [string, string, readonly StreamEvent[]])[] = [
    [
      'a row with its id and name',
      'id: 1\nevent: log\ndata: {"a":1}\n\n',
      [data({ kind: 'data', id: '1', data: { a: 1 }, name: 'log' })],
    ],
    [
      'text that is no JSON',
      'data: héllo wörld ✓\n\n',
      [data({ kind: 'data', id: undefined, data: 'héllo wörld ✓' })],
    ],
    ['[DONE]', 'data: [DONE]\n\n', [{ kind: 'end', data: undefined }]],
    [
      'event: end',
      'event: end\ndata: {"status":"failed"}\n\n',
      [{ kind: 'end', data: { status: 'failed' } }],
    ],
    ['event: complete', 'event: complete\ndata: {}\n\n', [{ kind: 'end', data: {} }]],
    [
      'type in the JSON',
      'data: {"type":"end","status":"failed"}\n\n',
      [{ kind: 'end', data: { type: 'end', status: 'failed' } }],
    ],
    [
      'message as name',
      'event: message\ndata: {"kind":"complete"}\n\n',
      [{ kind: 'end', data: { kind: 'complete' } }],
    ],
    [
      'a node whose type is end',
      'data: {"nodeId":"n","type":"end"}\n\n',
      [data({ kind: 'data', id: undefined, data: { nodeId: 'n', type: 'end' } })],
    ],
    ['pings', 'event: ping\ndata: {}\n\ndata: {"type":"heartbeat"}\n\n', []],
  ];
  for (const [title, text, expected] of rows)
    it(`reads ${title}, cut anywhere`, () => {
      for (const size of [1, 2, 3, 5, 1000])
        assert.deepEqual(read(text, size), expected, `pieces of ${size}`);
    });

  it('hands over together what comes in one piece', () => {
    const reader = new EventReader();
    const { events } = reader.read(new TextEncoder().encode('data: 1\n\ndata: 2\n\ndata: 3'));
    assert.equal(events.length, 2);
    assert.equal(reader.read(new TextEncoder().encode('\n\n')).events.length, 1);
  });

  it('refuses an event without end', () => {
    const piece = new TextEncoder().encode(`data: ${'x'.repeat(1024 * 1024)}`);
    assert.throws(
      () => readStream(Array.from({ length: 20 }, () => piece)),
      (error) => isServiceError(error, 'unreadable'),
    );
  });
});

describe('back-off', () => {
  it('doubles from a second to thirty, with jitter, above the floor', () => {
    const delays = (random: number, floor = 0): readonly number[] =>
      [0, 1, 2, 3, 4, 5, 99].map((failures) => backOff(failures, floor, () => random));
    assert.deepEqual(delays(0), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    assert.deepEqual(delays(1), [1500, 3000, 6000, 12_000, 24_000, 30_000, 30_000]);
    assert.deepEqual(delays(0, 3000), [3000, 3000, 4000, 8000, 16_000, 30_000, 30_000]);
    assert.equal(
      backOff(0, 10 ** 9, () => 0),
      300_000,
    );
  });

  it('polls ever more slowly', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 9].map((idle) => pollDelay('watched', idle)),
      [2000, 3000, 5000, 8000, 15_000, 15_000],
    );
  });
});
