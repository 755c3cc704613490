// What a menu hides follows the active service, and comes back as soon as the service offers it after all.
import assert from 'node:assert/strict';
import { registerCapabilities } from '../../../src/features/connections/capabilities.ts';
import { Clients, Services } from '../../../src/model/connections/clients.ts';
import type { OperationName } from '../../../src/protocol/operations.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import { connectBoth, createWorld, firstUrl } from '../../support/memory/world.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { ObservableValue } from '../../../src/base/event.ts';

describe('what the active service does not offer', () => {
  it('is hidden, per connection, until it works', async () => {
    const { connections, ...world } = createWorld();
    const [first, second] = await connectBoth({ connections, ...world });
    const offers = new Map<string, ObservableValue<ReadonlySet<OperationName>>>();
    const clients = new Clients(connections, ({ baseUrl }): ServicePort => {
      const notOffered = new ObservableValue<ReadonlySet<OperationName>>(new Set());
      offers.set(baseUrl, notOffered);
      return { ...createScriptedClient(() => ({})).client, notOffered };
    });
    const keys = new Map<string, unknown>();
    const hidden = (): readonly string[] =>
      [...keys].flatMap(([name, value]) => (value === true && name.startsWith('cannot.') ? [name] : []));
    const registration = registerCapabilities({
      connections,
      services: new Services(clients),
      contextKeys: (name, value) => keys.set(name, value),
    });
    assert.deepEqual(hidden(), []);
    offers.get(firstUrl)?.set(new Set(['deployWorkflow', 'getWorkflow']));
    assert.deepEqual(hidden(), ['cannot.deployWorkflow']);
    await connections.switchTo(second);
    assert.deepEqual(hidden(), []);
    offers.get(firstUrl)?.set(new Set(['deployWorkflow', 'importWorkflow']));
    assert.deepEqual(hidden(), []);
    await connections.switchTo(first);
    assert.deepEqual(hidden(), ['cannot.importWorkflow', 'cannot.deployWorkflow']);
    offers.get(firstUrl)?.set(new Set());
    assert.deepEqual(hidden(), []);
    await connections.remove(first);
    await connections.remove(second);
    assert.deepEqual(hidden(), []);
    registration.dispose();
    clients.dispose();
  });
});
