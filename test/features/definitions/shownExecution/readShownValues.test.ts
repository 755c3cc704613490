import assert from 'node:assert/strict';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import { readShownValues } from '../../../../src/features/definitions/shownExecution/readShownValues.ts';
import { noValues } from '../../../../src/ui/expressions/shownValues.ts';
import type { IterationSelection } from '../../../../src/model/runs/nodeView.ts';
import {
  foldNodeRuns,
  makeExecution,
  makeNodeLog,
  makeShown,
  statusOf,
} from '../../../support/memory/records.ts';
import { valuesOf } from '../completion/order.ts';

const read = (rows: readonly Partial<NodeLog>[], change = {}, iterations: IterationSelection = new Map()) =>
  valuesOf(
    makeShown({
      execution: makeExecution('e', change),
      nodeRuns: foldNodeRuns(rows.map((row, index) => makeNodeLog(index + 1, row))),
      iterations,
    }),
  );
const completed = statusOf('completed');

describe('the values of the execution that is shown', () => {
  it('are none while none is known', () => {
    assert.equal(readShownValues(undefined), noValues);
    for (const kind of ['unknown', 'none'] as const)
      assert.equal(readShownValues({ shown: { kind }, nodes: new Map() }), noValues);
  });

  it('are the outputs of what completed, of a loop the first iteration', () => {
    const { outputs } = read([
      { nodeId: 'a', status: completed, output: 1, iteration: [0] },
      { nodeId: 'a', status: completed, output: 2, iteration: [1] },
      { nodeId: 'b', status: statusOf('failed'), output: null },
      { nodeId: 'c', status: statusOf('running') },
    ]);
    assert.deepEqual([...outputs], [['a', 1]]);
  });

  it('are those of the iteration that is shown, for all nodes of a loop', () => {
    const rows = [
      { nodeId: 'each', nodeType: 'forEach', status: statusOf('running') },
      ...[0, 1].flatMap((iteration) => [
        { nodeId: 'a', status: completed, output: `a${iteration}`, iteration: [iteration] },
        {
          nodeId: 'b',
          status: iteration === 0 ? statusOf('skipped') : completed,
          output: iteration,
          iteration: [iteration],
        },
      ]),
    ];
    const first = read(rows);
    assert.deepEqual([...first.outputs], [['a', 'a0']]);
    const key = first.nodes.get('a')?.loops[0]?.key ?? assert.fail('The node is in no loop.');
    const second = read(rows, {}, new Map([[key, 1]]));
    assert.deepEqual(
      [...second.outputs],
      [
        ['a', 'a1'],
        ['b', 1],
      ],
    );
  });

  it('have the input of the record, or else that of the trigger', () => {
    const trigger = { nodeType: 'trigger', status: completed, output: { a: 1 } };
    assert.deepEqual(read([trigger], { input: { b: 2 } }).input, { b: 2 });
    assert.deepEqual(read([trigger]).input, { a: 1 });
    assert.equal(read([]).input, undefined);
  });

  it('hold what the beginning of a truncated value says', () => {
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
