import assert from 'node:assert/strict';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { findFailedNode } from '../../../src/model/runs/failedNode.ts';
import { foldNodeRuns, makeNodeLog, statusOf } from '../../support/memory/records.ts';

function row(nodeId: string, state: RunState, iteration: readonly number[] = []): NodeLog {
  return makeNodeLog(0, { key: `${nodeId} ${iteration.join()}`, nodeId, iteration, status: statusOf(state) });
}
const error = (nodeId: string | null) => ({ code: null, message: 'no', nodeId });

describe('the failed node of an execution', () => {
  const runs = foldNodeRuns([row('a', 'completed'), row('b', 'failed', [0]), row('c', 'failed')]);
  const find = (nodeId: string | null) => {
    const failed = findFailedNode({ error: error(nodeId) }, runs);
    return failed && [failed.nodeId, failed.run?.iteration];
  };

  it('is the one that the execution names, or else the last that failed', () => {
    assert.deepEqual(find('b'), ['b', [0]]);
    assert.deepEqual(find(null), ['c', []]);
    assert.deepEqual(find('gone'), ['gone', undefined]);
  });

  it('is unknown where nothing says it', () =>
    assert.equal(findFailedNode({ error: error(null) }, foldNodeRuns([row('a', 'completed')])), undefined));
});
