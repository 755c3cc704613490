// The one tree behind all views: the same object for the same row, redrawn where it changed, forgotten when it went.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../../src/base/disposable.ts';
import { Ages } from '../../../src/editor/tree/ages.ts';
import { ListTree, type TreeSource, type ViewFrame } from '../../../src/editor/tree/tree.ts';
import {
  moreElement,
  noteElement,
  problemElement,
  type TreeRow,
  type RowElement,
} from '../../../src/editor/tree/treeElements.ts';
import { HandClock } from '../../support/memory/ports.ts';
import { MemoryTreeView } from '../../support/memory/treeView.ts';

interface Item extends RowElement {
  readonly kind: 'item';
  readonly text: string;
}

const itemOf = (key: string, text = key): Item => ({ invokedBy: 'person', kind: 'item', key, text });

/** Rows by the key of the row above; '' for the top. */
class Source implements TreeSource<Item> {
  readonly lists = new Map<string, readonly TreeRow<Item>[]>();
  readonly gone = new Set<string>();
  welcome = 'empty';
  message = '';
  isWatched = true;
  gate: Promise<unknown> = Promise.resolve();
  signal: AbortSignal | undefined;

  async children(parent: Item | undefined, signal: AbortSignal): Promise<readonly TreeRow<Item>[]> {
    this.signal = signal;
    const rows = this.lists.get(parent?.key ?? '') ?? [];
    await this.gate;
    return rows;
  }

  render({ key, text }: Item): vscode.TreeItem | undefined {
    return this.gone.has(key) ? undefined : new vscode.TreeItem(text);
  }

  parent({ key }: Item): Item | undefined {
    return key.includes('/') ? itemOf(key.slice(0, key.lastIndexOf('/'))) : undefined;
  }

  frame(): ViewFrame {
    return {
      welcome: ['state', this.welcome],
      contexts: [['hasFilter', true]],
      message: this.message,
      description: 'd',
    };
  }

  watch(): Disposable {
    return toDisposable(() => (this.isWatched = false));
  }
}

function start() {
  const source = new Source();
  const view = new MemoryTreeView();
  const keys = new Map<string, unknown>();
  const contextKeys = (name: string, value: unknown) => void keys.set(name, value);
  const clock = new HandClock();
  const ages = new Ages(clock);
  const tree = new ListTree(view, source, { clock, ages, contextKeys });
  const redrawn: (readonly string[] | 'all')[] = [];
  tree.onDidChangeTreeData((rows) => redrawn.push(rows?.map(({ key }) => key) ?? 'all'));
  return { source, view, keys, tree, redrawn, clock };
}

