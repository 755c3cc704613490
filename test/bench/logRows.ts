// What a log row costs on its way from the wire to the channel, among few rows and among many: the real client on a scripted port, the model, the channel's buffering.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/time.ts';
import { LogChannel } from '../../src/features/executions/following/logChannel.ts';
import { endEvent } from '../support/following.ts';
import { connectBoth, createWorld } from '../support/memory/world.ts';
import { HandClock } from '../support/memory/ports.ts';
import { createScriptedPort } from '../support/scriptedPort.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { createClient } from '../../src/api/client.ts';

const encoder = new TextEncoder();
const rounds = 3;
/** Rows in one piece. */
const together = 16;

function rowEvent(sequence: number, nodes: number): string {
  const row = {
    id: `log_${sequence}`,
    sequence,
    nodeId: `node_${sequence % nodes}`,
    message: `row ${sequence}`,
    startedAt: '2026-01-05T10:00:00.000Z',
    output: { sequence, text: 'some text' },
  };
  return `id: ${sequence}\nevent: log\ndata: ${JSON.stringify(row)}\n\n`;
}

/** The rows in pieces of so many, each in a turn of the event loop as from a socket. */
async function* stream(rows: number, nodes: number, atOnce: number): AsyncGenerator<Uint8Array> {
  for (let sequence = 0; sequence < rows; sequence += atOnce) {
    const count = Math.min(atOnce, rows - sequence);
    const events = Array.from({ length: count }, (_row, index) => rowEvent(sequence + index, nodes));
    await nextTurn();
    yield encoder.encode(events.join(''));
  }
  yield encoder.encode(endEvent('completed'));
}

/** Follows an execution of so many rows to its end; milliseconds, and how often the channel was written to. */
async function follow(rows: number, nodes: number, atOnce: number) {
  const { port } = createScriptedPort((_url, { isStream }) =>
    isStream
      ? { headers: { 'content-type': 'text/event-stream' }, body: stream(rows, nodes, atOnce) }
      : { body: { id: 'x', status: 'completed' } },
  );
  const world = createWorld({
    clock: new HandClock(),
    createClient: ({ baseUrl }, key) =>
      createClient({
        http: () => Promise.resolve(port),
        baseUrl,
        key,
        keyPrefix: () => 'svc_sk_',
        budgets: new Budgets({ clock: systemClock }),
        logger: silentLogger,
      }),
  });
  const [connectionId] = await connectBoth(world);
  const target = { connectionId, executionId: 'x' };
  let writes = 0;
  const channel = new LogChannel(
    {
      open: () => ({ append: () => (writes += 1), show: () => undefined, dispose: () => undefined }),
      isInSight: () => false,
    },
    systemClock,
  );
  const kept = world.executions.keepLogs(target);
  kept.feed.onDidAppend(({ lines }) => channel.append(lines.map(({ text }) => text)));
  const began = performance.now();
  const state = await world.following.follow(target).done;
  const ms = performance.now() - began;
  if (state.kind !== 'ended' || kept.feed.count !== rows) throw new Error('Not all rows came.');
  channel.dispose();
  kept.dispose();
  world.following.dispose();
  return { ms, writes };
}

const label = (rows: number, nodes: number): string =>
  `${rows.toLocaleString('en')} rows of ${nodes === 1 ? 'one node' : `${nodes} nodes`}`;

async function measure(rows: number, nodes: number): Promise<Figure> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) values.push((await follow(rows, nodes, together)).ms);
  const compared = rows > 8000 ? { comparedTo: label(rows / 2, nodes), aim: 'at most 2.2 ×' } : {};
  return { name: label(rows, nodes), values, unit: 'ms', ...compared };
}

export const logRows: Benchmark = {
  name: 'Log rows from the wire to the channel, sixteen in a piece',
  async measure() {
    await follow(8000, 1, together);
    const figures: Figure[] = [];
    for (const nodes of [1, 20])
      for (const rows of [8000, 16_000, 32_000]) figures.push(await measure(rows, nodes));
    const { writes } = await follow(1000, 1, 1000);
    return [...figures, { name: '1,000 rows in one piece', values: [writes], unit: 'writes', aim: '1' }];
  },
};
