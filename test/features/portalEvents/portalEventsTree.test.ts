// The Portal Events view: as a text, whole, and when it is drawn anew.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ObservableValue } from '../../../src/base/event.ts';
import type { PortalEvent } from '../../../src/domain/portalEvent.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { eventElement, renderEvent } from '../../../src/features/portalEvents/eventRows.ts';
import { createPortalEventsTree } from '../../../src/features/portalEvents/portalEventsTree.ts';
import type { LocalServiceState } from '../../../src/model/localService.ts';
import {
  everyEvent,
  maximumEvents,
  noEventFilter,
  type PortalEventsState,
  unreadState,
} from '../../../src/model/portalEvents/portalEventsState.ts';
import { assertGolden } from '../../support/golden.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { MemoryTreeView } from '../../support/memory/treeView.ts';
import { connectBoth, createWorld, firstUrl } from '../../support/memory/world.ts';
import { renderTree } from '../../support/renderTree.ts';

function makeEvent(key: string, change: Partial<PortalEvent>): PortalEvent {
  const timestamp = new Date(Date.UTC(2026, 0, 5, 9, 30));
  return {
    key,
    id: key,
    type: 'order.received',
    timestamp,
    workflowId: null,
    executionId: null,
    nodeName: null,
    iteration: [],
    data: {},
    raw: {},
    ...change,
  };
}

const ofReceipt = { workflowId: 'w1', executionId: 'exec_ab12cd', nodeName: 'Receipt' } as const;
const events = [
  makeEvent('evt_1', { type: 'execution.failed', workflowId: 'w1', executionId: 'exec_ab12cd' }),
  makeEvent('evt_n1', { type: 'node.completed', ...ofReceipt, iteration: [0] }),
  makeEvent('evt_n2', { type: 'node.completed', ...ofReceipt, iteration: [1] }),
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
  const localState = new ObservableValue<LocalServiceState>({ kind: 'stopped' });
  const localService = { state: localState };
  const tree = createPortalEventsTree(view, { ...world, portalEvents: { state }, localService, contextKeys });
  return { world, tree, view, state, read, localState, render: () => renderTree(tree, view, keys) };
}

describe('the Portal Events view', () => {
  it('has events by kind, and more of them', async () => {
    const { tree, state, read, render } = await start();
    state.set({ ...read, items: events, nextCursor: 'c', unread: 2 });
    assertGolden('portalEventsView', await render());
    tree.dispose();
  });

  it('tells the events of nodes apart, which it shows only if asked to', async () => {
    const { tree, state, read, render } = await start();
    state.set({ ...read, items: events, filter: everyEvent });
    assertGolden('portalEventsViewNodes', await render());
    const rows = await tree.getChildren();
    const spoken = rows.map((row) => tree.getTreeItem(row).accessibilityInformation?.label);
    assert.equal(new Set(spoken).size, rows.length);
    tree.dispose();
  });

  it('has a row that clears the filter, above what passes it', async () => {
    const { tree, view, state, read } = await start();
    state.set({ ...read, items: events, filter: { ...noEventFilter, type: 'execution.failed' } });
    const rows = await tree.getChildren();
    assert.deepEqual(
      rows.map((row) => tree.getTreeItem(row).label),
      ['Clear Filter', 'execution.failed'],
    );
    assert.equal(view.message, 'Showing execution.failed only');
    tree.dispose();
  });

  it('says that older events are left out where there is no room for more', async () => {
    const { tree, view, state, read } = await start();
    const many = Array.from({ length: maximumEvents }, (_, at) => makeEvent(`evt_${at}`, {}));
    const list = { status: 'loaded', hasData: true, error: null } as const;
    state.set({ ...read, items: many, nextCursor: 'c' });
    assert.equal(view.message, 'Only the latest 1,000 events are shown.');
    const filter = { ...noEventFilter, type: 'order.received' };
    state.set({ ...read, filter, filtered: { ...list, items: many, nextCursor: 'c' } });
    assert.equal(view.message, 'Showing order.received only\nOnly the latest 1,000 events are shown.');
    state.set({ ...read, filter, filtered: { ...list, items: many, nextCursor: null } });
    assert.equal(view.message, 'Showing order.received only');
    tree.dispose();
  });

  it('calls no stop of the local service a lost connection', async () => {
    const { world, tree, view, state, read, localState } = await start();
    const local = await world.connections.add(
      { name: 'Local service', kind: 'local', baseUrl: firstUrl, apiKey: 'svc_sk_good' },
      { verify: 'never' },
    );
    const error = new ServiceError({ kind: 'unreachable', cause: 'refused' }, 'refused');
    const lost = { kind: 'lost', retryAt: 0, error } as const;
    state.set({ ...read, connectionId: local.id, items: events, listening: lost });
    assert.equal(view.message, "The local service isn't running.");
    await world.connections.switchTo(read.connectionId ?? '');
    assert.equal(view.message, 'Reconnecting… (connection refused)');
    await world.connections.switchTo(local.id);
    localState.set({ kind: 'starting' });
    assert.equal(view.message, 'The local service is starting…');
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
    const { world, tree, view, state, read } = await start();
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
    assert.match(view.message, /^Reconnecting…$/);
    await world.clock.advance(1000);
    assert.equal(times, 1);
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

  it('shows in a tooltip the payload as it was sent', () => {
    const event = makeEvent('evt_1', { data: { text: 'a  b\u202e' } });
    const { tooltip } = renderEvent(eventElement('c', event), '', 0);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.ok(tooltip.value.includes(String.raw`"text": "a  b\u202e"`));
  });
});
