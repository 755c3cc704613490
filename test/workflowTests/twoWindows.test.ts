// Two windows run the same tests at once: they share the limit of requests, and a person's click waits for none of them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { Ledger } from '../../src/api/budget/ledger/ledger.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { densest } from '../support/densest.ts';
import { SettableClock } from '../support/ledgerWorld.ts';
import { createTestService } from '../support/service.ts';
import { createServiceModel } from '../support/serviceModel.ts';
import { runAll } from '../support/testRuns.ts';

const testsEach = 30;
/** How far the clock of the limit goes at once, in milliseconds. */
const stepMs = 1000;

const definition = {
  name: 'Doubles',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'end', type: 'output', config: { expression: 'input.n * 2' } },
  ],
  edges: [{ source: 'start', target: 'end' }],
};

describe('two windows that run the same tests', () => {
  it('keep the limit, run each test once, and let a person go first', async () => {
    const owned = new DisposableStore();
    const folder = mkdtempSync(join(tmpdir(), 'two-windows-'));
    // Only the limit goes by this clock.
    const clock = new SettableClock();
    const { uptime } = clock;
    const service = await createTestService({ steadyNow: uptime });
    const arrivals: number[] = [];
    const openWindow = async () => {
      const ledger = owned.add(
        new Ledger({ path: join(folder, 'budget.db'), uptime, clock, logger: silentLogger }),
      );
      const budgets = owned.add(new Budgets({ clock, uptime, random: () => 0.5, ledger }));
      const model = await createServiceModel(service, {
        budgets,
        onRequest: () => arrivals.push(uptime()),
      });
      owned.add(model);
      return model;
    };
    try {
      const [first, second] = await Promise.all([openWindow(), openWindow()]);
      const { id: workflowId } = await first.actions.import(first.connectionId, definition);
      const tests = Array.from({ length: testsEach }, (_, n) => ({
        name: `test ${n}`,
        input: { n },
        expected: { status: 'completed', output: n * 2 },
      }));
      const done = new AbortController();
      const runs = Promise.all([runAll(first, 'Doubles', tests), runAll(second, 'Doubles', tests)]).finally(
        () => done.abort(),
      );
      const clicks: Promise<number>[] = [];
      for (let step = 0; !done.signal.aborted; step += 1) {
        const clickedAt = uptime();
        const click = () =>
          second.workflows
            .read({ connectionId: second.connectionId, workflowId })
            .then(() => uptime() - clickedAt);
        if (step % 20 === 19) clicks.push(click());
        await clock.advance(stepMs);
        // The service and its executions go by the real time.
        await setTimeout(5);
      }
      const [one, other] = await runs;
      for (const ended of [one, other]) {
        assert.deepEqual(
          ended.map(({ outcome, message }) => message ?? outcome),
          Array.from({ length: testsEach }, () => 'passed'),
        );
        assert.equal(new Set(ended.map(({ name }) => name)).size, testsEach);
      }
      assert.ok(densest(arrivals) <= 60, `${densest(arrivals)} in a minute`);
      assert.ok(arrivals.length > 120, `${arrivals.length}`);
      const waits = await Promise.all(clicks);
      assert.ok(waits.length >= 3, `${waits.length}`);
      assert.ok(Math.max(...waits) <= 10_000, waits.join());
    } finally {
      owned.dispose();
      await service.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
