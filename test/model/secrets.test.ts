// What a window knows of the local service's secrets.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ObservableValue } from '../../src/base/event.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/time.ts';
import type { HttpPort } from '../../src/api/http/httpPort.ts';
import { SettingsClient } from '../../src/api/settingsClient.ts';
import type { LocalServiceState } from '../../src/model/localService.ts';
import { LocalSecrets } from '../../src/model/secrets.ts';
import { SecretsKey } from '../../src/service/secrets/secretsKey.ts';
import { createAppPort } from '../support/appPort.ts';
import { createTestService, type TestService } from '../support/service.ts';

describe('The secrets that a window knows', () => {
  let service: TestService;
  before(async () => {
    const current = new SecretsKey('a key of thirty-two characters or more');
    service = await createTestService({ secretsKeys: { current, old: [] } });
  });
  after(() => service.dispose());

  it('are those of the running service, by name, after each change', async () => {
    const settings = new SettingsClient({
      http: () => Promise.resolve(createAppPort(service.app)),
      origin: 'http://127.0.0.1:1',
      sessionToken: service.sessionToken,
      clock: systemClock,
    });
    const state = new ObservableValue<LocalServiceState>({ kind: 'stopped' });
    const secrets = new LocalSecrets({ localService: { state }, logger: silentLogger });
    const known = () => secrets.known.current;
    assert.equal(known(), undefined);
    state.set({ kind: 'running', baseUrl: 'http://127.0.0.1:1/v1', settings });
    await settings.setSecret('A_TOKEN', { value: 'a value of it' });
    await secrets.reload();
    const secret = known()?.get('A_TOKEN');
    assert.equal(secret?.isUnreadable, false);
    assert.ok(secret.updatedAt instanceof Date);
    await assert.rejects(settings.setSecret('1A', { value: 'a value of it' }));
    await settings.deleteSecret('A_TOKEN');
    await secrets.reload();
    assert.equal(known()?.size, 0);
    state.set({ kind: 'stopped' });
    await secrets.reload();
    assert.equal(known(), undefined);
    secrets.dispose();
    settings.dispose();
  });

  it('are those of the latest request, in whatever order the answers come', async () => {
    const app = createAppPort(service.app);
    const held: (() => void)[] = [];
    const http: HttpPort = async (url, request) => {
      const answer = await app(url, request);
      if (request.method === 'GET') await new Promise<void>((resolve) => held.push(resolve));
      return answer;
    };
    const settings = new SettingsClient({
      http: () => Promise.resolve(http),
      origin: 'http://127.0.0.1:1',
      sessionToken: service.sessionToken,
    });
    const state = new ObservableValue<LocalServiceState>({
      kind: 'running',
      baseUrl: 'http://127.0.0.1:1/v1',
      settings,
    });
    const secrets = new LocalSecrets({ localService: { state }, logger: silentLogger });
    const untilHeld = async (count: number): Promise<void> => {
      while (held.length < count) await nextTurn();
    };
    const earlier = secrets.reload();
    await untilHeld(1);
    await settings.setSecret('B_TOKEN', { value: 'a value of it' });
    const later = secrets.reload();
    await untilHeld(2);
    held[1]?.();
    await later;
    assert.deepEqual([...(secrets.known.current?.keys() ?? [])], ['B_TOKEN']);
    held[0]?.();
    await earlier;
    assert.deepEqual([...(secrets.known.current?.keys() ?? [])], ['B_TOKEN']);
    secrets.dispose();
    settings.dispose();
  });
});
