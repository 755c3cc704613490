// Executions that are started one by one are followed; of many at once, a few.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { Executor } from '../../../src/features/inputs/execute.ts';
import { JsonLanguages } from '../../../src/features/inputs/jsonLanguages.ts';
import { InputDrafts } from '../../../src/model/inputs/inputDrafts.ts';
import { InputHistory } from '../../../src/model/inputs/inputHistory.ts';
import { InputSchemas } from '../../../src/model/inputs/inputSchemas.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

describe('executions that are started', () => {
  it('are followed until ten of many are at once; one that is started alone is followed always', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { isDeployed: true })];
    world.first.namesExecutions = true;
    const keyPrefix = () => 'svc_sk_';
    const history = new InputHistory(world.globalState, world.clock, keyPrefix);
    const logger = silentLogger;
    const schemas = new InputSchemas({ ...world, history, logger, schemaOfTriggers: () => undefined });
    const shown: string[] = [];
    const commands = new Commands({
      logger,
      describe: () => assert.fail('Nothing is shown to anybody.'),
      activeConnectionId: () => connectionId,
      findSubject: () => undefined,
    });
    commands.register('execution.showLogs', {
      ask: () => assert.fail('Nobody is asked.'),
      run: ({ executionId }) => {
        shown.push(executionId);
        return Promise.resolve(undefined);
      },
    });
    const languages = new JsonLanguages(
      schemas,
      { checkInput: () => Promise.resolve({ faults: [], more: 0 }) },
      logger,
    );
    const drafts = new InputDrafts(world.globalState, keyPrefix);
    const executor = new Executor({ ...world, commands, drafts, history, logger, schemas }, languages);
    const target = { connectionId, workflowId: 'w1' };
    for (let count = 0; count < 40; count += 1)
      await executor.execute(target, {}, { isInteractive: false, isOneOfMany: true });
    assert.deepEqual([world.following.current.length, shown.length], [10, 10]);
    const { executionId = '' } = await executor.execute(target, {}, { isInteractive: false });
    assert.equal(world.following.isFollowing({ connectionId, executionId }), true);
    world.following.dispose();
  });
});
