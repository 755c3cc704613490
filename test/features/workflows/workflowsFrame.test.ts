// The seconds of a rate limit in the view's title: drawn only while somebody sees them, and read again when they are over.
import assert from 'node:assert/strict';
import { Ages } from '../../../src/editor/tree/ages.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { countDown } from '../../../src/features/workflows/workflowsFrame.ts';
import { createWorkflowsTree } from '../../../src/features/workflows/workflowsTree.ts';
import type { LocalServiceState } from '../../../src/model/localService.ts';
import { HandClock } from '../../support/memory/ports.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { MemoryTreeView } from '../../support/memory/treeView.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import { ObservableValue } from '../../../src/base/event.ts';
import { ServiceError } from '../../../src/domain/errors.ts';

describe('the countdown of a rate limit', () => {
  async function start() {
    const world = createWorld();
    await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1')];
    const view = new MemoryTreeView();
    const localService = { state: new ObservableValue<LocalServiceState>({ kind: 'stopped' }) };
    // Ages have a timer of their own.
    const ages = new Ages(new HandClock());
    const deps = { ...world, ages, localService, contextKeys: () => undefined, logger: silentLogger };
    const tree = createWorkflowsTree(view, deps);
    const counting = countDown(view, tree, deps);
    const limit = async (seconds: number, isQuota = false): Promise<void> => {
      const retryAt = world.clock.now() + seconds * 1000;
      world.first.failure = new ServiceError({ kind: 'rateLimited', retryAt, isQuota }, 'slow down');
      await world.workflows.refresh();
    };
    const reads = (): number => world.first.calls.length;
    const end = (): void => {
      counting.dispose();
      tree.dispose();
    };
    return { ...world, view, limit, reads, end };
  }

  it('says each second how many are left, then reads the list', async () => {
    const { first, clock, workflows, view, limit, reads, end } = await start();
    await limit(3);
    const before = reads();
    for (const left of [3, 2, 1]) {
      assert.equal(view.description, `First · ${left} s left`);
      first.failure = null;
      await clock.advance(1000);
    }
    assert.equal(reads(), before);
    await clock.advance(1);
    assert.equal(reads(), before + 1);
    assert.equal(workflows.state.current.items.length, 1);
    await clock.advance(500);
    assert.deepEqual([view.description, clock.armed], ['First', 0]);
    end();
  });

  it('begins anew where the service still refuses', async () => {
    const { first, clock, view, limit, end } = await start();
    await limit(1);
    const retryAt = clock.now() + 6000;
    first.failure = new ServiceError({ kind: 'rateLimited', retryAt, isQuota: false }, 'slow down');
    await clock.advance(2001);
    assert.equal(view.description, 'First · 4 s left');
    end();
  });

  it('waits until the view is seen, which then says what is left or reads at once', async () => {
    const { clock, view, limit, reads, end } = await start();
    await limit(10);
    view.setVisible(false);
    const before = reads();
    await clock.advance(500);
    assert.equal(clock.armed, 0);
    await clock.advance(3500);
    view.setVisible(true);
    assert.equal(view.description, 'First · 6 s left');
    view.setVisible(false);
    await clock.advance(60_000);
    assert.equal(reads(), before);
    view.setVisible(true);
    await clock.advance(1);
    assert.equal(reads(), before + 1);
    end();
  });

  it('ends with another connection, and with the view', async () => {
    const { clock, connections, limit, reads, end } = await start();
    const [first, second] = connections.all.current;
    assert.ok(first && second);
    await limit(10);
    await connections.switchTo(second.id);
    await clock.advance(500);
    assert.equal(clock.armed, 0);
    await connections.switchTo(first.id);
    await limit(10);
    const before = reads();
    end();
    await clock.advance(60_000);
    assert.deepEqual([reads(), clock.armed], [before, 0]);
  });

  it('does not begin for a quota that is used up', async () => {
    const { clock, view, limit, end } = await start();
    await limit(10, true);
    assert.deepEqual([view.description, clock.armed], ['First · quota used up', 0]);
    end();
  });
});
