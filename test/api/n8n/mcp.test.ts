// Executions through n8n's MCP server, whose answers are those that were recorded of version 2.40.7.
import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import type { IncomingHttpHeaders } from 'node:http';
import { unlimitedBudget } from '../../../src/api/budget/budget.ts';
import { createHttpPort } from '../../../src/api/http/http.ts';
import { McpServer } from '../../../src/api/n8n/mcp.ts';
import { startByMcp, toMcpInputs } from '../../../src/api/n8n/mcpStart.ts';
import type { Trigger } from '../../../src/api/n8n/triggers.ts';
import { RequestTransport } from '../../../src/api/request/transport.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { recordedProperties } from '../../support/n8n/recordedMcp.ts';
import { type Running, serve } from '../../support/servers.ts';

const input = { message: 'hi' };
const started = { structuredContent: { executionId: '5', status: 'started' } };
const refused = (error: string) => ({ structuredContent: { executionId: null, status: 'error', error } });
const tools = (properties: JsonObject) => ({
  tools: [
    { name: 'search_workflows', inputSchema: { type: 'object' } },
    { name: 'execute_workflow', inputSchema: { type: 'object', properties } },
  ],
});
const untyped = tools(recordedProperties.execute_workflow);
const webhook = {
  kind: 'webhook',
  nodeName: 'Input',
  name: 'Input',
  method: 'POST',
  output: 0,
  path: 'orders',
  parameters: [],
} as const;
const schedule = { kind: 'schedule', nodeName: 'Every day', name: 'Every day' } as const;

describe("n8n's MCP server", () => {
  let running: Running;
  let transport: RequestTransport;
  let server: McpServer;
  let answers: Readonly<Record<string, JsonObject>>;
  let token: string;
  const seen: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: JsonObject }[] =
    [];
  const calls = () => seen.map(({ body }) => body['method']);
  const argumentsOfLast = (): JsonValue | undefined => {
    const parameters = seen.at(-1)?.body['params'];
    return isJsonObject(parameters) ? parameters['arguments'] : undefined;
  };
  const execute = (trigger: Trigger = webhook) => {
    const inputs = toMcpInputs(trigger, input);
    assert.ok(inputs !== undefined);
    return startByMcp(server, {
      workflowId: 'w1',
      triggerNodeName: trigger.nodeName,
      inputs,
      mode: 'production',
    });
  };
  const fails = async (kind: Parameters<typeof isServiceError>[1], words: RegExp) => {
    await assert.rejects(
      () => execute(),
      (error) => isServiceError(error, kind) && words.test(error.message),
    );
  };

  beforeEach(async () => {
    seen.length = 0;
    running = await serve((request, response) => {
      void (async () => {
        const body: unknown = await json(request);
        assert.ok(isJsonObject(body));
        seen.push({ url: request.url ?? '', headers: request.headers, body });
        if (request.headers.authorization !== 'Bearer mcp-token') {
          response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"message":"Unauthorized"}');
          return;
        }
        const { method } = body;
        const result = (typeof method === 'string' ? answers[method] : undefined) ?? {};
        const message = JSON.stringify({ jsonrpc: '2.0', id: body['id'] ?? null, ...wrapped(result) });
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.end(`event: message\ndata: ${message}\n\n`);
      })();
    });
    answers = { 'tools/list': untyped, 'tools/call': started };
    token = 'mcp-token';
    transport = new RequestTransport({
      http: () => Promise.resolve(createHttpPort({ environment: {}, systemCertificates: false })),
      baseUrl: `http://127.0.0.1:${running.port}/prefix`,
      authorize: () => Promise.resolve({ headers: { Authorization: `Bearer ${token}` }, secret: token }),
      budget: unlimitedBudget,
      logger: silentLogger,
      clock: systemClock,
      random: () => 0.5,
    });
    server = new McpServer({
      transport,
      token: () => Promise.resolve(token),
      hasMcp: () => Promise.resolve(true),
      connectionId: null,
    });
  });
  afterEach(async () => {
    transport.dispose();
    await running.close();
  });

  it('starts what is deployed, and says its id', async () => {
    assert.equal(await execute(), '5');
    assert.equal(await execute(), '5');
    assert.deepEqual(calls(), ['tools/list', 'tools/call', 'tools/call']);
    assert.deepEqual(argumentsOfLast(), {
      workflowId: 'w1',
      executionMode: 'production',
      triggerNodeName: 'Input',
      inputs: { webhookData: { method: 'POST', body: input } },
    });
    const [first] = seen;
    assert.equal(first?.url, '/prefix/mcp-server/http');
    assert.equal(first.headers.accept, 'application/json, text/event-stream');
    assert.ok(seen.every(({ headers }) => headers['x-n8n-api-key'] === undefined));
  });

  it('starts a trigger that takes no input without one', async () => {
    assert.equal(await execute(schedule), '5');
    assert.deepEqual(calls(), ['tools/list', 'tools/call']);
    assert.deepEqual(argumentsOfLast(), {
      workflowId: 'w1',
      executionMode: 'production',
      triggerNodeName: 'Every day',
    });
  });

  it('tells the kind of the inputs to a version that asks for it', async () => {
    const typed = { type: 'object', properties: { type: { const: 'webhook' } } };
    answers = { ...answers, 'tools/list': tools({ inputs: { anyOf: [{ type: 'null' }, typed] } }) };
    await execute();
    assert.deepEqual(argumentsOfLast(), {
      workflowId: 'w1',
      triggerNodeName: 'Input',
      inputs: { type: 'webhook', webhookData: { method: 'POST', body: input } },
    });
  });

  it('says why it refuses', async () => {
    for (const [sentence, kind] of [
      ['Workflow "w1" has no published (active) version to execute', 'notDeployed'],
      ['Workflow not found: w1', 'notFound'],
      ['Workflow is not available in MCP. Enable it in its settings.', 'notStartable'],
      ['Provide triggerNodeName: Input, Other', 'invalid'],
    ] as const) {
      answers = { ...answers, 'tools/call': refused(sentence) };
      await fails(kind, new RegExp(sentence.slice(0, 12)));
    }
    answers = {
      ...answers,
      'tools/call': {
        isError: true,
        content: [{ type: 'text', text: "Unrecognized key(s) in object: 'type'" }],
      },
    };
    await fails('invalid', /Unrecognized key/);
    assert.equal(calls().filter((method) => method === 'tools/call').length, 5, 'none was sent again');
  });

  it('rejects with what is wrong with the token, and what is no answer', async () => {
    token = 'another';
    await fails('mcpTokenRejected', /Unauthorized/);
    token = 'mcp-token';
    answers = { ...answers, 'tools/call': { structuredContent: { status: 'started' } } };
    await fails('unreadable', /the id of the execution/);
    answers = { ...answers, 'tools/call': { error: 'x' } };
    await fails('unreadable', /./);
    answers = { ...answers, 'tools/call': { protocolError: 'Method not found' } };
    await fails('invalid', /Method not found/);
  });
});

/** A result, or an error of the protocol. */
function wrapped(result: JsonObject): JsonObject {
  const { protocolError } = result;
  return protocolError === undefined ? { result } : { error: { code: -32601, message: protocolError } };
}
