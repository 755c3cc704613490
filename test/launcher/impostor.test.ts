// A program that listens where the local service was gets no session token and no API key.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { HttpLoader } from '../../src/api/http/httpLoader.ts';
import { createClient } from '../../src/api/client.ts';
import { SettingsClient } from '../../src/api/settingsClient.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import { Connections } from '../../src/model/connections/connections.ts';
import { LocalAccess, LocalService, type LocalServiceState } from '../../src/model/localService.ts';
import { Clients } from '../../src/model/connections/clients.ts';
import type { ClientFactory } from '../../src/model/ports.ts';
import { settingsOperations } from '../../src/protocol/operations.ts';
import { startLocalService } from '../../src/launcher/startLocalService.ts';
import { ProvenConnection } from '../../src/launcher/lease.ts';
import {
  type Instance,
  proveIdentity,
  readInstance,
  writeInstance,
} from '../../src/protocol/localService/instance.ts';
import { MemoryRecords, MemorySecrets, MemoryState } from '../support/memory/ports.ts';
import {
  createDataFolder,
  keeping,
  type Program,
  programPath,
  removeDataFolder,
  startProgram,
} from '../service/process/program.ts';
import { systemClock } from '../../src/base/time.ts';

/** Somebody at a port, who writes down all that is said to them. */
interface Impostor {
  readonly port: number;
  readonly heard: string[];
  close(): void;
}

