// A setting that is read wrong has its default, and who watches one is told when it is another, once.
import assert from 'node:assert/strict';
import { silentLogger } from '../../src/base/logger.ts';
import { onDidChange, OperationSettings, settings } from '../../src/editor/settings.ts';
import { configuration } from '../support/vscodeStandIn.ts';

const section = 'workflowAutomation';

describe('settings', () => {
  afterEach(() => {
    for (const name of ['keyPrefix', 'notify', 'operations'])
      configuration.set(`${section}.${name}`, undefined);
  });

  it('have their default where the value is none', () => {
    configuration.set(`${section}.notify`, 'sometimes');
    configuration.set(`${section}.keyPrefix`, '');
    assert.deepEqual([settings.notify(), settings.keyPrefix()], ['failures', 'svc_sk_']);
  });

  it('are told to who watches them when their value is another', () => {
    const told: unknown[] = [];
    const watching = onDidChange(
      () => [settings.keyPrefix(), settings.notify()],
      (values) => told.push(values),
    );
    configuration.set(`${section}.notify`, 'failures');
    configuration.set('editor.fontSize', 14);
    assert.deepEqual(told, []);
    configuration.set(`${section}.keyPrefix`, 'own_');
    configuration.set(`${section}.keyPrefix`, 'own_');
    assert.deepEqual(told, [['own_', 'failures']]);
    watching.dispose();
    configuration.set(`${section}.keyPrefix`, 'other_');
    assert.equal(told.length, 1);
  });

  it('say where a service has its operations, the same object until that is another', () => {
    const operations = new OperationSettings(silentLogger);
    const before = operations.read();
    configuration.set(`${section}.notify`, 'all');
    assert.equal(operations.read(), before);
    configuration.set(`${section}.operations`, { listPortalEvents: { path: '/news' } });
    assert.deepEqual(operations.read(), { listPortalEvents: { path: '/news' } });
    assert.equal(operations.read(), operations.read());
    operations.dispose();
  });
});
