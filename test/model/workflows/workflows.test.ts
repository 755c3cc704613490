// The shown workflows are those of the active connection, only what changed is told, and no answer comes from a failure's memory.
import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { WorkflowChange } from '../../../src/model/workflows/workflows.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('workflows', () => {
  let world: World;
  let firstId: string;
  let secondId: string;
  let changes: WorkflowChange[];

  beforeEach(async () => {
    world = createWorld();
    [firstId, secondId] = await connectBoth(world);
    world.first.workflows = ['a', 'b', 'c'].map((id) => makeWorkflow(id));
    world.second.workflows = [makeWorkflow('x')];
    changes = [];
    world.workflows.onDidChangeItems((change) => changes.push(change));
  });

  const shownIds = (): readonly string[] => world.workflows.state.current.items.map(({ id }) => id);

  it('asks nothing until it is told to', () => {
    assert.equal(world.workflows.state.current.status, 'idle');
    assert.deepEqual(world.first.calls, []);
  });

  it('keeps unchanged readings and tells only the row that changed', async () => {
    const { workflows, first } = world;
    await workflows.refresh();
    assert.deepEqual(changes, [{ kind: 'list' }]);
    const [a, , c] = workflows.state.current.items;
    first.workflows = first.workflows.map((each) => ({ ...each, raw: { ...each.raw } }));
    first.change('b', { name: 'Renamed' });
    await workflows.refresh();
    assert.deepEqual(changes.slice(1), [{ kind: 'rows', workflowIds: ['b'] }]);
    assert.equal(workflows.state.current.items[0], a);
    assert.equal(workflows.state.current.items[1]?.name, 'Renamed');
    assert.equal(workflows.state.current.items[2], c);
    await workflows.refresh();
    assert.equal(changes.length, 2);
  });

  it('asks again after a failure instead of remembering it', async () => {
    const { workflows, first } = world;
    const failure = new ServiceError({ kind: 'unreachable', cause: 'refused' }, 'refused');
    first.failure = failure;
    await workflows.refresh();
    assert.equal(workflows.state.current.status, 'failed');
    assert.deepEqual(workflows.state.current.error, failure.ofConnection(firstId));
    assert.equal(workflows.state.current.hasData, false);
    first.failure = null;
    await workflows.refresh();
    assert.equal(workflows.state.current.status, 'loaded');
    assert.equal(workflows.state.current.error, null);
    assert.deepEqual(shownIds(), ['a', 'b', 'c']);
    assert.equal(first.calls.length, 2);
  });

  it('keeps what is shown through a failed refresh', async () => {
    const { workflows, first } = world;
    await workflows.refresh();
    first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    await workflows.refresh();
    assert.deepEqual(shownIds(), ['a', 'b', 'c']);
    assert.equal(workflows.state.current.hasData, true);
    assert.equal(changes.length, 1);
  });

  it('drops a late answer of the connection that was left', async () => {
    const { workflows, connections, first } = world;
    const release = first.hold();
    const late = workflows.refresh();
    await settle();
    await connections.switchTo(secondId);
    await workflows.refresh();
    release();
    await late;
    assert.equal(workflows.state.current.connectionId, secondId);
    assert.deepEqual(shownIds(), ['x']);
  });

  it('shows nothing of the old connection while the new one has not answered', async () => {
    const { workflows, connections } = world;
    await workflows.refresh();
    await connections.switchTo(secondId);
    const { status, hasData, items, connectionId } = workflows.state.current;
    assert.deepEqual(
      { status, hasData, items, connectionId },
      { status: 'idle', hasData: false, items: [], connectionId: secondId },
    );
    assert.equal(workflows.find({ connectionId: firstId, workflowId: 'a' }), undefined);
  });

  it('sends an action to the connection it names although another one became active', async () => {
    const { actions, connections, workflows, first, second } = world;
    const release = first.hold();
    const deploying = actions.deploy({ connectionId: firstId, workflowId: 'a' });
    await settle();
    await connections.switchTo(secondId);
    await workflows.refresh();
    release();
    assert.equal((await deploying).isDeployed, true);
    await actions.deploy({ connectionId: firstId, workflowId: 'b' });
    assert.deepEqual(first.calls, ['deploy a', 'deploy b']);
    assert.deepEqual(second.calls, ['workflows.list']);
    assert.deepEqual(shownIds(), ['x']);
  });

  it('does not let an older list undo what a call has answered meanwhile', async () => {
    const { actions, workflows, first } = world;
    await workflows.refresh();
    const release = first.hold();
    const refreshing = workflows.refresh();
    await settle();
    first.letThrough();
    await actions.deploy({ connectionId: firstId, workflowId: 'a' });
    await actions.delete({ connectionId: firstId, workflowId: 'b' });
    const created = await actions.create(firstId, { name: 'New' });
    release();
    await refreshing;
    assert.deepEqual(shownIds(), [created.id, 'a', 'c']);
    assert.equal(workflows.find({ connectionId: firstId, workflowId: 'a' })?.isDeployed, true);
    assert.equal(workflows.state.current.items[1]?.isDeployed, true);
  });

  it('does not let a record that was asked for before a change undo it', async () => {
    const { actions, workflows, first } = world;
    const [a, b] = ['a', 'b'].map((workflowId) => ({ connectionId: firstId, workflowId }) as const);
    assert.ok(a !== undefined && b !== undefined);
    await workflows.refresh();
    const release = first.hold();
    const late = [a, b].map((target) => workflows.read(target));
    await settle();
    first.letThrough();
    await actions.rename(a, 'Other');
    await actions.delete(b);
    release();
    assert.equal((await Promise.all(late)).length, 2);
    assert.equal(workflows.find(a)?.name, 'Other');
    assert.equal(workflows.find(b), undefined);
    first.change('a', { name: 'Third' });
    await workflows.read(a);
    assert.equal(workflows.find(a)?.name, 'Third');
  });

  it('knows no workflow again that was deleted while the list was read', async () => {
    const { actions, workflows, first } = world;
    const target = { connectionId: firstId, workflowId: 'b' };
    await workflows.refresh();
    const release = first.hold();
    const late = workflows.refresh();
    await settle();
    first.letThrough();
    await actions.delete(target);
    release();
    await late;
    assert.equal(workflows.find(target), undefined);
  });

  it('redraws one row for a deployment, and shows what was imported and duplicated', async () => {
    const { actions, workflows } = world;
    await workflows.refresh();
    await actions.deploy({ connectionId: firstId, workflowId: 'c' });
    assert.deepEqual(changes.at(-1), { kind: 'rows', workflowIds: ['c'] });
    const copy = await actions.duplicate({ connectionId: firstId, workflowId: 'c' }, undefined);
    const imported = await actions.import(firstId, { name: 'Imported' });
    assert.deepEqual(shownIds(), [imported.id, copy.id, 'a', 'b', 'c']);
    await actions.rename({ connectionId: firstId, workflowId: 'a' }, 'Other');
    assert.equal(workflows.find({ connectionId: firstId, workflowId: 'a' })?.name, 'Other');
    await actions.undeploy({ connectionId: firstId, workflowId: 'c' });
    assert.equal(workflows.find({ connectionId: firstId, workflowId: 'c' })?.isDeployed, false);
  });

  it('filters here as well as there, and forgets the filter with the connection', async () => {
    const { workflows, connections, first } = world;
    first.change('b', { name: 'Lead intake', isDeployed: true });
    first.change('c', { isDeployed: null });
    await workflows.setFilter({ text: 'LEAD', state: 'all' });
    assert.deepEqual(shownIds(), ['b']);
    await workflows.setFilter({ text: '', state: 'deployed' });
    assert.deepEqual(shownIds(), ['b', 'c']);
    first.change('c', { name: 'İSTANBUL ΟΔΟΣ' });
    for (const text of ['istanbul', 'οδος', 'ΟΔΟΣ']) {
      await workflows.setFilter({ text, state: 'all' });
      assert.deepEqual(shownIds(), ['c'], text);
    }
    await workflows.setFilter({ text: 'nothing like it', state: 'all' });
    assert.deepEqual(shownIds(), []);
    assert.equal(workflows.state.current.hasData, true);
    assert.equal(workflows.find({ connectionId: firstId, workflowId: 'a' })?.id, 'a');
    await connections.switchTo(secondId);
    assert.deepEqual(workflows.state.current.filter, { text: '', state: 'all' });
  });

  it('loads more, and refreshes as much as was loaded', async () => {
    const { workflows, first } = world;
    first.workflows = Array.from({ length: 120 }, (_, at) => makeWorkflow(`w${at}`));
    await workflows.refresh();
    assert.equal(shownIds().length, 50);
    await workflows.loadMore();
    assert.equal(shownIds().length, 100);
    first.change('w70', { name: 'Renamed' });
    await workflows.refresh();
    assert.equal(shownIds().length, 100);
    assert.deepEqual(changes.at(-1), { kind: 'rows', workflowIds: ['w70'] });
    await workflows.loadMore();
    assert.equal(shownIds().length, 120);
    assert.equal(workflows.state.current.nextCursor, null);
  });

  it('is silent state when cancelled: rejects, shows no failure', async () => {
    const { workflows, first } = world;
    await workflows.refresh();
    const release = first.hold();
    const cancel = new AbortController();
    const refreshing = workflows.refresh(cancel.signal);
    cancel.abort();
    release();
    await assert.rejects(refreshing, { name: 'AbortError' });
    assert.equal(workflows.state.current.status, 'loaded');
    assert.equal(workflows.state.current.error, null);
  });

  it('starts over when the key of its connection was replaced', async () => {
    const { workflows, connections, first } = world;
    await workflows.refresh();
    first.keys.clear();
    await workflows.refresh();
    assert.equal(workflows.state.current.error?.reason.kind, 'keyRejected');
    first.keys.add('svc_sk_new');
    await connections.replaceKey(firstId, 'svc_sk_new');
    assert.equal(workflows.state.current.status, 'idle');
    assert.equal(workflows.state.current.error, null);
    await workflows.refresh();
    assert.deepEqual(shownIds(), ['a', 'b', 'c']);
  });

  it('learns of a revoked key from whatever call comes next, and of no other failure', async () => {
    const { workflows, executions, actions, first, second } = world;
    const errorKind = (): string | undefined => workflows.state.current.error?.reason.kind;
    await workflows.refresh();
    second.keys.clear();
    await assert.rejects(actions.deploy({ connectionId: secondId, workflowId: 'x' }));
    await assert.rejects(actions.deploy({ connectionId: firstId, workflowId: 'gone' }));
    assert.equal(errorKind(), undefined);
    first.keys.clear();
    await executions.refresh({ connectionId: firstId, workflowId: 'a' });
    assert.equal(errorKind(), 'keyRejected');
  });

  it('mixes no records of two connections although their ids are the same', async () => {
    const { actions, workflows, connections, second } = world;
    second.workflows = [makeWorkflow('a')];
    await connections.switchTo(secondId);
    await workflows.refresh();
    await actions.deploy({ connectionId: firstId, workflowId: 'a' });
    await actions.create(firstId, {});
    assert.deepEqual(shownIds(), ['a']);
    assert.equal(workflows.state.current.items[0]?.isDeployed, false);
  });

  it('loads more after the refresh under way, not instead of it', async () => {
    const { workflows, first } = world;
    first.workflows = Array.from({ length: 120 }, (_, at) => makeWorkflow(`w${at}`));
    await workflows.refresh();
    first.change('w0', { name: 'Renamed' });
    await Promise.all([workflows.refresh(), workflows.loadMore()]);
    assert.equal(shownIds().length, 100);
    assert.equal(workflows.state.current.items[0]?.name, 'Renamed');
  });
});
