import assert from 'node:assert/strict';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../../src/domain/status.ts';
import { renderNodeFailures } from '../../../../src/features/definitions/shownExecution/renderNodeFailures.ts';
import { definition } from '../../../definition/twoNodes.ts';
import {
  foldNodeRuns,
  makeExecution,
  makeNodeLog,
  makeShown,
  statusOf,
  treeOf,
} from '../../../support/memory/records.ts';

function row(nodeId: string, state: RunState, change: Partial<NodeLog> = {}): NodeLog {
  return makeNodeLog(change.sequence ?? 1, { nodeId, status: statusOf(state), ...change });
}
const reason = (message: string) => ({ code: null, message, nodeId: null });

describe('failed nodes', () => {
  const positions = [...new DefinitionText(definition).byId.values()];
  const failures = (
    rows: readonly NodeLog[],
    change: Parameters<typeof makeExecution>[1] = {},
    isLatest = true,
  ) =>
    renderNodeFailures(
      makeShown({ isLatest, execution: makeExecution('e', change) }),
      treeOf(foldNodeRuns(rows)).select(new Map()),
      positions,
    ).map(({ offset, length, message }) => `${definition.slice(offset, offset + length)} ${message}`);

  it('are marked at their name with their error', () =>
    assert.deepEqual(
      failures([row('start', 'failed', { error: reason('bad\ninput') }), row('say', 'skipped')]),
      ['"Start" This node failed in the latest execution: bad input'],
    ));

  it('name the execution that was selected', () =>
    assert.deepEqual(failures([row('start', 'failed', { error: reason('bad input') })], {}, false), [
      '"Start" This node failed in the execution e: bad input',
    ]));

  it('are counted in a loop, and made up for by a later attempt', () =>
    assert.deepEqual(
      failures([
        row('start', 'failed'),
        row('start', 'completed', { attempt: 2 }),
        row('say', 'completed', { iteration: [0] }),
        row('say', 'failed', { iteration: [1] }),
      ]),
      ['"say" This node failed in the latest execution (1 of 2).'],
    ));

  it('are said to be handled where the execution went on', () => {
    const rows = [
      row('start', 'failed', { error: reason('bad input') }),
      row('say', 'completed', { sequence: 2, iteration: [] }),
    ];
    assert.deepEqual(failures(rows), [
      '"Start" This node failed in the latest execution (handled): bad input',
    ]);
    assert.deepEqual(
      failures([
        row('say', 'failed', { iteration: [0] }),
        row('next', 'completed', { iteration: [0] }),
        row('say', 'completed', { iteration: [1] }),
      ]),
      ['"say" This node failed in the latest execution (handled, 1 of 2).'],
    );
  });

  it('are known by the execution where there are no node runs, and none once it went well', () => {
    const error = { ...reason('no luck'), nodeId: 'say' };
    assert.deepEqual(failures([], { status: statusOf('failed'), error }), [
      '"say" This node failed in the latest execution: no luck',
    ]);
    assert.deepEqual(failures([row('say', 'completed')], { status: statusOf('completed') }), []);
  });
});
