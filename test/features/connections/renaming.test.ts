// A connection is renamed from the name that it has, as it is.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { registerConnectionCommands } from '../../../src/features/connections/connectionCommands.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const longName = `Orders of ${'all our shops, '.repeat(5)}live`;

describe('the name of a connection', () => {
  it('stands whole in the field in which it is changed', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    await world.connections.rename(connectionId, longName);
    const commands = new Commands({
      logger: silentLogger,
      describe: (error) => ({ message: String(error), actions: [] }),
      activeConnectionId: () => connectionId,
      findSubject: () => undefined,
    });
    const registered = registerConnectionCommands({ ...world, commands });
    await commands.handle('connection.rename', [{ kind: 'connection', connectionId, invokedBy: 'person' }]);
    assert.equal(world.connections.find(connectionId)?.name, longName);
    registered.dispose();
    world.following.dispose();
  });
});