describe('a tree', () => {
  it('gives the same object for a row that says the same, and a new one for another', async () => {
    const { source, tree } = start();
    source.lists.set('', [itemOf('a'), itemOf('b')]);
    const [a, b] = await tree.getChildren();
    source.lists.set('', [itemOf('b', 'other'), itemOf('a')]);
    const [newB, sameA] = await tree.getChildren();
    assert.equal(sameA, a);
    assert.notEqual(newB, b);
    tree.dispose();
  });

  it('redraws only the rows that are named and that it has', async () => {
    const { source, tree, redrawn, clock } = start();
    source.lists.set('', [itemOf('a'), itemOf('b')]);
    await tree.getChildren();
    tree.redraw(['b', 'unknown']);
    tree.redraw(['unknown']);
    await clock.advance(1000);
    tree.redrawAll();
    assert.deepEqual(redrawn, [['b'], 'all']);
    tree.redraw(['a']);
    tree.redraw(['b']);
    source.lists.set('', [itemOf('a')]);
    await tree.getChildren();
    await clock.advance(1000);
    assert.deepEqual(redrawn.splice(2), [['a']]);
    tree.dispose();
  });

  it('forgets rows that went, with all below them', async () => {
    const { source, view, tree, redrawn, clock } = start();
    const [a, below] = [itemOf('a'), itemOf('a/b')];
    source.lists.set('', [a]).set('a', [below]);
    await tree.getChildren();
    await tree.getChildren(a);
    view.unfold(a);
    assert.deepEqual([tree.unfolded, tree.isUnfolded(a)], [[a], true]);
    source.lists.set('', []);
    await tree.getChildren();
    tree.redraw(['a', 'a/b']);
    await clock.advance(1000);
    assert.deepEqual([redrawn, tree.unfolded], [[], []]);
    source.lists.set('', [a]);
    await tree.getChildren();
    assert.deepEqual([tree.unfolded, tree.isUnfolded(a)], [[], false]);
    view.unfold(a);
    assert.deepEqual(tree.unfolded, [a]);
    view.fold(a);
    assert.deepEqual([tree.unfolded, tree.isUnfolded(a)], [[], false]);
    tree.dispose();
  });

  it('keeps the rows of a later listing when an earlier one ends after it', async () => {
    const { source, tree, redrawn, clock } = start();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    source.gate = promise;
    const early = tree.getChildren();
    source.gate = Promise.resolve();
    source.lists.set('', [itemOf('a')]);
    await tree.getChildren();
    resolve(undefined);
    await early;
    tree.redraw(['a']);
    await clock.advance(1000);
    assert.deepEqual(redrawn, [['a']]);
    tree.dispose();
  });

  it('redraws a row only once the rows below it have arrived in the window', async () => {
    const { source, tree, redrawn, clock } = start();
    source.lists.set('', [itemOf('a')]).set('a', [itemOf('a/b')]);
    const [a] = await tree.getChildren();
    await clock.advance(1000);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    source.gate = promise;
    const below = tree.getChildren(a);
    tree.redraw(['a']);
    assert.deepEqual(redrawn.splice(0), [['a']]);
    await clock.advance(1000);
    resolve(undefined);
    await below;
    tree.redraw(['a']);
    await clock.advance(50);
    assert.deepEqual(redrawn, []);
    await clock.advance(50);
    assert.deepEqual(redrawn, [['a']]);
    tree.dispose();
  });

  it('gives each row its key as the id, and keeps the place of one that is gone', async () => {
    const { source, tree } = start();
    source.lists.set('', [itemOf('a', 'A'), itemOf('b')]);
    source.gone.add('b');
    const items = (await tree.getChildren()).map((row) => tree.getTreeItem(row));
    assert.deepEqual(
      items.map(({ id, label }) => [id, label]),
      [
        ['a', 'A'],
        ['b', ''],
      ],
    );
    tree.dispose();
  });

  it('folds a row by another id below its parent, also one that the editor has not said to be unfolded', async () => {
    const { source, view, tree, redrawn, clock } = start();
    source.lists.set('', [itemOf('a')]);
    source.lists.set('a', [itemOf('a/b')]);
    source.lists.set('a/b', [itemOf('a/b/c')]);
    const [a] = await tree.getChildren();
    const [b] = await tree.getChildren(a);
    assert.ok(a && b);
    tree.fold(b);
    await clock.advance(1000);
    assert.deepEqual([tree.getTreeItem(b).id, redrawn], ['a/b#1', [['a']]]);
    view.unfold(b);
    tree.fold(b);
    assert.ok(!tree.isUnfolded(b));
    await clock.advance(1000);
    assert.deepEqual([tree.getTreeItem(b).id, redrawn], ['a/b#2', [['a'], ['a']]]);
    tree.dispose();
  });

  it('folds a row only once the editor has done what it was asked for, whatever it draws until then', async () => {
    const { source, view, tree, clock } = start();
    source.lists.set('', [itemOf('a')]);
    source.lists.set('a', [itemOf('a/b')]);
    const [a] = await tree.getChildren();
    assert.ok(a);
    const held = tree.hold();
    tree.fold(a);
    assert.equal(tree.getTreeItem(a).id, 'a');
    view.unfold(a);
    held.dispose();
    await clock.advance(1000);
    assert.deepEqual([tree.getTreeItem(a).id, tree.isUnfolded(a)], ['a#1', false]);
    tree.dispose();
  });

  it('takes a row as unfolded whose children the editor asks for, unless the row was redrawn', async () => {
    const { source, tree, clock } = start();
    source.lists.set('', [itemOf('a'), itemOf('b')]);
    const [a, b] = await tree.getChildren();
    assert.ok(a && b);
    tree.redraw(['a']);
    await clock.advance(1000);
    await tree.getChildren(a);
    await tree.getChildren(b);
    assert.deepEqual(tree.unfolded, [b]);
    tree.dispose();
  });

  it('takes it as unfolded, too, when the row was redrawn before all rows were drawn anew', async () => {
    const { source, tree, clock } = start();
    source.lists.set('', [itemOf('a')]);
    const [a] = await tree.getChildren();
    assert.ok(a);
    tree.redraw(['a']);
    await clock.advance(1000);
    tree.redrawAll();
    await tree.getChildren();
    await tree.getChildren(a);
    assert.deepEqual(tree.unfolded, [a]);
    tree.dispose();
  });

  it('draws notes, problems and "Load More…" itself, with nothing below them', async () => {
    const { source, tree } = start();
    const more = moreElement('workflows.loadMore', 'c', 'w');
    const rows = [problemElement('a', 'It broke.'), noteElement('a', 'Nothing yet'), more];
    source.lists.set('', rows);
    const shown = await tree.getChildren();
    const [problem, note, last] = shown.map((row) => tree.getTreeItem(row));
    assert.equal(new Set(rows.map(({ key }) => key)).size, 3);
    assert.deepEqual(
      [problem?.description, problem?.accessibilityInformation?.label],
      ['It broke.', 'It broke.'],
    );
    assert.ok(problem?.iconPath instanceof vscode.ThemeIcon && problem.iconPath.id === 'warning');
    assert.deepEqual([note?.description, note?.iconPath], ['Nothing yet', undefined]);
    assert.deepEqual(last?.command?.arguments, [more]);
    assert.equal(last.command.command, 'workflowAutomation.workflows.loadMore');
    for (const row of shown) {
      assert.deepEqual(await tree.getChildren(row), []);
      assert.equal(tree.getParent(row), undefined);
    }
    tree.dispose();
  });

  it('finds the row above one that is to be revealed, as the object that the editor has', async () => {
    const { source, tree } = start();
    source.lists.set('', [itemOf('a')]);
    const [a] = await tree.getChildren();
    const below = tree.intern(itemOf('a/b'));
    assert.equal(tree.intern(itemOf('a/b')), below);
    assert.equal(tree.getParent(below), a);
    tree.dispose();
  });

  it('shows what stands around the rows, and draws all anew for another welcome state', async () => {
    const { source, view, keys, tree, redrawn, clock } = start();
    assert.deepEqual(Object.fromEntries(keys), { state: 'empty', hasFilter: true });
    assert.equal(view.description, 'd');
    tree.showFrame();
    assert.deepEqual(redrawn, []);
    source.welcome = 'ready';
    tree.showFrame();
    assert.deepEqual([redrawn, keys.get('state')], [['all'], 'ready']);
    await clock.advance(1000);
    source.welcome = 'empty';
    tree.redrawAll();
    assert.deepEqual([redrawn, keys.get('state')], [['all', 'all'], 'empty']);
    tree.dispose();
  });

  it('announces rows before a new message, which delays what the editor draws next, and sets none twice', async () => {
    const { source, view, tree, clock } = start();
    const shown: string[] = [];
    tree.onDidChangeTreeData(() => shown.push(view.message));
    source.message = 'Filter: orders';
    tree.redrawAll();
    await clock.advance(1000);
    tree.redrawAll();
    await clock.advance(1000);
    source.message = '';
    source.welcome = 'ready';
    tree.showFrame();
    assert.deepEqual(shown, ['', 'Filter: orders', 'Filter: orders']);
    assert.deepEqual(view.messages, ['Filter: orders', '']);
  });

  it('ends with what was under way', async () => {
    const { source, tree } = start();
    source.lists.set('', [itemOf('a')]);
    const listing = tree.getChildren();
    tree.dispose();
    assert.deepEqual(await listing, []);
    assert.deepEqual([source.signal?.aborted, source.isWatched], [true, false]);
  });
});