async function pretend(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Impostor> {
  const heard: string[] = [];
  const server: Server = createServer((request, response) => {
    heard.push(`${request.url ?? ''} ${request.rawHeaders.join(' ')}`);
    answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    port: address.port,
    heard,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Any success, as a stream that never ends. */
const streaming = (_request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(': ping\n\n');
};
const agreeing = (_request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end('{"proof":true,"data":[]}');
};
const portOf = (baseUrl: string): number => Number(new URL(baseUrl).port);
const never = (): AbortSignal => new AbortController().signal;

describe('An impostor at the port of the local service', () => {
  let dataFolder = '';
  const owned = new DisposableStore();
  const impostors: Impostor[] = [];
  const programs: Program[] = [];
  const meet = async (...given: Parameters<typeof pretend>): Promise<Impostor> => {
    const impostor = await pretend(...given);
    impostors.push(impostor);
    return impostor;
  };
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) await program.kill();
    for (const impostor of impostors.splice(0)) impostor.close();
    await removeDataFolder(dataFolder);
  });
  after(() => owned.dispose());

  const open = () =>
    startLocalService({
      nodePath: process.execPath,
      servicePath: programPath,
      ...keeping,
      dataFolder,
      samples: false,
      signal: never(),
      logger: silentLogger,
    });
  const instance = async (): Promise<Instance> => {
    const found = await readInstance(dataFolder);
    assert.ok(found);
    return found;
  };

  for (const [how, answer] of [
    ['answers everything with an event stream', streaming],
    ['agrees to everything', agreeing],
  ] as const)
    it(`that ${how} gets no session token`, async () => {
      const crashed = await startProgram(dataFolder);
      const { sessionToken } = await instance();
      await crashed.kill();
      const impostor = await meet(portOf(crashed.baseUrl), answer);
      const service = await open();
      assert.notEqual(service.baseUrl, crashed.baseUrl);
      assert.ok(impostor.heard.length > 0, 'it was asked who it is');
      assert.ok(!impostor.heard.some((said) => said.includes(sessionToken) || /x-session/i.test(said)));
      await service.stop();
      service.dispose();
    });

  it('that relays the proof of the real service gets no token either', async () => {
    const program = await startProgram(dataFolder);
    const real = await instance();
    programs.push(program);
    const relay = await meet(0, (request, response) => {
      void fetch(new URL(request.url ?? '', real.baseUrl)).then(async (answered) => {
        response.writeHead(answered.status, { 'Content-Type': 'application/json' });
        response.end(await answered.text());
      });
    });
    await writeInstance(dataFolder, { ...real, baseUrl: `http://127.0.0.1:${relay.port}/v1` });
    assert.equal(await ProvenConnection.open(await instance(), never()), undefined);
    assert.ok(!relay.heard.join().includes(real.sessionToken));
    const proven = await ProvenConnection.open(real, never());
    assert.ok(proven, 'at its own address it is believed');
    proven.dispose();
  });

  it('that takes the port right after the proof gets no token', async () => {
    const sessionToken = 'token-of-the-service';
    const service = await meet(0, (request, response) => {
      const nonce = new URL(request.url ?? '', 'http://localhost').searchParams.get('nonce') ?? '';
      const proof = proveIdentity(sessionToken, nonce, `http://127.0.0.1:${service.port}`);
      response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(JSON.stringify({ proof }));
    });
    const baseUrl = `http://127.0.0.1:${service.port}/v1`;
    const proven = await ProvenConnection.open({ baseUrl, pid: process.pid, sessionToken }, never());
    assert.ok(proven);
    await assert.rejects(proven.send(settingsOperations.stop, never()), /has closed/);
    assert.equal(service.heard.length, 1);
    proven.dispose();
  });

  /** A window: the model with the real client, over what the machine keeps. */
  function openWindow(records: MemoryRecords, secrets: MemorySecrets) {
    const http = owned.add(
      new HttpLoader(() => ({
        proxy: undefined,
        noProxy: [],
        strictTls: true,
        systemCertificates: false,
        environment: {},
      })),
    );
    const access = owned.add(new LocalAccess());
    const parts = { clock: systemClock, logger: silentLogger, keyPrefix: () => 'svc_sk_' };
    const budgets = owned.add(new Budgets({ clock: systemClock }));
    const connect: ClientFactory = (connection, readKey, owner) =>
      createClient({
        owner,
        ...parts,
        http: http.load,
        baseUrl: connection.baseUrl,
        budgets,
        key: access.guard(connection, readKey),
      });
    const connections = owned.add(
      new Connections({
        ...parts,
        records,
        secrets,
        createClient: connect,
        workspaceState: new MemoryState(),
        createId: () => 'local',
      }),
    );
    const clients = owned.add(new Clients(connections, connect));
    const localService = owned.add(
      new LocalService({
        connections,
        access,
        launch: open,
        names: { connection: 'Local', key: 'Test' },
        createSettings: ({ origin, sessionToken }) =>
          new SettingsClient({ ...parts, http: http.load, origin, sessionToken }),
      }),
    );
    return { clients, connections, localService };
  }

  it('gets no key, neither from the window that saw the service end nor from one that opens later', async () => {
    const [records, secrets] = [new MemoryRecords(), new MemorySecrets()];
    const program = await startProgram(dataFolder);
    const { clients, localService } = openWindow(records, secrets);
    const { id, baseUrl } = await localService.start(never());
    assert.equal(baseUrl, program.baseUrl);
    await clients.get(id).workflows.list({ limit: 1 });

    const stopped = new Promise<LocalServiceState>((resolve) => localService.state.onDidChange(resolve));
    await program.kill();
    assert.equal((await stopped).kind, 'stopped');
    const impostor = await meet(portOf(baseUrl), agreeing);
    const isRefused = (error: unknown) => isServiceError(error, 'unreachable');
    await assert.rejects(clients.get(id).workflows.list({ limit: 1 }), isRefused);
    await assert.rejects(clients.get(id).workflows.execute('wf_1', {}), isRefused);
    const later = openWindow(records, secrets);
    await assert.rejects(later.clients.get(id).workflows.list({ limit: 1 }), isRefused);
    assert.deepEqual(impostor.heard, []);

    // A start under way is waited for, and its service gets the calls.
    const starting = later.localService.start(never());
    const rejected = assert.rejects(later.clients.get(id).workflows.list({ limit: 1 }), isRefused);
    const moved = await starting;
    await rejected;
    assert.notEqual(moved.baseUrl, baseUrl);
    assert.deepEqual((await later.clients.get(id).workflows.list({ limit: 1 })).items, []);
    assert.ok(!impostor.heard.some((said) => /authorization|svc_sk_/i.test(said)), impostor.heard.join('\n'));
    await later.localService.stop();
  });
});
