// Why an execution failed, over the real service: where, with what, and what was different when it last succeeded.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ExecutionTarget } from '../../../src/domain/targets.ts';
import { defaultIgnoredFields, parseFieldPatterns } from '../../../src/model/comparison/fieldPatterns.ts';
import { explainFailure } from '../../../src/model/failures/explainFailure.ts';
import { type ServiceModel, startServiceModelForEach } from '../../support/serviceModel.ts';

const { signal } = new AbortController();
const { patterns } = parseFieldPatterns(defaultIgnoredFields);

const orders = {
  name: 'Orders',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'each', name: 'Each order', type: 'forEach', config: { items: 'input.orders' } },
    { id: 'price', name: 'Price', type: 'transform', config: { expression: '$number(item.price)' } },
    { id: 'end', type: 'output', config: { expression: 'input' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'price', branch: 'each' },
    { source: 'each', target: 'end', branch: 'done' },
  ],
};

describe('the explanation of a failure', () => {
  let model: ServiceModel;
  startServiceModelForEach((started) => {
    model = started;
  });

  async function run(workflowId: string, input: JsonObject): Promise<ExecutionTarget> {
    const { actions, connectionId, following } = model;
    const target = { connectionId, workflowId };
    const match = await actions.findExecution(target, await actions.execute(target, input));
    assert.ok(match.kind !== 'unknown');
    const execution = { connectionId, executionId: match.executionId };
    await following.follow(execution).done;
    return execution;
  }

  async function deploy(): Promise<string> {
    const { id: workflowId } = await model.actions.import(model.connectionId, orders);
    await model.actions.deploy({ connectionId: model.connectionId, workflowId });
    return workflowId;
  }

  it('names the node, its iteration and input, and the first field that was different', async () => {
    const workflowId = await deploy();
    const success = await run(workflowId, { orders: [{ price: '1' }, { price: '2' }] });
    const failed = await run(workflowId, { orders: [{ price: '1' }, { price: 'two' }] });
    await run(workflowId, { orders: [] });
    const explanation = await explainFailure(model, failed, patterns, signal);
    assert.ok(explanation);
    const { lines, reason, code, ...others } = explanation;
    assert.deepEqual(others, {
      executionId: failed.executionId,
      nodeId: 'price',
      nodeName: 'Price',
      iteration: [2],
      input: { price: 'two' },
      difference: {
        executionId: success.executionId,
        nodeId: 'start',
        nodeName: 'start',
        field: 'input.orders[1].price',
        before: '2',
        after: 'two',
      },
    });
    assert.match(reason, /two/);
    assert.equal(code, 'expression_failed');
    assert.ok(lines.length > 0 && lines.every((line) => line.includes('Price [2]')), lines.join('\n'));
  });

  it('compares with a success of the same kind, however many of the other came since', async () => {
    const workflowId = await deploy();
    const success = await run(workflowId, { orders: [{ price: '1' }] });
    const failed = await run(workflowId, { orders: [{ price: 'two' }] });
    const { actions, connectionId, following } = model;
    for (let count = 0; count < 21; count += 1) {
      const target = { connectionId, workflowId };
      const match = await actions.findExecution(
        target,
        await actions.executeDraft(target, { input: { orders: [] } }),
      );
      assert.ok(match.kind !== 'unknown');
      await following.follow({ connectionId, executionId: match.executionId }).done;
    }
    const explanation = await explainFailure(model, failed, patterns, signal);
    assert.equal(explanation?.difference?.executionId, success.executionId);
  });

  it('compares with nothing where nothing succeeded', async () => {
    const failed = await run(await deploy(), { orders: [{ price: 'two' }] });
    const explanation = await explainFailure(model, failed, patterns, signal);
    assert.deepEqual([explanation?.nodeId, explanation?.difference], ['price', undefined]);
  });

  it('is none for what succeeded', async () => {
    const success = await run(await deploy(), { orders: [] });
    assert.equal(await explainFailure(model, success, patterns, signal), undefined);
  });
});
