// What is selected once debug sessions have ended.
import assert from 'node:assert/strict';
import { ShownStops } from '../../../src/features/debugging/shownStops.ts';
import { makeNodeLog } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('what debug sessions select', () => {
  let world: World;
  let stops: ShownStops;
  let connectionId: string;
  let workflow: { connectionId: string; workflowId: string };

  const begin = async (executionId: string) => {
    const target = { connectionId, executionId };
    world.first.logs.set(executionId, [makeNodeLog(1, { nodeId: executionId })]);
    const { nodeRuns, runTree } = await world.executions.readLogs(target);
    const item = runTree.findRun(nodeRuns[0]?.key ?? '') ?? assert.fail('It has a run.');
    const session = stops.begin(workflow, target);
    session.show(item);
    return session;
  };
  const choose = (nodeId: string): void =>
    world.selection.selectNode({ target: workflow, executionId: null, nodeId, nodeRunKey: null, by: 'tree' });
  const selected = () => [
    world.selection.findExecution(workflow),
    world.selection.node.current?.nodeId ?? null,
  ];

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    workflow = { connectionId, workflowId: 'w' };
    stops = new ShownStops(world.selection);
    world.selection.selectExecution(workflow, 'before');
    choose('before');
  });
  afterEach(() => world.following.dispose());

  it('is again what it was before', async () => {
    const session = await begin('e1');
    assert.deepEqual(selected(), ['e1', 'e1']);
    session.dispose();
    assert.deepEqual(selected(), ['before', 'before']);
  });

  it('stays what somebody has chosen meanwhile', async () => {
    const session = await begin('e1');
    world.selection.selectExecution(workflow, 'chosen');
    choose('chosen');
    session.dispose();
    assert.deepEqual(selected(), ['chosen', 'chosen']);
  });

  it('is what the session shows that goes on, and what it was before once both have ended', async () => {
    for (const first of [0, 1]) {
      const sessions = [await begin('e1'), await begin('e2')];
      const [ending, staying] = first === 0 ? sessions : sessions.toReversed();
      ending?.dispose();
      assert.deepEqual(selected(), first === 0 ? ['e2', 'e2'] : ['e1', 'e1']);
      staying?.dispose();
      assert.deepEqual(selected(), ['before', 'before']);
    }
  });
});
