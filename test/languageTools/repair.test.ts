// What the tools are for, with the tools alone: an execution fails, is explained, its workflow corrected, tried as a draft, saved, and retried.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { type ServiceModel, startServiceModelForEach } from '../support/serviceModel.ts';
import { toolFaces } from '../support/toolFaces.ts';

const Saved = v.object({ workflowId: v.string(), version: v.string() });
const Ended = v.looseObject({ executionId: v.string(), status: v.string(), output: v.optional(v.any()) });
const Explained = v.object({
  executionId: v.string(),
  nodeId: v.string(),
  nodeName: v.string(),
  reason: v.string(),
  code: v.string(),
  input: v.any(),
  lines: v.array(v.string()),
});
const Recorded = v.looseObject({
  input: v.custom<JsonObject>(isJsonObject),
  nodes: v.array(v.looseObject({ nodeId: v.string(), status: v.string() })),
});
const Definition = v.looseObject({
  nodes: v.array(
    v.looseObject({ id: v.string(), type: v.string(), config: v.custom<JsonObject>(isJsonObject) }),
  ),
});

const invoices = {
  name: 'Invoices',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'net', type: 'transform', config: { expression: '$sum(input.lines.amount)' } },
    {
      id: 'gross',
      name: 'Add the tax',
      type: 'transform',
      config: { expression: 'nodes.net * $number(input.tax.rate & "x")' },
    },
    { id: 'end', type: 'output', config: { expression: 'nodes.gross' } },
  ],
  edges: [
    { source: 'start', target: 'net' },
    { source: 'net', target: 'gross' },
    { source: 'gross', target: 'end' },
  ],
};

describe('a workflow that fails', () => {
  let model: ServiceModel;
  startServiceModelForEach((started) => {
    model = started;
  });

  for (const [how, open] of Object.entries(toolFaces))
    it(`is repaired with the tools alone, ${how}`, async () => {
      const { get, close } = await open(model);
      const { workflowId } = await get(Saved, 'saveDefinition', { definition: invoices, deploy: true });
      const input = { lines: [{ amount: 10 }, { amount: 20 }], tax: { rate: 2 } };
      const { executionId, status } = await get(Ended, 'executeWorkflow', { workflowId, input });
      assert.equal(status, 'failed');

      const { nodeId, nodeName, lines } = await get(Explained, 'explainFailure', { executionId });
      assert.ok(nodeId === 'gross' && nodeName === 'Add the tax' && lines.length > 0);
      const { definition, version } = await get(
        v.looseObject({ definition: Definition, version: v.string() }),
        'getDefinition',
        { workflowId },
      );
      const nodes = definition.nodes.map((node) =>
        node.id === nodeId ? { ...node, config: { expression: 'nodes.net * input.tax.rate' } } : node,
      );
      const corrected = { ...definition, nodes } as JsonObject;
      assert.deepEqual(await get(v.array(v.any()), 'checkDefinition', { definition: corrected }), []);

      const record = await get(Recorded, 'getExecution', { executionId });
      const pinned: Record<string, number> = {};
      for (const node of record.nodes)
        if (node.status === 'completed' && node.nodeId !== 'start')
          pinned[node.nodeId] = await get(v.number(), 'getExecution', {
            executionId,
            nodeId: node.nodeId,
            path: 'output',
          });
      assert.deepEqual(pinned, { net: 30 });
      const draft = { workflowId, definition: corrected, input: record.input, pinned };
      const tried = await get(Ended, 'executeWorkflow', draft);
      assert.deepEqual([tried.status, tried.output], ['completed', 60]);

      await get(v.looseObject({}), 'saveDefinition', {
        workflowId,
        definition: corrected,
        basedOnVersion: version,
        deploy: true,
      });
      const retried = await get(Ended, 'retryExecution', { executionId });
      assert.deepEqual([retried.status, retried.output, retried['retryOf']], ['completed', 60, executionId]);
      await close();
    });
});
