// A service that carries out what it was asked for, and doesn't say so.
import assert from 'node:assert/strict';
import type { HttpPort, HttpRequest, HttpResponse } from '../../src/api/http/httpPort.ts';
import { Clone, connect, createRemote, definitionOf, kindsOf, type Remote } from './filesWorld.ts';

const file = (name: string): string => `${name}.workflow.json`;

const respond = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse => {
  const response = new Response('', { status, headers });
  return { status, statusText: '', headers: response.headers, body: null };
};

type Lie = (request: HttpRequest) => HttpResponse;
const lies: Readonly<Record<string, Lie>> = {
  'responds 500': () => respond(500),
  'responds 503': () => respond(503),
  'responds 429': () => respond(429, { 'retry-after': '0' }),
  'drops the connection': () => {
    throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
  },
};

/** Lies once about each write that `isMeant`, after the service has carried it out, or before. */
function lying(lie: Lie, isMeant: (method: string, url: string) => boolean, after: boolean) {
  const lied = new Set<string>();
  return (port: HttpPort): HttpPort =>
    async (url, request) => {
      const { method } = request;
      const key = `${method} ${url} ${String(request.body)}`;
      if (!isMeant(method, url) || lied.has(key)) return port(url, request);
      lied.add(key);
      if (after) await port(url, request);
      return lie(request);
    };
}

const isCreate = (method: string, url: string): boolean => method === 'POST' && url.endsWith('/import');
const isUpdate = (method: string): boolean => method === 'PATCH' || method === 'PUT';
const isDeploy = (method: string, url: string): boolean => method === 'POST' && url.endsWith('/deploy');

describe('a service', function () {
  this.timeout(60_000);
  let remote: Remote;
  beforeEach(async () => {
    remote = await createRemote();
  });
  afterEach(() => remote.dispose());

  for (const [what, lie] of Object.entries(lies))
    for (const after of [true, false])
      for (const [writes, isMeant] of Object.entries({ isCreate, isUpdate, isDeploy })) {
        const when = after ? 'carried out' : 'got';
        it(`that ${what} after it has ${when} a write (${writes}): none is there twice, none is lost`, async () => {
          const clone = new Clone(remote.model);
          await remote.create(definitionOf('A'));
          await clone.pull();
          clone.write(file('A'), definitionOf('A', 'input.changed'));
          clone.write(file('B'), definitionOf('B'));
          const model = await connect(remote.service, { through: lying(lie, isMeant, after) });
          try {
            const results = await clone.restarted(model).push({ deploys: true });
            // What was carried out is found out at once.
            if (after) assert.deepEqual(kindsOf(results), ['done', 'done']);
            assert.deepEqual(kindsOf(await clone.restarted(model).push({ deploys: true })), ['done', 'done']);
          } finally {
            model.dispose();
          }
          assert.deepEqual(await clone.states(), { [file('A')]: 'same', [file('B')]: 'same' });
          assert.deepEqual(await remote.names(), ['A', 'B']);
          assert.deepEqual(
            await remote.read(clone.idOf(file('A')) ?? ''),
            definitionOf('A', 'input.changed'),
          );
          const { workflows, connectionId } = remote.model;
          for (const name of ['A', 'B']) {
            const workflowId = clone.idOf(file(name)) ?? '';
            assert.equal((await workflows.read({ connectionId, workflowId })).isDeployed, true);
          }
        });
      }
});
