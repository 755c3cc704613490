// A service with as many failed executions as are wanted, that searches by itself or lets its details be held back.
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { connect } from './commands.ts';

const someKey = ['svc', 'sk', 'c'.repeat(20)].join('_');

interface SearchedServiceOptions {
  readonly count: number;
  /** Whether it has the capability to search. */
  readonly isSearching: boolean;
}

export interface SearchedService {
  readonly connectionId: string;
  /** From now on nothing but lists is answered, until the returned function is called. */
  readonly hold: () => () => void;
  readonly stop: () => void;
}

/** Newest first, from 0. */
const executionOf = (number: number) => {
  const time = new Date(Date.UTC(2026, 0, 2) - number * 60_000).toISOString();
  return {
    id: `exec_${String(number).padStart(6, '0')}`,
    workflowId: 'wf_1',
    status: 'failed',
    kind: 'deployed',
    error: { code: 'timeout', message: 'No answer', nodeId: 'call' },
    createdAt: time,
    startedAt: time,
    completedAt: time,
    durationMs: 30_000,
  };
};

const workflow = { id: 'wf_1', name: 'Orders', isDeployed: true };

/** Starts it in this process, and connects to it under a name. */
export async function startSearchedService(
  name: string,
  { count, isSearching }: SearchedServiceOptions,
): Promise<SearchedService> {
  let gate: Promise<unknown> = Promise.resolve();
  const answer = (response: ServerResponse, body: unknown): void => {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('X-RateLimit-Limit', '100000');
    response.setHeader('X-RateLimit-Remaining', '100000');
    response.setHeader('Workflow-Capabilities', isSearching ? 'cancel, retry, search' : 'cancel, retry');
    response.end(JSON.stringify(body));
  };
  const list = (query: URLSearchParams) => {
    const first = Number(query.get('cursor') ?? 0);
    const end = Math.min(count, first + Number(query.get('limit') ?? 50));
    const data = Array.from({ length: end - first }, (_, at) => ({
      ...executionOf(first + at),
      ...(query.has('q') && {
        found: [{ in: 'output', path: 'order.id', excerpt: `Order ${query.get('q') ?? ''}` }],
      }),
    }));
    return { data, nextCursor: end < count ? String(end) : null };
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [, , kind = '', id, part] = pathname.split('/');
    if (kind === 'workflows') answer(response, id === undefined ? { data: [workflow] } : workflow);
    else if (kind === 'executions' && id === undefined) answer(response, list(searchParams));
    else if (kind !== 'executions') response.writeHead(404).end();
    else
      void gate.then(() => {
        if (part === 'output') answer(response, { executionId: id, status: 'failed', output: null });
        else if (part === 'logs') answer(response, { data: [], nextCursor: null });
        else answer(response, { ...executionOf(Number(id?.slice(-6))), input: { order: `A-${id ?? ''}` } });
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  const connectionId = await connect(name, {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    key: someKey,
  });
  return {
    connectionId,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      gate = promise;
      return () => {
        gate = Promise.resolve();
        resolve(undefined);
      };
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
