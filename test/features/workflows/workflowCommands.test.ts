// What a person is asked for begins with what there is, as it is.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { registerWorkflowCommands } from '../../../src/features/workflows/workflowCommands.ts';
import { workflowElement } from '../../../src/features/workflows/workflowRow.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const longName = `Orders of ${'all our shops, '.repeat(8)}each night`;

describe('the name of a workflow', () => {
  it('stands whole in the field in which it is changed, and in that of a copy', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { name: longName })];
    await world.workflows.refresh();
    const commands = new Commands({
      logger: silentLogger,
      describe: (error) => ({ message: String(error), actions: [] }),
      activeConnectionId: () => connectionId,
      findSubject: () => undefined,
    });
    const registered = registerWorkflowCommands({ ...world, commands }, { show: () => undefined });
    const run = (name: 'workflow.rename' | 'workflow.duplicate') =>
      commands.handle(name, [workflowElement(connectionId, 'w1')]);
    await run('workflow.rename');
    await run('workflow.duplicate');
    assert.deepEqual(
      world.first.workflows.map(({ name }) => name),
      [`${longName} (copy)`, longName],
    );
    registered.dispose();
    world.following.dispose();
  });
});
