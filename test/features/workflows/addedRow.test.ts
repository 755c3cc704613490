// A workflow that was just added is selected as soon as the tree has its row, and once only.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import type { RowElement } from '../../../src/editor/tree/treeElements.ts';
import { AddedRow } from '../../../src/features/workflows/addedRow.ts';
import { HandClock } from '../../support/memory/ports.ts';

/** A view as the editor's: it rejects rows that it doesn't list, and ignores those that it hasn't drawn. */
class View {
  readonly asked: string[] = [];
  visible = true;
  state: 'unlisted' | 'undrawn' | 'drawn' = 'drawn';
  selection: readonly RowElement[] = [];

  reveal(row: RowElement): Promise<void> {
    this.asked.push(row.key);
    if (this.state === 'unlisted') return Promise.reject(new Error('The tree does not know this row.'));
    if (this.state === 'drawn') this.selection = [row];
    return Promise.resolve();
  }
}

function start() {
  const clock = new HandClock();
  const view = new View();
  const tree = { intern: <T>(row: T): T => row, hold: () => ({ dispose: () => undefined }) };
  return { clock, view, added: new AddedRow({ clock, logger: silentLogger, view, tree }) };
}

const selected = ({ selection }: View) => selection.map(({ key }) => key);

describe('the row of an added workflow', () => {
  const target = { connectionId: 'c1', workflowId: 'w1' };

  it('is selected at once where it is drawn, and left alone then', async () => {
    const { clock, view, added } = start();
    added.show(target);
    await clock.advance(60_000);
    assert.deepEqual([selected(view), view.asked.length, clock.armed], [['c1/workflow/w1'], 1, 0]);
  });

  it('is selected once it is listed and drawn', async () => {
    const { clock, view, added } = start();
    view.state = 'unlisted';
    added.show(target);
    await clock.advance(50);
    view.state = 'undrawn';
    await clock.advance(100);
    assert.deepEqual(selected(view), []);
    view.state = 'drawn';
    await clock.advance(10_000);
    assert.deepEqual(selected(view), ['c1/workflow/w1']);
  });

  it('is given up where it is hidden by a filter, where the view is hidden, and for a newer one', async () => {
    const { clock, view, added } = start();
    view.state = 'unlisted';
    added.show(target);
    await clock.advance(60_000);
    assert.equal(clock.armed, 0);
    view.state = 'drawn';
    view.visible = false;
    added.show(target);
    await clock.advance(60_000);
    assert.deepEqual(selected(view), []);
    view.visible = true;
    added.show(target);
    added.show({ ...target, workflowId: 'w2' });
    await clock.advance(60_000);
    assert.deepEqual(selected(view), ['c1/workflow/w2']);
    added.dispose();
  });
});
