import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Commands } from '../../../../src/editor/commands.ts';
import { DocumentOpener } from '../../../../src/editor/documents/documentOpener.ts';
import { schemes } from '../../../../src/editor/ids.ts';
import { LazyFiles } from '../../../../src/editor/lazy/lazySurfaces.ts';
import { registerPinCommands } from '../../../../src/features/definitions/pins/pinCommands.ts';
import { DrawnExecutions } from '../../../../src/features/definitions/shownExecution/drawnExecutions.ts';
import { settle } from '../../../support/memory/ports.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';
import { messages } from '../../../support/vscodeStandIn.ts';

describe('the removal of a pin', () => {
  const { answer } = messages;
  afterEach(() => {
    messages.answer = answer;
  });

  for (const [isPinnedAgain, kept] of [
    [false, 'old'],
    [true, 'new'],
  ] as const)
    it(`can be undone late${isPinnedAgain ? ', but not over a pin that was made since' : ''}`, async () => {
      const world = createWorld();
      const [connectionId] = await connectBoth(world);
      const target = { connectionId, workflowId: 'w1' };
      const told: string[] = [];
      const commands = new Commands({
        logger: silentLogger,
        describe: (error) => {
          told.push(String(error));
          return { message: '', actions: [] };
        },
        activeConnectionId: () => connectionId,
        findSubject: () => undefined,
      });
      const drawnExecutions = new DrawnExecutions({ ...world, logger: silentLogger });
      const pinFiles = new LazyFiles(schemes.pin, new DocumentOpener(), () => assert.fail());
      const registered = registerPinCommands(
        drawnExecutions,
        { begin: () => undefined },
        { ...world, commands, pinFiles },
      );
      const clicked = Promise.withResolvers<undefined>();
      messages.answer = async ([undo]) => {
        await clicked.promise;
        return undo;
      };
      await world.pins.set(target, 'a', 'old');
      await commands.handle('node.removePin', [{ ...target, nodeId: 'a', invokedBy: 'person' }]);
      assert.equal(world.pins.find(target, 'a'), undefined);
      if (isPinnedAgain) await world.pins.set(target, 'a', 'new');
      clicked.resolve(undefined);
      await settle();
      assert.equal(world.pins.find(target, 'a')?.value, kept);
      assert.equal(told.length, isPinnedAgain ? 1 : 0);
      registered.dispose();
      pinFiles.dispose();
      drawnExecutions.dispose();
      world.following.dispose();
    });
});
