// What an expression names is read whole before it's evaluated on request, and nothing else is.
import assert from 'node:assert/strict';
import { ExpressionValues } from '../../../src/ui/expressions/expressionValues.ts';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import { readNamedValues } from '../../../src/ui/expressions/namedValues.ts';
import { readRecordedData } from '../../../src/ui/expressions/recordedData.ts';
import type { RunTree } from '../../../src/model/runs/runTree.ts';
import { scopeAtEnd, type ScopeSnapshot } from '../../../src/ui/expressions/scopeSnapshot.ts';
import { foldNodeRuns, makeExecution, makeNodeLog, statusOf, treeOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import { kindOf } from '../../support/reasons.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';
import { createEvaluator } from '../../support/ranExecution.ts';

const { signal } = new AbortController();
const cut = { $cut: { bytes: 300_000, preview: '[1' } };
const status = statusOf('completed');
const runs = treeOf(
  foldNodeRuns([
    makeNodeLog(1, { nodeId: 'first', status, output: cut }),
    makeNodeLog(2, { nodeId: 'second', status, output: cut }),
  ]),
);

const body = { nodeId: 'body', status, output: null };
const looped = treeOf(
  foldNodeRuns([
    makeNodeLog(1, { nodeId: 'first', status, output: cut }),
    makeNodeLog(2, { nodeId: 'each', nodeType: 'forEach', status: statusOf('running') }),
    makeNodeLog(3, { ...body, iteration: [0], input: 20 }),
    makeNodeLog(4, { ...body, iteration: [1], input: 21 }),
  ]),
);
const ran = new Map([['each', { id: 'each', type: 'forEach', config: { items: 'nodes.first' } }]]);

describe('an expression that is evaluated on request', () => {
  async function evaluate(
    expression: string,
    answer: (path: string) => ScriptedAnswer,
    { of, scope }: { readonly of: RunTree; readonly scope: ScopeSnapshot } = {
      of: runs,
      scope: scopeAtEnd(runs.root),
    },
  ) {
    const scripted = createScriptedClient(answer);
    const world = createWorld({ createClient: () => scripted.client, clock: scripted.clock });
    const [connectionId] = await connectBoth(world);
    const target = { connectionId, executionId: 'x' };
    const data = readRecordedData(makeExecution('x'), of, new Map(), DefinitionText.of({}), ran);
    const evaluator = createEvaluator();
    const evaluating = async () => {
      const known = await readNamedValues(world.executions, target, expression, { scope, data }, signal);
      return new ExpressionValues(evaluator).evaluate(expression, known.scope, known.data, signal);
    };
    return {
      json: evaluating().finally(() => evaluator.dispose()),
      paths: () => scripted.requests.map(({ url }) => url.replace(/^.*\/v1/, '')),
    };
  }

  it('reads the outputs that it names whole, and no other ones', async () => {
    const { json, paths } = await evaluate('$sum(nodes.second)', () => ({
      body: { id: 'log_2', nodeId: 'second', output: [20, 22] },
    }));
    assert.equal(await json, '42');
    assert.deepEqual(paths(), ['/executions/x/logs/log_2']);
  });

  it('reads what the items of the loop around it are made of, if it names the item', async () => {
    const iteration = looped.select(new Map()).get('body')?.runs[1];
    const item = looped.findRun(iteration?.key ?? '') ?? assert.fail('The second iteration has a run.');
    const { json, paths } = await evaluate(
      'item * 2',
      () => ({ body: { id: 'log_1', nodeId: 'first', output: [20, 21] } }),
      { of: looped, scope: scopeAtEnd(item.scope) },
    );
    assert.equal(await json, '42');
    assert.deepEqual(paths(), ['/executions/x/logs/log_1']);
  });

  it('reads the input if it names it', async () => {
    const { json, paths } = await evaluate('input.a', () => ({
      body: { id: 'x', workflowId: 'w', status: 'completed', input: { a: 7 } },
    }));
    assert.equal(await json, '7');
    assert.deepEqual(paths(), ['/executions/x']);
  });

  it('asks for nothing otherwise, and rejects with what the service says', async () => {
    const plain = await evaluate('1 + 1', () => ({ status: 500, body: {} }));
    assert.equal(await plain.json, '2');
    assert.deepEqual(plain.paths(), []);
    const { json } = await evaluate('nodes.first', () => ({ status: 403, body: {} }));
    assert.equal(await kindOf(json), 'forbidden');
  });
});
