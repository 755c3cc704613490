import assert from 'node:assert/strict';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import { noValues, readLatestValues } from '../../../../src/features/definitions/completion/latestValues.ts';
import { foldNodeRuns, makeExecution, makeNodeLog, statusOf } from '../../../support/memory/records.ts';

const target = { connectionId: 'c', executionId: 'e' };
const read = (rows: readonly Partial<NodeLog>[], change = {}) =>
  readLatestValues({
    kind: 'execution',
    isLatest: true,
    target,
    execution: makeExecution('e', change),
    nodeRuns: foldNodeRuns(rows.map((row, index) => makeNodeLog(index + 1, row))),
  });
const completed = statusOf('completed');

describe('the values of the latest execution', () => {
  it('are none while none is known', () => {
    assert.equal(readLatestValues(undefined), noValues);
    assert.equal(readLatestValues({ kind: 'unknown' }), noValues);
    assert.equal(readLatestValues({ kind: 'none' }), noValues);
  });

  it('are the outputs of what completed, of a loop the first turn', () => {
    const { outputs } = read([
      { nodeId: 'a', status: completed, output: 1, iteration: [0] },
      { nodeId: 'a', status: completed, output: 2, iteration: [1] },
      { nodeId: 'b', status: statusOf('failed'), output: null },
      { nodeId: 'c', status: statusOf('running') },
    ]);
    assert.deepEqual([...outputs], [['a', 1]]);
  });

  it('have the input of the record, or else that of the trigger', () => {
    const trigger = { nodeType: 'trigger', status: completed, output: { a: 1 } };
    assert.deepEqual(read([trigger], { input: { b: 2 } }).input, { b: 2 });
    assert.deepEqual(read([trigger]).input, { a: 1 });
    assert.equal(read([]).input, undefined);
  });

  it('hold what the beginning of a cut value says', () => {
    const cut = (preview: string) => ({ $cut: { bytes: 1_000_000, preview } });
    const { outputs } = read([
      {
        nodeId: 'a',
        status: completed,
        output: cut('{"status":200,"headers":{"x":"y"},"body":{"items":[{"id":1},{"i'),
      },
      { nodeId: 'b', status: completed, output: cut('') },
    ]);
    assert.deepEqual(
      [...outputs],
      [['a', { status: 200, headers: { x: 'y' }, body: { items: [{ id: 1 }, {}] } }]],
    );
  });
});
