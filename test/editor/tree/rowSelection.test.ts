// Which selected rows of a view are the user's choice.
import assert from 'node:assert/strict';
import { RowSelection } from '../../../src/editor/tree/rowSelection.ts';
import { noteElement, type RowElement } from '../../../src/editor/tree/treeElements.ts';
import { RevealingView } from '../../support/memory/revealingView.ts';

const [a, b, c] = [noteElement('a', ''), noteElement('b', ''), noteElement('c', '')];

function start() {
  const view = new RevealingView();
  const selection = new RowSelection(view);
  const chosen: (readonly RowElement[])[] = [];
  selection.onDidChoose((rows) => void chosen.push(rows));
  return { view, selection, chosen };
}

describe('the selection of a view', () => {
  it('is the choice of a user who selects a row, or one more', () => {
    const { view, selection, chosen } = start();
    view.select(a);
    view.select(a, b);
    view.select(b);
    assert.deepEqual(chosen, [[a], [a, b]]);
    assert.deepEqual([selection.has(a), selection.has(b)], [false, true]);
  });

  it('is no choice where a row is revealed, but the next one is', async () => {
    const { view, selection, chosen } = start();
    view.select(a);
    await selection.reveal(b, { select: true });
    assert.ok(selection.has(b));
    view.select(c);
    view.select(b);
    assert.deepEqual(chosen, [[a], [c], [b]]);
  });

  it('is no choice when its rows are drawn anew', async () => {
    const { view, selection, chosen } = start();
    view.select(a);
    view.redraw();
    await selection.reveal(b, { select: true });
    view.redraw();
    assert.deepEqual(chosen, [[a]]);
  });

  it('is the choice of a user who selects another row while one is revealed', async () => {
    const { view, selection, chosen } = start();
    const revealed = selection.reveal(b, { select: false });
    view.select(a);
    await revealed;
    assert.deepEqual(chosen, [[a]]);
  });

  it('is the choice of a user who selects the row that the view failed to reveal', async () => {
    const { view, selection, chosen } = start();
    view.reveal = () => Promise.reject(new Error('The tree does not know this row.'));
    await assert.rejects(selection.reveal(a, { select: true }));
    view.select(a);
    assert.deepEqual(chosen, [[a]]);
  });
});
