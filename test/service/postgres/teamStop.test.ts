// How a process of a team ends on a signal: what is under way ends first, unless a second signal says at once.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { createDatabase } from '../../support/storage.ts';
import {
  call,
  chain,
  createDeployed,
  execute,
  follow,
  openStream,
  readEvents,
  type Row,
  type Service,
} from '../calls.ts';
import { createKey, type Program, startTeamService, startWorker } from '../process/program.ts';

describe('A process of a team', function () {
  this.timeout(60_000);
  let address: DatabaseAddress;
  let api: Program;
  let service: Service;
  let onRequest: (response: ServerResponse) => void = () => undefined;
  const server = createServer((_request, response) => onRequest(response));
  let url = '';
  before(async () => {
    address = await createDatabase('stop');
    api = await startTeamService(address, '--no-worker');
    const { origin } = new URL(api.baseUrl);
    const request = (path: string, init?: RequestInit) => fetch(origin + path, init);
    service = { key: await createKey(address), app: { request } };
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await api.kill();
  });

  const beginHeld = async () => {
    const requested = new Promise<ServerResponse>((resolve) => (onRequest = resolve));
    const worker = await startWorker(address);
    const definition = chain(
      ['start', 'trigger'],
      ['call', 'httpRequest', { url }],
      ['last', 'transform', { expression: '1' }],
    );
    const executionId = await execute(service, await createDeployed(service, definition), {});
    return { worker, executionId, response: await requested };
  };

  it('lets a node under way end, and leaves the rest to another', async () => {
    const { worker, executionId, response } = await beginHeld();
    const exited = once(worker.child, 'exit');
    const stopping = new Promise<void>((resolve) =>
      worker.child.stderr?.on('data', (text: Buffer) => {
        if (text.includes('The process is stopping')) resolve();
      }),
    );
    worker.child.kill('SIGTERM');
    await stopping;
    response.end('ok');
    assert.deepEqual(await exited, [0, null], worker.errors());
    const logs = await call(service, 'GET', `/v1/executions/${executionId}/logs`);
    assert.match(JSON.stringify(logs.body), /"nodeId":"call".*"status":"completed"/);
  });

  it('ends its streams, which resume at another process', async () => {
    const other = await startTeamService(address, '--no-worker');
    const { origin } = new URL(other.baseUrl);
    const request = (path: string, init?: RequestInit) => fetch(origin + path, init);
    const { worker, executionId, response } = await beginHeld();
    const path = `/v1/executions/${executionId}/logs`;
    const read: Row[] = [];
    let stopped: Promise<void> | undefined;
    for await (const row of readEvents(await openStream({ key: service.key, app: { request } }, path))) {
      read.push(row);
      if (row.data['nodeId'] === 'call') stopped ??= other.terminate();
    }
    assert.ok(stopped, 'the stream ended before the signal');
    await stopped;
    assert.deepEqual([other.child.exitCode, read.at(-1)?.event], [0, 'log'], other.errors());
    const resumed = await openStream(service, path, { 'Last-Event-ID': read.at(-1)?.id ?? '' });
    response.end('ok');
    for await (const row of readEvents(resumed)) read.push(row);
    assert.equal(read.pop()?.event, 'end');
    assert.deepEqual(
      read.map(({ id }) => id),
      (await follow(service, executionId)).map((row) => JSON.stringify(row['sequence'])),
    );
    await worker.terminate();
  });

  it('ends at once on a second signal', async function () {
    if (process.platform === 'win32') this.skip();
    const { worker } = await beginHeld();
    const exited = once(worker.child, 'exit');
    const stopping = once(worker.child.stderr ?? worker.child, 'data');
    worker.child.kill('SIGTERM');
    await stopping;
    worker.child.kill('SIGINT');
    assert.deepEqual(await exited, [null, 'SIGINT']);
  });
});
