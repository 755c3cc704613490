// What an expression gave is remembered by what it could see.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import type { ExpressionEvaluator } from '../../../src/definition/expressionScope.ts';
import { ExpressionValues } from '../../../src/ui/expressions/expressionValues.ts';
import { readRecordedData } from '../../../src/ui/expressions/recordedData.ts';
import { scopeAtEnd, scopeOf } from '../../../src/ui/expressions/scopeSnapshot.ts';
import { foldNodeRuns, makeExecution, makeNodeLog, statusOf, treeOf } from '../../support/memory/records.ts';

/** Gives the nodes that can be seen. */
const seeing: ExpressionEvaluator = {
  evaluate: (_expression, { nodes }) => Promise.resolve(JSON.stringify([...nodes.keys()])),
  list: () => Promise.resolve([]),
};

describe('what an expression gave', () => {
  it('is told apart for the items of a loop inside another one, and for its result', async () => {
    const row = (sequence: number, nodeId: string, iteration: readonly number[], nodeType = 'transform') =>
      makeNodeLog(sequence, { nodeId, nodeType, iteration, status: statusOf('completed'), output: 1 });
    const tree = treeOf(
      foldNodeRuns([
        row(1, 'start', [], 'trigger'),
        row(2, 'outer', [], 'forEach'),
        row(3, 'inner', [0], 'forEach'),
        row(4, 'a', [0, 0]),
      ]),
    );
    const text = DefinitionText.of({ nodes: [], edges: [] });
    const data = readRecordedData(makeExecution('e'), tree, new Map(), text, undefined);
    const loop = data.runOf('inner') ?? assert.fail();
    const iteration = data.iterationOf(loop) ?? assert.fail();
    const values = new ExpressionValues(seeing);
    const { signal } = new AbortController();
    const texts = [];
    for (const scope of [scopeOf(loop), scopeAtEnd(iteration.scope)])
      texts.push((await values.giveAgain('item.list', scope, data, signal))?.text);
    assert.deepEqual(texts, ['["start"]', '["start","a"]']);
  });
});
