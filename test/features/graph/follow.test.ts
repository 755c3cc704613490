// What a selected row, or the document in front, says of the node that the user looks at.
import assert from 'node:assert/strict';
import { selectionOf } from '../../../src/features/graph/follow.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('a selected row', () => {
  let world: World;
  let connectionId: string;
  let key: string;

  before(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    for (const id of ['old', 'new'])
      world.executions.upsert(
        connectionId,
        makeExecution(id, { workflowId: 'w', status: statusOf('completed') }),
      );
    const feed = world.executions.logs({ connectionId, executionId: 'old' });
    feed.append([makeNodeLog(1, { nodeId: 'a', status: statusOf('completed') })]);
    key = feed.nodeRuns[0]?.key ?? '';
  });
  after(() => world.following.dispose());

  const select = (row: object) => selectionOf(world, { connectionId, ...row });

  it('of a workflow is about the execution that it shows', () =>
    assert.deepEqual(select({ kind: 'workflow', workflowId: 'w' }), {
      target: { connectionId, workflowId: 'w' },
      executionId: null,
      nodeId: null,
      nodeRunKey: null,
    }));

  it('of an execution is about that one, whose workflow is known', () =>
    assert.deepEqual(select({ kind: 'execution', workflowId: null, executionId: 'old' }), {
      target: { connectionId, workflowId: 'w' },
      executionId: 'old',
      nodeId: null,
      nodeRunKey: null,
    }));

  it('of a node run is about its node too', () => {
    const selection = select({ kind: 'nodeRun', executionId: 'old', nodeRunKey: key });
    assert.equal(selection?.nodeId, 'a');
    assert.equal(selection.nodeRunKey, key);
  });

  it('of nothing that is known is about nothing', () => {
    assert.equal(select({ kind: 'execution', workflowId: null, executionId: 'other' }), undefined);
    assert.equal(selectionOf(world, { kind: 'more' }), undefined);
  });
});
