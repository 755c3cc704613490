// An event stream is read the same however its bytes are cut into pieces (contract section 7.5).
import assert from 'node:assert/strict';
import { isServiceError } from '../../../src/domain/serviceError.ts';
import { pollDelay, reconnectDelay } from '../../../src/api/stream/backOff.ts';
import { readEvents, type StreamEvent } from '../../../src/api/stream/events.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    await Promise.resolve();
    yield bytes.subarray(start, start + size);
  }
}

async function read(text: string, size = 7): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(inPieces(new TextEncoder().encode(text), size))) events.push(event);
  return events;
}

const data = (value: StreamEvent & { kind: 'data' }): StreamEvent => value;

describe('events', () => {
  const rows: readonly (readonly [string, string, readonly StreamEvent[]])[] = [
    [
      'LF',
      'id: 1\nevent: log\ndata: {"a":1}\n\n',
      [data({ kind: 'data', id: '1', data: { a: 1 }, name: 'log' })],
    ],
    [
      'CRLF',
      'id: 1\r\nevent: log\r\ndata: {"a":1}\r\n\r\n',
      [data({ kind: 'data', id: '1', data: { a: 1 }, name: 'log' })],
    ],
    [
      'CR',
      'id: 1\rdata: {"a":1}\r\rdata: 2\r\r',
      [data({ kind: 'data', id: '1', data: { a: 1 } }), data({ kind: 'data', id: undefined, data: 2 })],
    ],
    [
      'a BOM and a comment',
      '\uFEFF: ping\n\ndata:{"a":1}\n\n',
      [data({ kind: 'data', id: undefined, data: { a: 1 } })],
    ],
    [
      'data on several lines',
      'data: {"a":\ndata: 1}\n\n',
      [data({ kind: 'data', id: undefined, data: { a: 1 } })],
    ],
    [
      'text that is no JSON',
      'data: héllo wörld ✓\n\n',
      [data({ kind: 'data', id: undefined, data: 'héllo wörld ✓' })],
    ],
    ['an id with NUL', 'id: a\0b\ndata: 1\n\n', [data({ kind: 'data', id: undefined, data: 1 })]],
    ['retry', 'retry: 3000\n\nretry: soon\n\n', [{ kind: 'retry', retryMs: 3000 }]],
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
    [
      'an event that was cut off',
      'data: {"a":1}\n\nid: 2\ndata: {"a":',
      [data({ kind: 'data', id: undefined, data: { a: 1 } })],
    ],
  ];
  for (const [title, text, expected] of rows)
    it(`reads ${title}, cut anywhere`, async () => {
      for (const size of [1, 2, 3, 5, 1000])
        assert.deepEqual(await read(text, size), expected, `pieces of ${size}`);
    });

  it('refuses an event without end', async () => {
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      const piece = new TextEncoder().encode(`data: ${'x'.repeat(1024 * 1024)}`);
      for (;;) {
        await Promise.resolve();
        yield piece;
      }
    };
    await assert.rejects(
      async () => {
        for await (const event of readEvents(endless())) assert.fail(event.kind);
      },
      (error) => isServiceError(error, 'unreadable'),
    );
  });
});

describe('back-off', () => {
  it('doubles from a second to thirty, with jitter, above the floor', () => {
    const delays = (random: number, floor = 0): readonly number[] =>
      [0, 1, 2, 3, 4, 5, 99].map((failures) => reconnectDelay(failures, floor, () => random));
    assert.deepEqual(delays(0), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    assert.deepEqual(delays(1), [1500, 3000, 6000, 12_000, 24_000, 30_000, 30_000]);
    assert.deepEqual(delays(0, 3000), [3000, 3000, 4000, 8000, 16_000, 30_000, 30_000]);
    assert.equal(
      reconnectDelay(0, 10 ** 9, () => 0),
      300_000,
    );
  });

  it('polls ever more slowly', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 9].map((idle) => pollDelay(idle, () => 0.5)),
      [2000, 3000, 5000, 8000, 15_000, 15_000],
    );
    assert.deepEqual([pollDelay(0, () => 0), pollDelay(0, () => 1)], [1800, 2200]);
  });
});
