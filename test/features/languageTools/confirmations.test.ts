// What a person reads before a tool changes something: what it's done with, and what would be different. VS Code draws it in the chat that calls
// the tool, which takes a model's provider; a call outside of a chat is confirmed by its modal dialog, which an editor that runs tests doesn't
// show. So the texts are held here, and `test/host/languageTools.test.ts` holds that calls go through them.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../src/base/json.ts';
import { confirmations } from '../../../src/features/languageTools/confirmations.ts';
import type { ToolName } from '../../../src/languageTools/languageTools.ts';
import { createServiceModel, type ServiceModel } from '../../support/serviceModel.ts';
import { createTestService, type TestService } from '../../support/service.ts';

const { signal } = new AbortController();
const key = ['svc', 'sk', 'abcdefghijklmnop'].join('_');
const definition = {
  name: 'Orders [x](command:evil)',
  nodes: [{ id: 'start', type: 'trigger', config: {} }],
  edges: [],
};

describe('the confirmation of a tool', () => {
  let service: TestService;
  let model: ServiceModel;
  let workflowId: string;

  before(async () => {
    service = await createTestService({ requestsPerMinute: 1000 });
    model = await createServiceModel(service);
    ({ id: workflowId } = await model.actions.import(model.connectionId, definition));
    await model.actions.deploy({ connectionId: model.connectionId, workflowId });
  });
  after(async () => {
    model.dispose();
    await service.dispose();
  });

  async function ask(
    name: ToolName,
    input: JsonObject,
  ): Promise<{ title: string; message: string } | undefined> {
    const asked = await confirmations[name]?.(model, model.connectionId, input, signal);
    if (asked === undefined) return undefined;
    const { title, message } = asked;
    assert.ok(message instanceof vscode.MarkdownString && message.isTrusted === undefined);
    return { title, message: message.value };
  }

  it('is asked for what changes something alone', () =>
    assert.deepEqual(Object.keys(confirmations), ['executeWorkflow', 'retryExecution', 'saveDefinition']));

  it('shows the input, without keys', async () => {
    const asked = await ask('executeWorkflow', { workflowId, input: { order: 7, key } });
    assert.equal(asked?.title, 'Execute "Orders [x](command:evil)"?');
    assert.ok(asked.message.includes('"order": 7') && !asked.message.includes(key), asked.message);
  });

  it('shows pins and what a draft changes', async () => {
    const nodes = [{ id: 'start', type: 'trigger', config: { inputSchema: {} } }];
    const asked = await ask('executeWorkflow', { workflowId, definition: { nodes }, pinned: { start: 1 } });
    assert.match(asked?.title ?? '', /^Execute a draft of /);
    assert.match(asked?.message ?? '', /"start": 1[^]*nodes\[0\]\.config\.inputSchema\n\+ \{\}/);
  });

  it('shows the difference of a definition, and that it is deployed', async () => {
    const saved = await ask('saveDefinition', { workflowId, definition: { name: 'New' }, deploy: true });
    assert.match(saved?.message ?? '', /name\n- "Orders [^]*\n\+ "New"[^]*It's deployed, too\./);
    const same = await ask('saveDefinition', { workflowId, definition: { name: definition.name } });
    assert.equal(same?.message, 'No differences.');
    const created = await ask('saveDefinition', { definition });
    assert.equal(created?.title, 'Create this workflow?');
  });

  it('names what is retried', async () => {
    const target = { connectionId: model.connectionId, workflowId };
    const triggered = await model.actions.execute(target, {});
    const match = await model.actions.findExecution(target, triggered);
    assert.ok(match.kind !== 'unknown');
    const { executionId } = match;
    const asked = await ask('retryExecution', { executionId, fromNodeId: 'start' });
    assert.match(asked?.title ?? '', /^Retry an execution of "Orders/);
    assert.match(asked?.message ?? '', /From node: start[^]*With the definition that it ran\./);
    await model.actions.update(target, { nodes: [{ id: 'other', type: 'trigger', config: {} }] });
    await model.actions.deploy(target);
    const changed = await ask('retryExecution', { executionId });
    assert.match(changed?.message ?? '', /With the deployed definition\./);
    const same = await ask('retryExecution', { executionId, definition: 'same' });
    assert.match(same?.message ?? '', /With the definition that it ran\./);
  });

  it('is left to the tool where the input is wrong', async () =>
    assert.equal(await ask('saveDefinition', { workflowId }), undefined));
});
