// The editor ignores without an error what it has not drawn yet; the row unfolds all the same, and only once.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { RowChanges } from '../../../src/editor/tree/rowChanges.ts';
import { RowReveal } from '../../../src/features/workflows/rowReveal.ts';
import { HandClock } from '../../support/memory/ports.ts';

interface Row {
  readonly key: string;
}

/** A view as the editor's: it does nothing for rows that it has not drawn. */
class View {
  readonly drawn = new Set<Row>();
  readonly unfolded = new Set<Row>();
  readonly asked: Row[] = [];
  visible = true;
  isFailing = false;
  /** As where the editor waits for a drawing that doesn't come. */
  isHanging = false;

  reveal(row: Row): Promise<void> {
    this.asked.push(row);
    if (this.isHanging) return new Promise(() => undefined);
    if (this.isFailing) return Promise.reject(new Error('The tree does not know this row.'));
    if (this.drawn.has(row)) this.unfolded.add(row);
    return Promise.resolve();
  }

  fold(row: Row): void {
    this.unfolded.delete(row);
  }
}

describe('a row that is to unfold', () => {
  const row: Row = { key: 'row' };
  function start() {
    const clock = new HandClock();
    const view = new View();
    const announced: string[] = [];
    const tree = new RowChanges(clock, (keys) => announced.push(...(keys ?? ['all'])));
    const isRevealed = (each: Row) => view.unfolded.has(each);
    const options = { expand: true };
    return {
      clock,
      view,
      tree,
      announced,
      unfolding: new RowReveal({ view, tree, options, isRevealed, clock, logger: silentLogger }),
    };
  }

  it('unfolds at once where it is drawn, and is left alone then', async () => {
    const { clock, view, unfolding } = start();
    view.drawn.add(row);
    void unfolding.reveal(() => row);
    await clock.advance(0);
    assert.deepEqual(view.asked, [row]);
    await clock.advance(60_000);
    assert.deepEqual(view.asked, [row]);
    assert.equal(clock.armed, 0);
  });

  it('is trusted to have unfolded after three requests since it was drawn, though the editor never says so', async () => {
    const { clock, view, tree } = start();
    const trusted = new Set<Row>();
    const revealing = new RowReveal<Row>({
      view,
      tree,
      options: { expand: true },
      isRevealed: (each) => trusted.has(each),
      isDrawn: (each) => view.drawn.has(each),
      trust: (each) => trusted.add(each),
      clock,
      logger: silentLogger,
    });
    const revealed = revealing.reveal(() => row);
    await clock.advance(100);
    assert.equal(view.asked.length, 2);
    view.drawn.add(row);
    await clock.advance(60_000);
    assert.equal(await revealed, row);
    assert.equal(view.asked.length, 5);
  });

  it('is asked for no more often than the editor responds while news come, and then trusted', async () => {
    const { clock, view, tree, announced } = start();
    const trusted = new Set<Row>();
    const revealing = new RowReveal<Row>({
      view,
      tree,
      options: { expand: false },
      isRevealed: (each) => trusted.has(each),
      isDrawn: () => true,
      trust: (each) => trusted.add(each),
      clock,
      logger: silentLogger,
    });
    view.isHanging = true;
    for (let milliseconds = 0; milliseconds < 30_000; milliseconds += 400) {
      tree.add(['row']);
      if (!trusted.has(row)) void revealing.reveal(() => row);
      await clock.advance(400);
    }
    // The last news before it was trusted may still ask.
    assert.ok(view.asked.length <= 4, String(view.asked.length));
    assert.ok(announced.length > 50, String(announced.length));
  });

  for (const [words, hinder, help] of [
    ['is drawn later', () => undefined, (view: View) => view.drawn.add(row)],
    [
      'is known to the tree later',
      (view: View) => {
        view.drawn.add(row);
        view.isFailing = true;
      },
      (view: View) => {
        view.isFailing = false;
      },
    ],
  ] as const)
    it(`unfolds when it ${words}`, async () => {
      const { clock, view, unfolding } = start();
      hinder(view);
      void unfolding.reveal(() => row);
      await clock.advance(1_000);
      assert.equal(view.unfolded.size, 0);
      help(view);
      await clock.advance(2_000);
      assert.deepEqual([...view.unfolded], [row]);
      const asked = view.asked.length;
      view.fold(row);
      await clock.advance(60_000);
      assert.equal(view.asked.length, asked, 'a person folded it');
    });

  it('is redrawn only once the editor has responded, or has taken too long, and is then asked for again', async () => {
    const { clock, view, tree, announced, unfolding } = start();
    view.drawn.add(row);
    view.isHanging = true;
    void unfolding.reveal(() => row);
    await clock.advance(0);
    tree.add(['row']);
    await clock.advance(1_900);
    assert.deepEqual([announced, view.asked], [[], [row]]);
    view.isHanging = false;
    await clock.advance(200);
    assert.deepEqual([announced, view.asked], [['row'], [row, row]]);
    assert.deepEqual([...view.unfolded], [row]);
  });

  it('is asked for anew each time, since it may not be known yet', async () => {
    const { clock, view, unfolding } = start();
    view.drawn.add(row);
    const known: Row[] = [];
    void unfolding.reveal(() => known[0]);
    await clock.advance(500);
    assert.deepEqual(view.asked, []);
    known.push(row);
    await clock.advance(1_000);
    assert.deepEqual([...view.unfolded], [row]);
  });

  it('is given up after a while', async () => {
    const { clock, view, unfolding } = start();
    void unfolding.reveal(() => row);
    await clock.advance(60_000);
    assert.equal(view.asked.length, 8);
    assert.equal(clock.armed, 0);
  });

  it('never opens a view that is closed', async () => {
    const { clock, view, unfolding } = start();
    void unfolding.reveal(() => row);
    await clock.advance(1_000);
    const asked = view.asked.length;
    view.visible = false;
    view.drawn.add(row);
    await clock.advance(60_000);
    assert.equal(view.asked.length, asked);
    assert.equal(clock.armed, 0);
  });

  it('is forgotten with its view', async () => {
    const { clock, view, unfolding } = start();
    void unfolding.reveal(() => row);
    await clock.advance(1_000);
    const asked = view.asked.length;
    unfolding.dispose();
    await clock.advance(60_000);
    assert.equal(view.asked.length, asked);
    assert.equal(clock.armed, 0);
  });
});
