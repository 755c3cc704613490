import assert from 'node:assert/strict';
import { renderNodeRunLens } from '../../../../src/features/executions/documents/nodeRunLenses.ts';
import { foldNodeRuns, makeNodeLog, statusOf } from '../../../support/memory/records.ts';

describe('the line above a node run', () => {
  it('says how it ended and why, and draws no icon that its error names', () => {
    const error = { code: null, message: 'no $(trash) mail\nat all', nodeId: null };
    const rows = [makeNodeLog(1, { status: statusOf('failed'), durationMs: 490, error })];
    const [title] = foldNodeRuns(rows).map(renderNodeRunLens);
    assert.equal(title, '$(error) failed · 490 ms · no \\$(trash) mail at all');
  });
});
