// What the tools are for, on an n8n: an execution fails, is explained, its workflow corrected, saved, tried as a draft, deployed, and retried. n8n
// executes no draft that isn't saved, and keeps what is deployed apart from what is saved.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { isJsonArray, isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { openService } from '../../src/program/openService.ts';
import { n8nDefinition } from '../scenarios/n8nDefinitions.ts';
import { toolFaces } from '../support/toolFaces.ts';

export interface N8nWithToken {
  /** Of its editor. */
  readonly address: string;
  readonly key: string;
  /** Of its MCP server. */
  readonly token: string;
  readonly close: () => Promise<void>;
}

const Saved = v.looseObject({ workflowId: v.string(), version: v.string() });
const Ended = v.looseObject({ executionId: v.string(), status: v.string() });

/** With a node that answers in place of the one that fails. */
function correct(definition: JsonObject): JsonObject {
  const { nodes } = n8nDefinition('answers', '');
  const [, answer] = isJsonArray(nodes) ? nodes.filter(isJsonObject) : [];
  const corrected = isJsonArray(definition['nodes'])
    ? definition['nodes'].map((node) =>
        isJsonObject(node) && node['name'] === 'Stop'
          ? { ...answer, id: node['id'] ?? null, name: 'Stop' }
          : node,
      )
    : [];
  return { ...definition, nodes: corrected };
}

export function describeN8nRepair(title: string, open: () => Promise<N8nWithToken>): void {
  describe(`a workflow that fails on ${title}`, () => {
    let folder = '';
    let n8n: N8nWithToken;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'repair-'));
      n8n = await open();
    });
    after(async () => {
      await n8n.close();
      await rm(folder, { recursive: true, force: true });
    });

    for (const [how, openFace] of Object.entries(toolFaces))
      it(`is repaired with the tools alone, ${how}`, async () => {
        const { address: url, key: apiKey, token: mcpToken } = n8n;
        const ledgerPath = join(folder, 'budget.db');
        const service = openService({ url, kind: 'n8n' }, { apiKey, mcpToken }, { ledgerPath });
        const { call, get, close } = await openFace(service);
        const failing = {
          ...n8nDefinition('fails', `Repaired ${how}`),
          settings: { executionOrder: 'v1', availableInMCP: true },
        };
        const { workflowId } = await get(Saved, 'saveDefinition', { definition: failing, deploy: true });
        const { executionId, status } = await get(Ended, 'executeWorkflow', {
          workflowId,
          input: { message: 'hi' },
        });
        assert.equal(status, 'failed');

        const explained = await get(v.looseObject({}), 'explainFailure', { executionId });
        assert.equal(explained['nodeName'], 'Stop');
        assert.match(String(explained['reason']), /No stock/);
        const { definition, version } = await get(
          v.looseObject({ definition: v.custom<JsonObject>(isJsonObject), version: v.string() }),
          'getDefinition',
          { workflowId },
        );
        const corrected = correct(definition);
        assert.deepEqual(await get(v.array(v.any()), 'checkDefinition', { definition: corrected }), []);

        const record = await get(
          v.looseObject({ input: v.custom<JsonObject>(isJsonObject) }),
          'getExecution',
          { executionId },
        );
        const draft = { workflowId, definition: corrected, input: record.input };
        const refused = await call('executeWorkflow', draft);
        assert.ok(refused.isError);
        assert.match(
          refused.text,
          /n8n executes what is saved\..*\n.*\nCall saveDefinition without "deploy"/,
        );

        const saved = await get(Saved, 'saveDefinition', {
          workflowId,
          definition: corrected,
          basedOnVersion: version,
        });
        assert.deepEqual([saved['isDeployed'], saved['hasUndeployedChanges']], [true, true]);
        const tried = await get(Ended, 'executeWorkflow', draft);
        assert.equal(tried.status, 'completed');
        assert.match(JSON.stringify(tried['output']), /"reply":"hi"/);

        await get(Saved, 'saveDefinition', { workflowId, definition: corrected, deploy: true });
        const { data, text } = await call('retryExecution', { executionId });
        const retried = v.parse(Ended, data);
        assert.deepEqual([retried.status, retried['retryOf']], ['completed', executionId], text);
        assert.ok(text.includes('with the definition that is deployed now'));
        await service.actions.delete({ connectionId: service.connectionId, workflowId });
        await close();
        service.dispose();
      });
  });
}
