// A service that nobody holds must end, and one that somebody holds must not.
import assert from 'node:assert/strict';
import { Leases } from '../../../src/service/process/leases.ts';

/** Resolves behind every timer of 0 ms that was set before. */
const afterTimers = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('leases', () => {
  it('end the service when the window that started it never takes one', async () => {
    await new Promise<void>((resolve) => {
      new Leases(resolve, 60_000, 0);
    });
  });

  it('keep the service while one is held, and end it once after the last', async () => {
    let ends = 0;
    const leases = new Leases(
      () => {
        ends += 1;
      },
      0,
      0,
    );
    const first = leases.take();
    const second = leases.take();
    first.dispose();
    await afterTimers();
    assert.equal(ends, 0);
    second.dispose();
    await afterTimers();
    assert.equal(ends, 1);
  });

  it('do not matter to a service that was started by hand', async () => {
    let ends = 0;
    const leases = new Leases(() => {
      ends += 1;
    }, 0);
    await afterTimers();
    leases.dispose();
    assert.equal(ends, 0);
  });
});
