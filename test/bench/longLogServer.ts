// A service of one execution that says as many lines as it's asked for, as fast as they're taken. A process of its own, so that it takes no time of the one that reads.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { serve } from '../support/servers.ts';

const filler = 'x'.repeat(180);
const together = 200;
const nodes = 20;
const start = Date.UTC(2026, 0, 5, 10);

/** About 300 bytes as they're sent, and the message a hundred bytes shorter. */
function eventOf(sequence: number, lineCount: number): string {
  const node = Math.floor((sequence * nodes) / (lineCount + 1));
  const row = {
    id: `log_${sequence}`,
    sequence,
    nodeId: `node_${node}`,
    level: sequence % 10_000 === 0 ? 'error' : 'info',
    message: `mark-${sequence}- ${filler}`,
    timestamp: new Date(start + sequence).toISOString(),
    startedAt: new Date(start + node).toISOString(),
  };
  return `id: ${sequence}\nevent: log\ndata: ${JSON.stringify(row)}\n\n`;
}

async function stream(response: ServerResponse, after: number, lineCount: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let from = after + 1; from <= lineCount; from += together) {
    const count = Math.min(together, lineCount - from + 1);
    const events = Array.from({ length: count }, (_, at) => eventOf(from + at, lineCount));
    if (!response.write(events.join(''))) await once(response, 'drain');
  }
  response.end('event: end\ndata: {"status":"completed"}\n\n');
}

const ended = new Set<string>();
const running = await serve((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const json = (body: object) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const [, id = '', lines, part] = /^\/v1\/executions\/(lines_(\d+)\w*)(\/logs)?/.exec(pathname) ?? [];
  if (id === '') json({ data: [], nextCursor: null });
  else if (part === undefined) json({ id, workflowId: 'w', status: ended.has(id) ? 'completed' : 'running' });
  else void stream(response, Number(searchParams.get('after') ?? 0), Number(lines)).then(() => ended.add(id));
});
process.stdout.write(`${running.port}\n`);
