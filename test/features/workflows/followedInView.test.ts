// What the Workflows view does while an execution is followed: it unfolds it, scrolls along, and leaves a user alone who does something else.
import assert from 'node:assert/strict';
import { ObservableValue } from '../../../src/base/event.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { RowSelection } from '../../../src/editor/tree/rowSelection.ts';
import type { RowElement } from '../../../src/editor/tree/treeElements.ts';
import { Followed } from '../../../src/features/workflows/revealFollowed.ts';
import { createWorkflowsTree } from '../../../src/features/workflows/workflowsTree.ts';
import type { LocalServiceState } from '../../../src/model/localService.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { RevealingView } from '../../support/memory/revealingView.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

async function start() {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  world.first.workflows = [makeWorkflow('w1')];
  world.first.executions = ['e1', 'e2'].map((id) => makeExecution(id));
  await world.workflows.refresh();
  const view = new RevealingView();
  const localService = { state: new ObservableValue<LocalServiceState>({ kind: 'stopped' }) };
  const tree = createWorkflowsTree(view, { ...world, localService, contextKeys: () => undefined });
  const selection = new RowSelection(view);
  const revealing = new Followed(view, selection, tree, { ...world, logger: silentLogger });
  const [workflow] = await tree.getChildren();
  assert.ok(workflow);
  const [first, second] = await tree.getChildren(workflow);
  assert.ok(first && second);
  let sequence = 0;
  /** The rows that a follow brings, and what is drawn then. */
  const tell = async (at: number, ...runs: readonly (readonly [string, RunState])[]) => {
    const logs = runs.map(([nodeId, state]) =>
      makeNodeLog((sequence += 1), { nodeId, nodeName: nodeId, status: statusOf(state) }),
    );
    world.first.channels[at]?.send({ kind: 'open', by: 'stream' }, { kind: 'logs', logs });
    await world.clock.advance(2_000);
  };
  const follow = async (executionId: string) => {
    world.following.follow({ connectionId, executionId });
    await world.clock.advance(1_000);
  };
  const scrolledTo = (): string => /\["(\w+)"/.exec(view.revealed.at(-1) ?? '')?.[1] ?? '';
  const end = () => {
    revealing.dispose();
    tree.dispose();
    world.following.dispose();
  };
  return {
    world,
    connectionId,
    view,
    selection,
    tree,
    revealing,
    workflow,
    first,
    second,
    tell,
    follow,
    scrolledTo,
    end,
  };
}

describe('the Workflows view and a followed execution', () => {
  it('leaves an execution that has ended as it is: only its log is read', async () => {
    const { world, tree, first, connectionId, follow, end } = await start();
    world.first.changeExecution('e1', { status: statusOf('completed') });
    await world.workflows.refresh();
    await world.executions.read({ connectionId, executionId: 'e1' });
    await follow('e1');
    assert.ok(!tree.isUnfolded(first));
    end();
  });

  it('reads the rest of a log below an execution that has ended, if it is too long to be read in one go', async () => {
    const { world, tree, first, connectionId, end } = await start();
    const target = { connectionId, executionId: 'e1' };
    world.first.changeExecution('e1', { status: statusOf('completed') });
    world.first.logs.set('e1', [makeNodeLog(1), makeNodeLog(2, { nodeId: 'n2' })]);
    world.first.readAtOnce = 1;
    await world.executions.read(target);
    assert.equal((await tree.getChildren(first)).length, 1);
    assert.ok(world.following.isFollowing(target));
    world.first.channels[0]?.send({ kind: 'logs', logs: [makeNodeLog(2, { nodeId: 'n2' })] });
    await settle();
    assert.equal((await tree.getChildren(first)).length, 2);
    end();
  });

  it('reads the rest also where a definition has left it', async () => {
    const { world, tree, first, connectionId, end } = await start();
    const target = { connectionId, executionId: 'e1' };
    world.first.changeExecution('e1', { status: statusOf('completed') });
    world.first.logs.set('e1', [makeNodeLog(1), makeNodeLog(2, { nodeId: 'n2' })]);
    world.first.readAtOnce = 1;
    await world.executions.read(target);
    const reading = world.following.readLog(target, undefined, 'definitions');
    await settle();
    world.first.channels[0]?.send({ kind: 'open', by: 'polling' });
    await reading;
    await tree.getChildren(first);
    assert.ok(world.following.isFollowing(target));
    world.following.stopFollowing(target);
    await tree.getChildren(first);
    assert.ok(!world.following.isFollowing(target));
    end();
  });

  it('unfolds it and scrolls to what runs, then to what failed', async () => {
    const { world, view, tree, first, tell, follow, scrolledTo, end } = await start();
    await follow('e1');
    assert.ok(tree.isUnfolded(first));
    await tell(0, ['a', 'completed'], ['b', 'running']);
    assert.equal(scrolledTo(), 'b');
    await tell(0, ['b', 'failed'], ['c', 'skipped']);
    assert.equal(scrolledTo(), 'c');
    world.first.changeExecution('e1', { status: statusOf('failed') });
    world.first.channels[0]?.send({ kind: 'end', status: statusOf('failed') });
    await settle();
    await world.clock.advance(20_000);
    assert.equal(scrolledTo(), 'b');
    const { length } = view.revealed;
    await world.clock.advance(60_000);
    assert.equal(view.revealed.length, length, 'and then stays');
    end();
  });

  it('stays where the user selected a row, until the next one', async () => {
    const { view, first, tell, follow, scrolledTo, end } = await start();
    await follow('e1');
    await tell(0, ['a', 'running']);
    assert.equal(scrolledTo(), 'a');
    view.select(first);
    await tell(0, ['a', 'completed'], ['b', 'running']);
    assert.equal(scrolledTo(), 'a');
    await follow('e2');
    await tell(1, ['z', 'running']);
    assert.equal(scrolledTo(), 'z');
    end();
  });

  it('goes on where a row was selected for the user', async () => {
    const { selection, revealing, first, tell, follow, scrolledTo, end } = await start();
    await follow('e1');
    await tell(0, ['a', 'running']);
    assert.ok(revealing.isLeading);
    await selection.reveal(first, { select: true });
    assert.ok(revealing.isLeading);
    await tell(0, ['a', 'completed'], ['b', 'running']);
    assert.equal(scrolledTo(), 'b');
    end();
  });

  it('leads until it ends, is folded, or the user selects a row', async () => {
    const { world, view, revealing, first, second, tell, follow, end } = await start();
    assert.ok(!revealing.isLeading);
    await follow('e1');
    assert.ok(revealing.isLeading);
    view.fold(first);
    assert.ok(!revealing.isLeading);
    view.unfold(first);
    assert.ok(revealing.isLeading);
    view.select(second);
    assert.ok(!revealing.isLeading);
    await follow('e2');
    await tell(1, ['z', 'running']);
    assert.ok(revealing.isLeading);
    world.first.changeExecution('e2', { status: statusOf('completed') });
    world.first.channels[1]?.send({ kind: 'end', status: statusOf('completed') });
    await settle();
    assert.ok(!revealing.isLeading);
    end();
  });

  it('does not unfold again what the user folded', async () => {
    const { view, first, tell, follow, scrolledTo, end } = await start();
    await follow('e1');
    view.fold(first);
    await tell(0, ['a', 'running']);
    assert.equal(scrolledTo(), '');
    end();
  });

  for (const [title, act, isFolded] of [
    ['folds it with the next one', () => undefined, true],
    ['leaves it to a user who selected a row of it', (view, row) => view.select(row), false],
    [
      'leaves it to a user who folded and unfolded it',
      (view, row) => {
        view.fold(row);
        view.unfold(row);
      },
      false,
    ],
  ] as readonly (readonly [string, (view: RevealingView, row: RowElement) => void, boolean])[])
    it(title, async () => {
      const { view, tree, first, second, follow, end } = await start();
      await follow('e1');
      act(view, first);
      await follow('e2');
      assert.deepEqual([tree.isUnfolded(first), tree.isUnfolded(second)], [!isFolded, true]);
      assert.equal(tree.getTreeItem(first).id?.endsWith('#1'), isFolded);
      end();
    });

  it('folds it also where the editor has not said yet that it unfolded it', async () => {
    const { view, tree, first, follow, end } = await start();
    view.isLate = true;
    await follow('e1');
    assert.ok(tree.isUnfolded(first));
    await follow('e2');
    assert.ok(!tree.isUnfolded(first));
    end();
  });

  for (const [title, act, isFolded] of [
    ['folds it again where the editor unfolds it only later', () => undefined, true],
    ['leaves it to a user who selects it then', (view, row) => view.select(row), false],
  ] as readonly (readonly [string, (view: RevealingView, row: RowElement) => void, boolean])[])
    it(title, async () => {
      const { world, view, tree, first, follow, end } = await start();
      view.isLate = true;
      await follow('e1');
      await follow('e2');
      await world.clock.advance(5_000);
      assert.ok(!tree.isUnfolded(first));
      view.unfold(first);
      act(view, first);
      view.respond();
      await world.clock.advance(1_000);
      assert.equal(tree.isUnfolded(first), !isFolded);
      assert.ok(tree.getTreeItem(first).id?.endsWith(isFolded ? '#2' : '#1'));
      end();
    });

  it('scrolls no more to a row of it once the next one has begun, which would unfold it again', async () => {
    const { view, tell, follow, end } = await start();
    await follow('e1');
    view.isLate = true;
    await tell(0, ['a', 'running']);
    await tell(0, ['a', 'completed'], ['b', 'running']);
    const asked = (nodeId: string) => view.revealed.filter((key) => key.includes(`"${nodeId}"`)).length;
    const before = asked('b');
    await follow('e2');
    assert.deepEqual([asked('a') > 0, asked('b')], [true, before]);
    end();
  });

  it('leaves alone what the user had unfolded before', async () => {
    const { view, tree, first, follow, end } = await start();
    view.unfold(first);
    await follow('e1');
    await follow('e2');
    assert.ok(tree.isUnfolded(first));
    end();
  });
});
