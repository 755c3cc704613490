// The tools by the official client of the protocol: what is offered, called, cancelled and refused.
import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../src/base/json.ts';
import { createToolServer } from '../../src/program/mcp/toolServer.ts';
import { createServiceModel, type ServiceModel } from '../support/serviceModel.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { createToolPorts, readAnswer, type ToolAnswer } from '../support/toolPorts.ts';

const resting = {
  name: 'Resting',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'rest', type: 'delay', config: { milliseconds: 60_000 } },
  ],
  edges: [{ source: 'start', target: 'rest' }],
};

describe('the server of tools', () => {
  let service: TestService;
  let model: ServiceModel;
  let client: Client;

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 1000 });
    model = await createServiceModel(service);
    await connect(true);
  });
  afterEach(async () => {
    await client.close();
    model.dispose();
    await service.dispose();
  });

  async function connect(allowsChanges: boolean): Promise<void> {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const { connectionId } = model;
    const ports = createToolPorts(model);
    await createToolServer({ ports, connectionId, allowsChanges, version: '1.2.3' }).connect(theirs);
    client = new Client({ name: 'test', version: '1' });
    await client.connect(ours);
  }

  async function call(name: string, args: JsonObject, options = {}): Promise<ToolAnswer> {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } }, options);
    const [first] = content;
    assert.ok(first?.type === 'text');
    return readAnswer(first.text, isError === true);
  }

  it('says who it is and offers the nine tools with their hints', async () => {
    assert.equal(client.getServerVersion()?.version, '1.2.3');
    const { tools } = await client.listTools();
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    assert.deepEqual([tools.length, destructive.map(({ name }) => name)], [9, ['saveDefinition']]);
  });

  it('changes nothing unless that is allowed', async () => {
    await client.close();
    await connect(false);
    const { tools } = await client.listTools();
    assert.ok(tools.length === 6 && tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    await assert.rejects(call('saveDefinition', { definition: resting }), /--allow-changes/);
  });

  it('refuses an unknown tool, and says in a result what is wrong with an input', async () => {
    await assert.rejects(call('getWeather', {}), /There is no tool "getWeather"/);
    const { isError, text } = await call('getExecution', {});
    assert.ok(isError && text.includes('"executionId" is missing'), text);
  });

  it('says how far it is, and cancels waiting, not the execution', async () => {
    const { data } = await call('saveDefinition', { definition: resting, deploy: true });
    const workflowId = (data as JsonObject)['workflowId'] ?? null;
    const controller = new AbortController();
    const progress: unknown[] = [];
    const onprogress = (each: unknown): void => {
      progress.push(each);
      controller.abort();
    };
    await assert.rejects(call('executeWorkflow', { workflowId }, { signal: controller.signal, onprogress }));
    assert.ok(progress.length > 0);
    const listed = await call('listExecutions', { workflowId });
    assert.match(listed.text, /"status":"(running|waiting)"/);
  });
});
