// The tools for language models, as the editor calls them: what each says and does. What a person confirms is in `test/features/languageTools`.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect } from './commands.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { until } from './until.ts';

const definition = {
  name: 'Doubling',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'end', type: 'output', config: { expression: '$number(input.n) * 2' } },
  ],
  edges: [{ source: 'start', target: 'end' }],
};

describe('the tools for language models', () => {
  let service: OwnService;
  let connectionId: string;

  before(async () => {
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Tools', service);
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  async function call(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(`workflowAutomation_${name}`, {
      input,
      toolInvocationToken: undefined,
    });
    const [part] = content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    return part.value;
  }
  /** The data of a result. */
  async function get<T>(schema: v.GenericSchema<unknown, T>, name: string, input: object): Promise<T> {
    const text = await call(name, input);
    const [, , data = ''] = /^<(data-[0-9a-f]{16})>\n(.*)\n<\/\1>$/m.exec(text) ?? [];
    assert.notEqual(data, '', text);
    return v.parse(schema, JSON.parse(data));
  }
  it('are offered while there is a connection', async () => {
    const ours = () => vscode.lm.tools.filter(({ name }) => name.startsWith('workflowAutomation_'));
    const tools = await until(ours, ({ length }) => length === 9);
    assert.ok(tools.every(({ inputSchema, description }) => inputSchema !== undefined && description !== ''));
  });

  it('save, execute, explain and retry; an editor that runs tests confirms by itself', async () => {
    const Saved = v.looseObject({ workflowId: v.string(), version: v.string() });
    const Ended = v.looseObject({ executionId: v.string(), status: v.string() });
    const created = await get(Saved, 'saveDefinition', { definition, deploy: true });
    const { workflowId, version } = created;
    assert.deepEqual(await get(v.any(), 'listWorkflows', { search: 'doubl' }), [
      { id: workflowId, name: 'Doubling', isDeployed: true },
    ]);
    assert.deepEqual(await get(v.any(), 'checkDefinition', { workflowId }), []);

    const failed = await get(Ended, 'executeWorkflow', { workflowId, input: { n: 'two' } });
    const { executionId, status } = failed;
    assert.equal(status, 'failed');
    const explained = await get(v.looseObject({ nodeId: v.string() }), 'explainFailure', { executionId });
    assert.equal(explained.nodeId, 'end');
    const record = await get(v.looseObject({ input: v.any() }), 'getExecution', { executionId });
    assert.deepEqual(record.input, { n: 'two' });
    const listed = await get(v.array(Ended), 'listExecutions', { workflowId, status: 'failed' });
    assert.deepEqual(
      listed.map((each) => each.executionId),
      [executionId],
    );

    const read = await get(v.looseObject({ definition: v.any() }), 'getDefinition', { workflowId });
    assert.ok(read.definition);
    const nodes = [
      definition.nodes[0],
      { id: 'end', type: 'output', config: { expression: 'input.n & "!"' } },
    ];
    const change = { workflowId, definition: { nodes }, basedOnVersion: version, deploy: true };
    await get(Saved, 'saveDefinition', change);
    const retried = await get(Ended, 'retryExecution', { executionId });
    assert.equal(retried.status, 'completed');
  });
});
