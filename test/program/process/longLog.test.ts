// A log that is larger than the memory that a command gets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createCommandLine } from '../../support/commandLine.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createDataFolder, removeDataFolder } from '../../service/process/program.ts';

const rowCount = 10_000;
/** All rows have 200 MB. */
const filler = 'x'.repeat(20_000);
/** In MB: the program itself takes a third of it. */
const memory = 96;
const together = 50;
const key = ['svc', 'sk', 'abcdefghijklmnopqrst'].join('_');

const rowAt = (sequence: number) => ({
  id: `log_${sequence}`,
  sequence,
  nodeId: 'work',
  level: 'info',
  message: `${sequence} ${filler}`,
  timestamp: new Date(sequence).toISOString(),
});
const rowsFrom = (from: number, count: number) =>
  Array.from({ length: Math.min(count, rowCount - from + 1) }, (_, at) => rowAt(from + at));

async function stream(response: ServerResponse, after: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let from = after + 1; from <= rowCount; from += together) {
    const events = rowsFrom(from, together).map(
      (row) => `id: ${row.sequence}\nevent: log\ndata: ${JSON.stringify(row)}\n\n`,
    );
    if (!response.write(events.join(''))) await once(response, 'drain');
  }
  response.end('event: end\ndata: {"status":"completed"}\n\n');
}

describe('a log that is larger than the memory', () => {
  let folder = '';
  let server: Running;
  before(async () => {
    folder = await createDataFolder();
    server = await serve((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const after = Number(searchParams.get('cursor') ?? searchParams.get('after') ?? 0);
      const send = (body: object): void => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      if (!pathname.endsWith('/logs')) send({ id: 'exec_1', workflowId: 'wf_1', status: 'completed' });
      else if (request.headers.accept?.includes('event-stream') === true) void stream(response, after);
      else send({ data: rowsFrom(after + 1, together), nextCursor: String(after + together) });
    });
  });
  after(async () => {
    await server.close();
    await removeDataFolder(folder);
  });

  for (const [how, words] of Object.entries({ 'as one JSON value': ['--json'], 'as lines': [] }))
    it(`is written ${how}, whole and in order`, async () => {
      const line = createCommandLine(folder, `http://127.0.0.1:${server.port}/v1`, key);
      const child = line.start(['execution', 'logs', 'exec_1', ...words], {
        ...line.environment,
        NODE_OPTIONS: `--max-old-space-size=${memory}`,
      });
      assert.ok(child.stdout && child.stderr);
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      const found: number[] = [];
      let [begin, end] = ['', ''];
      for await (const chunk of child.stdout) {
        const text = String(chunk);
        begin ||= text.slice(0, 1);
        const whole = `${end}${text}`;
        found.push(...Array.from(whole.matchAll(/[": ](\d+) x{20}/g), ([, number]) => Number(number)));
        // What might be the beginning of the next number.
        end = whole.slice(-40).replace(/^.*x{20}/s, '');
      }
      if (child.exitCode === null) await once(child, 'close');
      assert.deepEqual([child.exitCode, errors], [0, '']);
      assert.deepEqual([found.length, found[0], found.at(-1)], [rowCount, 1, rowCount]);
      assert.ok(found.every((number, at) => number === at + 1));
      if (words.length > 0) assert.deepEqual([begin, end.slice(-2)], ['[', ']\n']);
    });
});
