// The tools over the real service: what each says, and what it says to do next.
import assert from 'node:assert/strict';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import type { ToolName } from '../../src/languageTools/languageTools.ts';
import { type ServiceModel, startServiceModelForEach } from '../support/serviceModel.ts';
import { callTool, type ToolAnswer } from '../support/toolPorts.ts';

const node = (id: string, type: string, config: JsonObject) => ({ id, type, config });
const broken = {
  name: 'Totals',
  nodes: [
    node('start', 'trigger', {}),
    node('double', 'transform', { expression: 'input.amount * 2' }),
    node('end', 'output', { expression: '$number(nodes.double) + $number(input.unknown.text)' }),
  ],
  edges: [
    { source: 'start', target: 'double' },
    { source: 'double', target: 'end' },
  ],
};

describe('the tools over a service', () => {
  let model: ServiceModel;
  startServiceModelForEach((started) => {
    model = started;
  });

  const call = (name: ToolName, input: JsonObject = {}): Promise<ToolAnswer> => callTool(model, name, input);
  /** The members of a result that must be no error. */
  async function get(name: ToolName, input: JsonObject = {}): Promise<JsonObject> {
    const { data, isError, text } = await call(name, input);
    assert.ok(!isError && isJsonObject(data), text);
    return data;
  }
  const idOf = (value: JsonValue | undefined): string => {
    assert.ok(typeof value === 'string');
    return value;
  };

  async function save(definition: JsonObject = broken): Promise<string> {
    return idOf((await get('saveDefinition', { definition, deploy: true }))['workflowId']);
  }

  it('find workflows by a part of their name', async () => {
    const workflowId = await save();
    await save({ ...broken, name: 'Other' });
    const { data, text } = await call('listWorkflows', { search: 'tot' });
    assert.deepEqual(data, [{ id: workflowId, name: 'Totals', isDeployed: true }]);
    assert.ok(!text.includes('more workflows'));
    const one = await call('listWorkflows', { limit: 1 });
    assert.ok(
      isJsonArray(one.data) && one.data.length === 1 && one.text.includes('There are more workflows.'),
    );
  });

  it('read a definition and save it, unless somebody changed it since', async () => {
    const workflowId = await save();
    const { definition, version } = await get('getDefinition', { workflowId });
    assert.ok(isJsonObject(definition) && isJsonArray(definition['nodes']));
    assert.equal(definition['name'], 'Totals');
    const changed = { workflowId, definition: { description: 'one' }, basedOnVersion: idOf(version) };
    await get('saveDefinition', changed);
    const { isError, text } = await call('saveDefinition', changed);
    assert.ok(isError && text.includes('Call getDefinition'), text);
    const saved = await get('getDefinition', { workflowId, path: 'definition.description' }).catch(
      () => undefined,
    );
    assert.equal(saved, undefined);
    assert.equal((await call('getDefinition', { workflowId, path: 'definition.description' })).data, 'one');
  });

  it('save a new definition that cannot be deployed once, and say which workflow it is', async () => {
    const faulty = { ...broken, edges: [...broken.edges, { source: 'end', target: 'gone' }] };
    const { data, isError, text } = await call('saveDefinition', { definition: faulty, deploy: true });
    assert.ok(isError && isJsonObject(data) && text.includes('It is saved, but not deployed.'), text);
    await get('saveDefinition', { workflowId: idOf(data['workflowId']), definition: broken, deploy: true });
    const { data: all } = await call('listWorkflows');
    assert.deepEqual(all, [{ id: idOf(data['workflowId']), name: 'Totals', isDeployed: true }]);
  });

  it('check a definition that is given, and one that is saved', async () => {
    const faulty = { ...broken, edges: [...broken.edges, { source: 'end', target: 'gone' }] };
    const { data } = await call('checkDefinition', { definition: faulty });
    const [first] = isJsonArray(data) ? data : [];
    assert.ok(isJsonObject(first));
    assert.equal(first['severity'], 'error');
    assert.ok(typeof first['message'] === 'string' && first['message'].includes('gone'));
    const saved = await call('checkDefinition', { workflowId: await save() });
    assert.ok(!saved.isError);
    const { isError, text } = await call('checkDefinition', {});
    assert.ok(isError && text.includes('"definition" or "workflowId"'));
  });

  it('execute, wait for the end, and read what each node did', async () => {
    const workflowId = await save({
      ...broken,
      nodes: [
        ...broken.nodes.slice(0, 2),
        node('end', 'output', { expression: '{ "total": nodes.double }' }),
      ],
    });
    const { executionId, status, output } = await get('executeWorkflow', {
      workflowId,
      input: { amount: 4 },
    });
    assert.deepEqual([status, output], ['completed', { total: 8 }]);
    const target = { executionId: idOf(executionId) };
    const record = await get('getExecution', target);
    assert.deepEqual(record['input'], { amount: 4 });
    assert.ok(isJsonArray(record['nodes']) && record['nodes'].length === 3);
    const run = await get('getExecution', { ...target, nodeId: 'double' });
    assert.deepEqual([run['status'], run['output']], ['completed', 8]);
    assert.equal((await call('getExecution', { ...target, path: 'output.total' })).data, 8);
    const { data } = await call('listExecutions', { workflowId, status: 'completed' });
    assert.ok(isJsonArray(data) && data.length === 1);
  });

  it('search executions, and say where to read what was found', async () => {
    const workflowId = await save();
    const definition = {
      ...broken,
      nodes: broken.nodes.map((each) =>
        each.id === 'end' ? node('end', 'output', { expression: '{"total": nodes.double}' }) : each,
      ),
    };
    const ended = await get('executeWorkflow', {
      workflowId,
      definition,
      wait: true,
      input: { amount: 4, note: ['paid INV-7'] },
    });
    const executionId = idOf(ended['executionId']);
    const { data } = await call('listExecutions', { search: 'inv-7', workflowId, status: 'completed' });
    assert.ok(isJsonArray(data) && isJsonObject(data[0]));
    const { found } = data[0];
    assert.ok(isJsonArray(found) && isJsonObject(found[0]) && isJsonObject(found[1]));
    assert.deepEqual(
      [data[0]['executionId'], found[0]],
      [executionId, { path: 'input.note[0]', excerpt: 'paid INV-7' }],
    );
    for (const { excerpt = null, ...place } of found.filter(isJsonObject))
      assert.equal((await call('getExecution', { executionId, ...place })).data, excerpt);
    assert.deepEqual((await call('listExecutions', { search: 'inv-7', status: 'failed' })).data, []);
    const wrong = await call('listExecutions', { search: 'status:fialed' });
    assert.ok(wrong.isError && wrong.text.includes('Did you mean failed?'), wrong.text);
  });

  it('say what to do next where a call is wrong', async () => {
    const workflowId = await save();
    const { executionId } = await get('executeWorkflow', { workflowId, input: { amount: 4 } });
    const target = { executionId: idOf(executionId) };
    for (const [name, input, words] of [
      ['getDefinition', {}, '"workflowId" is missing. Correct it'],
      ['getDefinition', { workflowId, nodes: 1 }, '"nodes" isn\'t known'],
      ['getDefinition', { workflowId: 'wf_gone' }, 'Call listWorkflows'],
      ['getDefinition', { workflowId, path: 'definition..x' }, 'must look like'],
      ['getDefinition', { workflowId, path: 'definition.odd' }, 'no value at this "path"'],
      ['listExecutions', { status: 'odd' }, '"status" must be one of'],
      ['listWorkflows', { limit: 1000 }, '"limit" must be at most 100'],
      ['getExecution', { ...target, nodeId: 'gone' }, 'Call getExecution without "nodeId"'],
      ['getExecution', { ...target, nodeId: 'double', iteration: 2 }, 'no run in this iteration'],
      ['getExecution', { ...target, iteration: 2 }, 'needs the "nodeId"'],
      ['executeWorkflow', { workflowId, input: [] }, '"input" must be an object'],
      [
        'saveDefinition',
        { definition: { ...broken, description: ['svc', 'sk', 'abcdefghijklmnop'].join('_') } },
        'Ask the user',
      ],
    ] as const) {
      const { isError, text } = await call(name, input);
      assert.ok(isError && text.includes(words), `${name}: ${text}`);
    }
    await model.actions.undeploy({ connectionId: model.connectionId, workflowId });
    const refused = await call('executeWorkflow', { workflowId });
    assert.ok(refused.isError && refused.text.includes('"deploy": true'), refused.text);
  });

  it('stop waiting when the call is cancelled, while the execution goes on', async () => {
    const workflowId = await save({
      name: 'Long',
      nodes: [node('start', 'trigger', {}), node('rest', 'delay', { milliseconds: 60_000 })],
      edges: [{ source: 'start', target: 'rest' }],
    });
    const controller = new AbortController();
    const { signal } = controller;
    const listening = model.following.onDidChange(({ state }) => {
      if (state.current.kind === 'following') controller.abort();
    });
    await assert.rejects(callTool(model, 'executeWorkflow', { workflowId }, signal), { name: 'AbortError' });
    listening.dispose();
    const { data, text } = await call('executeWorkflow', { workflowId, wait: false });
    assert.ok(isJsonObject(data) && text.includes('has not ended'), text);
  });

  it('give back what large results leave out', async () => {
    const workflowId = await save({
      ...broken,
      nodes: [
        node('start', 'trigger', {}),
        node('double', 'transform', { expression: 'input' }),
        node('end', 'output', { expression: 'input' }),
      ],
    });
    const lines = Array.from({ length: 3000 }, (_, at) => `line ${at} of a text`);
    const { executionId } = await get('executeWorkflow', { workflowId, input: { lines } });
    const target = { executionId: idOf(executionId) };
    const { data, text } = await call('getExecution', target);
    assert.ok(Buffer.byteLength(text) <= 32_000 && text.includes('$leftOut'));
    assert.ok(isJsonObject(data) && isJsonObject(data['output']) && isJsonArray(data['output']['lines']));
    const { $leftOut: left } = data['output']['lines'].at(-1) as JsonObject;
    assert.ok(isJsonObject(left));
    const rest = await call('getExecution', { ...target, path: idOf(left['path']) });
    assert.ok(isJsonArray(rest.data));
    assert.equal(rest.data[0], lines[data['output']['lines'].length - 1]);
    assert.equal((await call('getExecution', { ...target, path: 'output.lines[2999]' })).data, lines[2999]);
  });

  it('give back a text in parts that meet, also where the address of the service is hidden in it', async () => {
    const workflowId = await save({
      ...broken,
      nodes: [
        node('start', 'trigger', {}),
        node('double', 'transform', { expression: 'input' }),
        node('end', 'output', { expression: 'input.text' }),
      ],
    });
    const { host } = new URL(model.connections.get(model.connectionId).baseUrl);
    const text = Array.from({ length: 4000 }, (_, at) => `${at} ${host} `).join('');
    const { executionId } = await get('executeWorkflow', { workflowId, input: { text } });
    const parts: string[] = [];
    let path: string | undefined = 'output';
    while (path !== undefined) {
      const { data }: ToolAnswer = await call('getExecution', { executionId: idOf(executionId), path });
      const left: JsonValue | undefined = isJsonObject(data) ? data['$leftOut'] : undefined;
      parts.push(idOf(isJsonObject(left) ? left['begins'] : data));
      path = isJsonObject(left) ? idOf(left['path']) : undefined;
    }
    assert.equal(parts.join(''), text.replaceAll(host, '[service]'));
  });

  it('lead to every node, however many there are', async () => {
    const ids = Array.from({ length: 250 }, (_, at) => `step${at}`);
    const workflowId = await save({
      name: 'Long',
      nodes: [
        node('start', 'trigger', {}),
        ...ids.map((id) => node(id, 'transform', { expression: 'input' })),
      ],
      edges: ids.map((target, at) => ({ source: ids[at - 1] ?? 'start', target })),
    });
    const { executionId } = await get('executeWorkflow', { workflowId, input: {} });
    const target = { executionId: idOf(executionId) };
    const { data } = await call('getExecution', { ...target, path: 'nodes[250].nodeId' });
    assert.equal(data, 'step249');
    const { nodes } = await get('getExecution', target);
    const { $leftOut: left } = (isJsonArray(nodes) ? nodes.at(-1) : assert.fail()) as JsonObject;
    assert.ok(left === undefined || (isJsonObject(left) && idOf(left['path']).startsWith('nodes[')));
  });
});
