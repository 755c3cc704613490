// A start of the local service is shared, and whoever leaves it, or closes the window, takes it from nobody else and leaves no lease behind.
import assert from 'node:assert/strict';
import { SettingsClient } from '../../src/api/settingsClient.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import { LocalService, type LocalServiceDeps } from '../../src/model/localService.ts';
import { createAppPort } from '../support/appPort.ts';
import { settle } from '../support/memory/ports.ts';
import { createWorld, type World } from '../support/memory/world.ts';

const created = JSON.stringify({ id: 'key_1', key: `svc_sk_${'k'.repeat(32)}` });
const headers = { 'Content-Type': 'application/json' };
const settingsPort = createAppPort({ request: () => new Response(created, { headers, status: 201 }) });

type Launched = Awaited<ReturnType<LocalServiceDeps['launch']>>;

describe('a start of the local service', () => {
  let localService: LocalService;
  let launches: { readonly signal: AbortSignal; readonly settled: PromiseWithResolvers<Launched> }[];
  let leases: number;
  let world: World;
  /** Called once the settings are opened. */
  let onSettings: () => void;

  beforeEach(() => {
    [launches, leases] = [[], 0];
    world = createWorld();
    onSettings = () => undefined;
    localService = new LocalService({
      connections: world.connections,
      access: { set: () => undefined },
      launch: (signal) => {
        const settled = Promise.withResolvers<Launched>();
        launches.push({ signal, settled });
        return settled.promise;
      },
      createSettings: (service) => {
        onSettings();
        return new SettingsClient({ ...service, http: () => Promise.resolve(settingsPort) });
      },
      names: { connection: 'Local', key: 'Test' },
    });
  });

  const running = (): Launched => {
    leases += 1;
    return {
      baseUrl: 'http://127.0.0.1:1/v1',
      origin: 'http://127.0.0.1:1',
      sessionToken: 'token',
      onDidEnd: () => ({ dispose: () => undefined }),
      stop: () => Promise.resolve(),
      dispose: () => (leases -= 1),
    };
  };

  it('goes on for the others when one of them cancels, and ends with the last one', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const starts = [first, second].map(({ signal }) => assert.rejects(localService.start(signal), /left/));
    await settle();
    first.abort(new Error('first left'));
    await starts[0];
    const [launch] = launches;
    assert.deepEqual([launches.length, launch?.signal.aborted], [1, false]);
    second.abort(new Error('second left'));
    await starts[1];
    assert.equal(launch?.signal.aborted, true);
    const again = assert.rejects(localService.start(new AbortController().signal), /no service/);
    launch.settled.reject(new Error('cancelled'));
    await settle();
    launches[1]?.settled.reject(new Error('no service'));
    await again;
    assert.equal(localService.state.current.kind, 'stopped');
  });

  it('leaves no lease behind that is granted after the window has closed', async () => {
    const start = assert.rejects(localService.start(new AbortController().signal));
    await settle();
    localService.dispose();
    launches[0]?.settled.resolve(running());
    await settle();
    assert.equal(leases, 0);
    await start;
  });

  it('that fails, or is cancelled, leaves a service alone that runs already', async () => {
    const { signal } = new AbortController();
    const first = localService.start(signal);
    await settle();
    launches[0]?.settled.resolve(running());
    await first;
    world.secrets.get = () => Promise.reject(new Error('The keyring is locked.'));
    await assert.rejects(localService.start(signal), (error) => isServiceError(error, 'secretStorage'));
    assert.deepEqual([localService.state.current.kind, leases, launches.length], ['running', 1, 1]);
  });

  it('takes the connection that another window added meanwhile', async () => {
    onSettings = () => {
      world.records.texts.set('version', '{"version":1}');
      const baseUrl = 'http://127.0.0.1:1/v1';
      world.records.storeConnections({ id: 'local', name: 'Theirs', kind: 'local', baseUrl });
    };
    const start = localService.start(new AbortController().signal);
    await settle();
    launches[0]?.settled.resolve(running());
    assert.equal((await start).name, 'Theirs');
    assert.deepEqual([localService.state.current.kind, leases], ['running', 1]);
  });

  it('that is under way is ended by a stop, not begun after it', async () => {
    const start = localService.start(new AbortController().signal);
    await settle();
    let stops = 0;
    const stop = localService.stop();
    launches[0]?.settled.resolve({
      ...running(),
      stop: () => {
        stops += 1;
        return Promise.resolve();
      },
    });
    await Promise.all([start, stop]);
    assert.deepEqual([stops, leases, localService.state.current.kind], [1, 0, 'stopped']);
  });
});
