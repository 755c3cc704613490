// A view is kept fresh only while somebody looks, and no timer is left behind.
import assert from 'node:assert/strict';
import { silentLogger } from '../../src/base/logger.ts';
import { type AddedView, AutoRefresh } from '../../src/model/autoRefresh.ts';
import { HandClock, settle } from '../support/memory/ports.ts';

const looking = { isVisible: true, isFocused: true };

describe('refreshing on its own', () => {
  let clock: HandClock;
  let auto: AutoRefresh;
  let view: AddedView;
  let times: number;
  let delayMs: number;
  beforeEach(() => {
    clock = new HandClock();
    times = 0;
    delayMs = 30_000;
    const refresh = () => {
      times += 1;
      return Promise.resolve();
    };
    auto = new AutoRefresh({ clock, logger: silentLogger, refresh, delayMs: () => delayMs });
    view = auto.add(() => null);
  });
  afterEach(() => {
    auto.dispose();
    assert.equal(clock.armed, 0);
  });

  it('arms no timer before somebody looks, nor after they turned away', async () => {
    assert.equal(clock.armed, 0);
    view.setAttention(looking);
    assert.equal(clock.armed, 1);
    view.setAttention({ isVisible: true, isFocused: false });
    assert.equal(clock.armed, 0);
    view.setAttention({ isVisible: false, isFocused: true });
    assert.equal(clock.armed, 0);
    await clock.advance(3_600_000);
    assert.equal(times, 0);
  });

  it('refreshes at once for somebody who comes back late, not for one who looked away shortly', async () => {
    view.setAttention(looking);
    view.setAttention({ isVisible: false, isFocused: true });
    await clock.advance(10_000);
    view.setAttention(looking);
    await clock.advance(0);
    assert.equal(times, 0);
    view.setAttention({ isVisible: false, isFocused: true });
    await clock.advance(60_000);
    view.setAttention(looking);
    await clock.advance(0);
    assert.equal(times, 1);
  });

  it('keeps its pace however long nothing changes, and takes another one', async () => {
    view.setAttention(looking);
    await clock.advance(3_600_000);
    assert.equal(times, 120);
    delayMs = 60_000;
    auto.restart();
    await clock.advance(59_999);
    assert.equal(times, 120);
    await clock.advance(1);
    assert.equal(times, 121);
  });

  it('never runs two at once, and cancels the one under way at the end', async () => {
    const answer = Promise.withResolvers<undefined>();
    const signals: AbortSignal[] = [];
    const slow = new AutoRefresh({
      clock,
      logger: silentLogger,
      refresh: (signal) => {
        signals.push(signal);
        return answer.promise;
      },
    });
    const watched = slow.add(() => null);
    watched.setAttention(looking);
    await clock.advance(30_000);
    slow.restart();
    watched.setAttention(looking);
    await clock.advance(600_000);
    assert.equal(signals.length, 1);
    slow.dispose();
    assert.equal(signals[0]?.aborted, true);
    answer.resolve(undefined);
    await settle();
    assert.equal(clock.armed, 0);
  });

  it('logs what fails, except a cancellation, and keeps its pace', async () => {
    const logged: string[] = [];
    const failures = [new Error('broken'), new DOMException('Cancelled', 'AbortError')];
    const failing = new AutoRefresh({
      clock,
      logger: { ...silentLogger, error: (_message, error) => logged.push(String(error)) },
      refresh: () => Promise.reject(failures.shift() ?? new Error('again')),
    });
    failing.add(() => null).setAttention(looking);
    await clock.advance(90_000);
    assert.deepEqual(logged, ['Error: broken', 'Error: again']);
    failing.dispose();
  });
});
