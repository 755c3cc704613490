// Nobody loses the value of a secret without being asked.
import assert from 'node:assert/strict';
import { SettingsClient } from '../../../src/api/settingsClient.ts';
import { ObservableValue } from '../../../src/base/event.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { Cancelled } from '../../../src/editor/prompts/prompts.ts';
import { storeSecret } from '../../../src/features/secrets/secretCommands.ts';
import type { LocalServiceState } from '../../../src/model/localService.ts';
import { LocalSecrets } from '../../../src/model/secrets.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { createAppPort } from '../../support/appPort.ts';
import { createTestService } from '../../support/service.ts';

describe('a secret that another window has created', () => {
  it('is replaced only if the user agrees', async () => {
    const current = new SecretsKey('a key of thirty-two characters or more');
    const service = await createTestService({ secretsKeys: { current, old: [] } });
    const settings = new SettingsClient({
      http: () => Promise.resolve(createAppPort(service.app)),
      origin: 'http://127.0.0.1:1',
      sessionToken: service.sessionToken,
      clock: systemClock,
    });
    const state = new ObservableValue<LocalServiceState>({ kind: 'stopped' });
    const secrets = new LocalSecrets({ localService: { state }, logger: silentLogger });
    state.set({ kind: 'running', baseUrl: 'http://127.0.0.1:1/v1', settings });
    await secrets.reload();
    const store = (name: string, origins: readonly string[]) =>
      storeSecret({ localService: { state }, secrets }, { name, value: 'a value of it', origins }, true);
    await settings.setSecret('A_TOKEN', { value: 'a value of it', origins: ['https://a.example'] });
    // The editor's dialog is closed unanswered here.
    await assert.rejects(store('A_TOKEN', []), Cancelled);
    await store('B_TOKEN', []);
    const all = await settings.listSecrets();
    assert.deepEqual(
      all.map(({ name, origins }) => [name, ...origins]),
      [['A_TOKEN', 'https://a.example'], ['B_TOKEN']],
    );
    secrets.dispose();
    settings.dispose();
    await service.dispose();
  });
});
