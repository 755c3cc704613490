import assert from 'node:assert/strict';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { findFailedNode } from '../../../src/model/failures/findFailure.ts';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../../support/memory/records.ts';

function row(nodeId: string, state: RunState, iteration: readonly number[] = []): NodeLog {
  return makeNodeLog(0, { key: `${nodeId} ${iteration.join()}`, nodeId, iteration, status: statusOf(state) });
}
const error = (nodeId: string | null) => ({ code: null, message: 'no', nodeId });

describe('the failed node of an execution', () => {
  const runTree = treeOf(foldNodeRuns([row('a', 'completed'), row('b', 'failed', [0]), row('c', 'failed')]));
  const find = (nodeId: string | null) => {
    const failed = findFailedNode({ error: error(nodeId) }, runTree);
    return failed && [failed.nodeId, failed.run?.iteration];
  };

  it('is the one that the execution names, or else the last that failed', () => {
    assert.deepEqual(find('b'), ['b', [0]]);
    assert.deepEqual(find(null), ['c', []]);
    assert.deepEqual(find('gone'), ['gone', undefined]);
  });

  it('is none of which a later attempt went well', () => {
    const again = { ...row('c', 'completed'), key: 'c again', attempt: 2 };
    const rows = [row('b', 'failed'), row('c', 'failed'), again];
    assert.equal(findFailedNode({ error: null }, treeOf(foldNodeRuns(rows)))?.nodeId, 'b');
  });

  it('is told by an error where a service has only lines', () => {
    const rows = [{ ...row('a', 'unknown'), status: null, error: error(null) }, row('b', 'completed')];
    assert.equal(findFailedNode({ error: null }, treeOf(foldNodeRuns(rows)))?.nodeId, 'a');
  });

  it('is unknown where nothing says it', () =>
    assert.equal(
      findFailedNode({ error: error(null) }, treeOf(foldNodeRuns([row('a', 'completed')]))),
      undefined,
    ));
});
