// All ages on the screen are told at one time, which moves only while somebody looks.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toDisposable } from '../../../src/base/disposable.ts';
import { Ages } from '../../../src/editor/tree/ages.ts';
import { ListTree, type TreeSource } from '../../../src/editor/tree/tree.ts';
import type { RowElement } from '../../../src/editor/tree/treeElements.ts';
import { HandClock } from '../../support/memory/ports.ts';
import { windowFocus } from '../../support/vscodeStandIn.ts';
import { MemoryTreeView } from '../../support/memory/treeView.ts';

interface Item extends RowElement {
  readonly kind: 'item';
}

const itemOf = (key: string): Item => ({ invokedBy: 'person', kind: 'item', key });
const isRunning = ({ key }: Item): boolean => key.startsWith('running');

/** A view of rows that all began with the test. Running ones count seconds in their first minute, others tell minutes. */
function openView(clock: HandClock, ages: Ages, ...keys: readonly string[]) {
  const beganAt = clock.now();
  const lists = new Map([['', keys.map(itemOf)]]);
  const source: TreeSource<Item> = {
    children: (parent) => lists.get(parent?.key ?? '') ?? [],
    isCounting: (item) => isRunning(item) && clock.now() - beganAt < 60_000,
    render: (item, now) =>
      new vscode.TreeItem(String(Math.floor((now - beganAt) / (isRunning(item) ? 1000 : 60_000)))),
    watch: () => toDisposable(() => undefined),
  };
  const view = new MemoryTreeView();
  const tree = new ListTree(view, source, { clock, ages, contextKeys: () => undefined });
  /** What each row shows. */
  const drawn = new Map<string, unknown>();
  const redrawn: string[] = [];
  const draw = (row: Parameters<typeof tree.getTreeItem>[0]) =>
    void drawn.set(row.key, tree.getTreeItem(row).label);
  tree.onDidChangeTreeData((rows = []) => {
    for (const row of rows) {
      redrawn.push(row.key);
      draw(row);
    }
  });
  const list = async (parent?: Item) => {
    for (const row of await tree.getChildren(parent)) draw(row);
    // Until the rows have arrived in the window.
    await clock.advance(100);
  };
  return { tree, view, lists, drawn, redrawn, list };
}

describe('ages on the screen', () => {
  let clock: HandClock;
  let ages: Ages;
  beforeEach(() => {
    clock = new HandClock();
    ages = new Ages(clock);
  });
  afterEach(() => {
    windowFocus.set(true);
    ages.dispose();
    assert.equal(clock.armed, 0);
  });

  it('are the same in all views at any time, also of a row that is drawn later', async () => {
    const one = openView(clock, ages, 'a');
    const other = openView(clock, ages, 'b');
    await one.list();
    for (const seconds of [0, 29, 30, 15, 16, 40, 61]) {
      await clock.advance(seconds * 1000);
      await other.list();
      assert.deepEqual([...one.drawn.values()], [...other.drawn.values()], `after ${seconds} s more`);
    }
    assert.equal(one.drawn.get('a'), '3');
  });

  it('redraw only the rows whose text has changed', async () => {
    const { list, redrawn } = openView(clock, ages, 'a', 'b');
    await list();
    await clock.advance(59_000);
    assert.deepEqual(redrawn, []);
    await clock.advance(1000);
    assert.deepEqual(redrawn, ['a', 'b']);
  });

  it('tick each second for rows that count, and for no other row', async () => {
    const { list, redrawn, drawn } = openView(clock, ages, 'a', 'running');
    await list();
    await clock.advance(12_000);
    assert.equal(drawn.get('running'), '12');
    assert.deepEqual(new Set(redrawn), new Set(['running']));
    await clock.advance(60_000);
    const { length } = redrawn;
    await clock.advance(25_000);
    assert.ok(redrawn.length <= length + 2, 'after a minute it ticks as the others do');
  });

  it('do not tick for what is folded away', async () => {
    const { tree, view, list, lists, redrawn } = openView(clock, ages, 'a');
    const parent = itemOf('a');
    lists.set('a', [itemOf('running')]);
    await list();
    await list(parent);
    view.unfold(parent);
    await clock.advance(3000);
    assert.deepEqual(redrawn, ['running', 'running', 'running']);
    view.fold(parent);
    await clock.advance(20_000);
    assert.equal(redrawn.length, 3);
    tree.dispose();
  });

  it('stand still while nobody looks, without a timer, and move on when somebody does', async () => {
    const { view, list, drawn } = openView(clock, ages, 'a', 'running');
    await list();
    view.setVisible(false);
    assert.equal(clock.armed, 0);
    await clock.advance(600_000);
    assert.equal(drawn.get('a'), '0');
    view.setVisible(true);
    assert.equal(drawn.get('a'), '10');
    assert.equal(clock.armed, 1);
    view.setVisible(false);
  });

  it('move on with news while nobody looks, all together', async () => {
    const { tree, drawn, list } = openView(clock, ages, 'a', 'b');
    await list();
    windowFocus.set(false);
    assert.equal(clock.armed, 0);
    await clock.advance(600_000);
    assert.deepEqual(Object.fromEntries(drawn), { a: '0', b: '0' });
    tree.redraw(['a']);
    assert.deepEqual(Object.fromEntries(drawn), { a: '10', b: '10' });
    await clock.advance(1000);
    assert.equal(clock.armed, 0);
  });
});
