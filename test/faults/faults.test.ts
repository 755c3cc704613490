// Under each fault each operation ends with an answer or a typed error, sends no change twice, keeps the key, and the client goes on.
import assert from 'node:assert/strict';
import { tryCell } from './cell.ts';
import { faults } from './faults.ts';
import { operations } from './operations.ts';

describe('Faults', () => {
  it('are at least sixty, each named once', () => {
    assert.ok(faults.length >= 60);
    assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length);
  });

  for (const fault of faults)
    it(`${fault.name}: every operation ends well`, async () => {
      const cells = await Promise.all(operations.map((operation) => tryCell(fault, operation)));
      const broken = cells.flatMap((cell, index) =>
        cell.broken.map((what) => `${operations[index]?.name ?? ''}: ${what}`),
      );
      assert.deepEqual(broken, []);
    });
});
