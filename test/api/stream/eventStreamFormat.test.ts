// The format of event streams as the WHATWG's standard has it (HTML, section 9.2.6), fact by fact, however the bytes are cut.
import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/base/json.ts';
import { readStream, type StreamEvent } from '../../support/streamEvents.ts';

/** Data as it is, with its id and its name where it has them; "#" and an id that came without data. */
function outline(events: readonly StreamEvent[]): readonly string[] {
  return events.map((event) => {
    switch (event.kind) {
      case 'data':
        return [asText(event.data), event.id && `#${event.id}`, event.name].filter(Boolean).join(' ');
      case 'position':
        return `#${event.id}`;
      case 'retry':
        return `retry ${event.retryMs}`;
      default:
        return event.kind;
    }
  });
}

const asText = (data: JsonValue): string => (typeof data === 'string' ? data : JSON.stringify(data));

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function inPieces(bytes: Uint8Array, sizeOf: () => number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + sizeOf();
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** Numbers that look random and are the same each time. */
function createSizes(): () => number {
  let seed = 7;
  return () => 1 + ((seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % 9);
}

/** Behind each line end: between the two signs of one, too. */
const atLineEnds = (bytes: Uint8Array): readonly Uint8Array[] => {
  const ends = [...bytes].flatMap((byte, index) => (byte === 10 || byte === 13 ? [index + 1] : []));
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
};

const cuts: readonly (readonly [title: string, cut: (bytes: Uint8Array) => readonly Uint8Array[]])[] = [
  ['whole', (bytes) => [bytes]],
  ['byte by byte', (bytes) => inPieces(bytes, () => 1)],
  ['in threes, which cut characters', (bytes) => inPieces(bytes, () => 3)],
  ['at line ends', atLineEnds],
  ['anywhere', (bytes) => inPieces(bytes, createSizes())],
];

const facts: readonly (readonly [title: string, stream: string, wanted: readonly string[]])[] = [
  ['lines may end in three ways, mixed', 'data: a\r\rdata: b\n\ndata: c\r\n\r\n', ['a', 'b', 'c']],
  ['CR, LF is one line end', 'data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n', ['a\nb', 'c']],
  ['LF, CR are two', 'data: a\n\rdata: b\n\r', ['a', 'b']],
  ['one byte order mark at the start is none of it', '\uFEFFdata: a\n\n', ['a']],
  ['a byte order mark later belongs to the line', 'data: a\n\n\uFEFFdata: b\n\ndata: c\n\n', ['a', 'c']],
  ['a second byte order mark belongs to the line', '\uFEFF\uFEFFdata: a\n\ndata: b\n\n', ['b']],
  ['several lines of data are joined', 'data: a\ndata:\ndata: b\n\n', ['a\n\nb']],
  ['one space behind the colon goes, and no more', 'data:a\n\ndata:  b\n\ndata:\tc\n\n', ['a', ' b', '\tc']],
  ['a value keeps its other colons', 'data: a: b:c\n\n', ['a: b:c']],
  ['a field without a colon has an empty value', 'data\ndata\ndata: a\n\n', ['\n\na']],
  [
    'names of fields are taken as they are written',
    'Data: a\nDATA: b\n data: c\ndata : d\ndata: e\n\n',
    ['e'],
  ],
  ['unknown fields are passed over', 'cheese: a\ndatas: b\ndat: c\n: d\ndata: e\n\n', ['e']],
  ['comments are passed over', ': a\n:\n:data: b\ndata: c\n: d\n\n', ['c']],
  ['nothing but comments is no event', ': a\n\n: b\n\n', []],
  ['empty lines alone are no events', '\n\n\r\n\r\ndata: a\n\n\n\n', ['a']],
  ['an event without its empty line is none', 'data: a\n\ndata: b\n', ['a']],
  ['an event that is cut in its line is none', 'data: a\n\ndata: b', ['a']],
  ['an event has a name', 'event: x\ndata: a\n\ndata: b\n\n', ['a x', 'b']],
  ['of several names the last one counts', 'event: x\nevent: y\ndata: a\n\n', ['a y']],
  ['an empty name is none', 'event: x\nevent:\ndata: a\n\n', ['a']],
  ['a name without data is no event, and none of the next', 'event: x\n\ndata: a\n\n', ['a']],
  ['an event has an id', 'id: 1\ndata: a\n\ndata: b\n\n', ['a #1', 'b']],
  ['of several ids the last one counts', 'id: 1\nid: 2\ndata: a\n\n', ['a #2']],
  ['an id may stand behind the data', 'data: a\nid: 1\n\n', ['a #1']],
  ['an id without data counts', 'data: a\n\nid: 5\n\n', ['a', '#5']],
  ['an id without data counts before the next event', 'id: 5\n\ndata: a\n\n', ['#5', 'a']],
  [
    'ids without data count one after the other',
    'id: 5\n\nid: 6\n\nid: 7\ndata: a\n\n',
    ['#5', '#6', 'a #7'],
  ],
  ['an id with a comment alone counts', ': idle\nid: 5\n\n', ['#5']],
  ['an id of a ping counts', 'event: ping\nid: 5\ndata: {}\n\n', ['#5']],
  ['an id of an event that says nothing counts', 'id: 5\ndata\n\n', ['#5']],
  ['an id whose event never ends does not count', 'data: a\n\nid: 5\n', ['a']],
  ['an id with NUL is none', 'id: 1\0\ndata: a\n\n', ['a']],
  ['an id keeps its spaces', 'id:  a b \ndata: x\n\n', ['x # a b ']],
  [
    'a time to wait is digits',
    'retry: 10\n\nretry: 1s\n\nretry:-1\n\nretry\n\ndata: a\n\n',
    ['retry 10', 'a'],
  ],
  ['a time to wait needs no event', 'retry: 10\ndata: a\n\n', ['retry 10', 'a']],
  ['texts are UTF-8', 'data: ok… ✓ 𝄞\n\nid: ü\ndata: a\n\n', ['ok… ✓ 𝄞', 'a #ü']],
  ['separators of Unicode end no line', 'data: a\u2028b\u0085c\u000bd\n\n', ['a\u2028b\u0085c\u000bd']],
  ['NUL belongs to the data', 'data: a\0b\n\n', ['a\0b']],
  ['spaces alone are data', 'data:  a \n\n', [' a ']],
];

describe('the format of event streams', () => {
  for (const [title, stream, wanted] of facts)
    it(title, () => {
      for (const [how, cut] of cuts) assert.deepEqual(outline(readStream(cut(encode(stream)))), wanted, how);
    });

  it('takes bytes that are no UTF-8 as one sign each', () => {
    const bytes = Uint8Array.from([...encode('data: a'), 0xff, 0xc3, ...encode('b\n\n')]);
    for (const [how, cut] of cuts) assert.deepEqual(outline(readStream(cut(bytes))), ['a\uFFFD\uFFFDb'], how);
  });

  // What the standard has otherwise, and why it's so here.
  it('leaves out an event whose data is blank: no service says anything with it', () => {
    assert.deepEqual(readStream([encode('data\n\ndata: a\n\n')]).length, 1);
  });

  it('keeps the id before an empty one, which would begin anew: rows would come twice', () => {
    const events = readStream([encode('id: 1\ndata: a\n\nid\ndata: b\n\n')]);
    assert.deepEqual(outline(events), ['a #1', 'b']);
  });
});
