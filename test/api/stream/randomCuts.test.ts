// Wherever the bytes are cut, and however they arrive, every row comes once and in order.
import assert from 'node:assert/strict';
import { collect, endEvent, logEvent } from '../../support/following.ts';
import { createRandom } from '../../support/randomNumbers.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';

const rowCount = 40;
const encoder = new TextEncoder();
const expected = Array.from({ length: rowCount }, (_row, index) => `l${index + 1}`);

/** The stream as the contract frames it, from after a sequence. */
function framed(after: number, newline: string): Uint8Array {
  const rows = expected.slice(after).map((_key, index) => logEvent(after + index + 1));
  return encoder.encode(
    `retry: 3000\n\n${rows.join(': ping\n\n')}${endEvent('completed')}`.replaceAll('\n', newline),
  );
}

/** Bytes in pieces of any size, up to a cut. */
async function* cutAt(bytes: Uint8Array, end: number, random: () => number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < Math.min(end, bytes.length);) {
    await Promise.resolve();
    const size = 1 + Math.floor(random() * 200);
    yield bytes.subarray(start, Math.min(start + size, end));
    start += size;
  }
  const isComplete = end >= bytes.length;
  if (!isComplete && random() < 0.5) throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
}

async function run(seed: number): Promise<number> {
  const random = createRandom(seed);
  const ignoresAfter = seed % 3 === 0;
  const newline = ['\n', '\r\n', '\r'][seed % 5] ?? '\n';
  let streams = 0;
  const { client, clock } = createScriptedClient((path, request): ScriptedAnswer => {
    if (!request.isStream)
      return path.includes('/logs') ? { body: [] } : { body: { id: 'x', status: 'running' } };
    streams += 1;
    if (random() < 0.1) throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    const after = ignoresAfter ? 0 : Number(request.headers['Last-Event-ID'] ?? 0);
    const bytes = framed(after, newline);
    const end = Math.floor(random() * (ignoresAfter ? bytes.length * 1.1 : 2500));
    return { headers: { 'content-type': 'text/event-stream' }, body: cutAt(bytes, end, random) };
  });
  const follow = client.executions.follow('x', {}, new AbortController().signal);
  const { items, isOver } = await collect(clock, follow, 3600);
  assert.ok(isOver, `seed ${seed} did not end`);
  assert.deepEqual(
    items.filter((item) => /^l\d/.test(item)),
    expected,
    `seed ${seed}`,
  );
  assert.equal(items.at(-1), 'end completed');
  return streams - 1;
}

describe('a stream that is cut', () => {
  it('loses and doubles nothing, wherever it is cut', async () => {
    let drops = 0;
    for (let seed = 1; seed <= 80; seed += 1) drops += await run(seed);
    assert.ok(drops > 160, `only ${drops} drops`);
  });
});
