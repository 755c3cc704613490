// The Portal Events view: as a text, whole, and when it is drawn anew.
import assert from 'node:assert/strict';
import { ObservableValue } from '../../../src/base/event.ts';
import type { PortalEvent } from '../../../src/domain/portalEvent.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { createPortalEventsTree } from '../../../src/features/portalEvents/portalEventsTree.ts';
import { type PortalEventsState, unreadState } from '../../../src/model/portalEvents/portalEventsState.ts';
import { assertGolden } from '../../support/golden.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { MemoryTreeView } from '../../support/memory/treeView.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import { renderTree } from '../../support/renderTree.ts';

function makeEvent(key: string, change: Partial<PortalEvent>): PortalEvent {
  const timestamp = new Date(Date.UTC(2026, 0, 5, 9, 30));
  return { key, id: key, type: 'order.received', timestamp, workflowId: null, data: {}, raw: {}, ...change };
}

const events = [
  makeEvent('evt_1', { type: 'execution.failed', workflowId: 'w1' }),
  makeEvent('evt_2', { type: 'workflow.deployed', workflowId: 'w9' }),
  makeEvent('evt_3', { type: 'order.\u001b[31mreceived', timestamp: null }),
];

async function start() {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  world.first.workflows = [makeWorkflow('w1', { name: 'Lead intake' })];
  await world.workflows.refresh();
  const read: PortalEventsState = { ...unreadState, connectionId, hasData: true };
  const state = new ObservableValue(read);
  const keys = new Map<string, unknown>();
  const view = new MemoryTreeView();
  const contextKeys = (name: string, value: unknown) => void keys.set(name, value);
  const tree = createPortalEventsTree(view, { ...world, portalEvents: { state }, contextKeys });
  return { world, tree, view, state, read, render: () => renderTree(tree, view, keys) };
}

describe('the Portal Events view', () => {
  it('has events by kind, and more of them', async () => {
    const { tree, state, read, render } = await start();
    state.set({ ...read, items: events, nextCursor: 'c', unread: 2 });
    assertGolden('portalEventsView', await render());
    tree.dispose();
  });

  it('says in a row why it could not be read', async () => {
    const { tree, state, read, render } = await start();
    const error = new ServiceError({ kind: 'unavailable' }, 'down', { status: 503 });
    state.set({ ...read, hasData: false, error });
    assertGolden('portalEventsViewFailed', await render());
    tree.dispose();
  });

  it('is drawn anew for other rows, and not for what stands around them', async () => {
    const { tree, view, state, read } = await start();
    let times = 0;
    tree.onDidChangeTreeData(() => (times += 1));
    state.set({ ...read, items: events });
    assert.equal(times, 1);
    state.set({
      ...state.current,
      items: [...events],
      unread: 3,
      listening: { kind: 'lost', retryAt: 0, error: new Error('x') },
    });
    assert.deepEqual([times, view.badge?.value], [1, 3]);
    assert.match(view.message, /Connection lost/);
    state.set({ ...state.current, items: events.slice(1) });
    assert.equal(times, 2);
    tree.dispose();
  });

  it('lets ages grow while it is looked at, and leaves no timer behind', async () => {
    const { world, tree, view, state, read } = await start();
    state.set({ ...read, items: events });
    const rows = await tree.getChildren();
    // The name of a workflow is read meanwhile.
    await settle();
    for (const row of rows) tree.getTreeItem(row);
    const redrawn: (string | undefined)[] = [];
    tree.onDidChangeTreeData((rows) => {
      for (const row of rows ?? []) redrawn.push(tree.getTreeItem(row).id);
    });
    const aged = [`${read.connectionId}/evt_1`, `${read.connectionId}/evt_2`];
    await world.clock.advance(150_000);
    // The third event has no time.
    assert.deepEqual(redrawn.splice(0), [...aged, ...aged]);
    view.setVisible(false);
    await world.clock.advance(150_000);
    assert.deepEqual(redrawn, []);
    view.setVisible(true);
    assert.deepEqual(redrawn.splice(0), aged);
    const { armed } = world.clock;
    tree.dispose();
    assert.equal(world.clock.armed, armed - 1);
  });
});
