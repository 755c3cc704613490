// The MCP server of the recorded n8n, which has a token of its own.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import type { Answer, RecordedN8n, SeenRequest } from './recordedN8n.ts';
import { nodeTypeTools } from './recordedNodeTypes.ts';
import { nodesOf, type RecordedWorkflow } from './state.ts';

/** As long as n8n's own. */
export const recordedToken = `eyJhbGciOiJIUzI1NiJ9.${'mcp-server'.repeat(20)}.c2lnbmF0dXJl`;

const alternative = (name: string, schema: JsonObject): JsonObject => ({
  type: 'object',
  properties: { [name]: schema },
  required: [name],
  additionalProperties: false,
});

/** The members that the tools take, as n8n 2.40.7 lists them. */
export const recordedProperties = {
  execute_workflow: {
    workflowId: { type: 'string' },
    executionMode: { type: 'string', enum: ['manual', 'production'] },
    triggerNodeName: { type: 'string' },
    inputs: {
      anyOf: [
        alternative('chatInput', { type: 'string' }),
        alternative('formData', { type: 'object' }),
        alternative('webhookData', {
          type: 'object',
          properties: {
            method: { type: 'string' },
            query: { type: 'object', additionalProperties: { type: 'string' } },
            body: { type: 'object' },
            headers: { type: 'object' },
          },
        }),
      ],
    },
  },
  test_workflow: {
    workflowId: { type: 'string' },
    pinData: { type: 'object' },
    triggerNodeName: { type: 'string' },
    timeout: { type: 'integer', maximum: 3600 },
  },
  search_workflows: {
    limit: { type: 'integer', maximum: 200 },
    sortBy: { type: 'string' },
  },
} as const satisfies Record<string, JsonObject>;

const tools = {
  tools: [
    ...Object.entries(recordedProperties).map(([name, properties]) => ({
      name,
      inputSchema: { type: 'object', properties, additionalProperties: false },
    })),
    ...nodeTypeTools.map(({ name }) => ({ name, inputSchema: { type: 'object' } })),
  ],
};

/** One call of a tool, answered as a stream of one event. */
export async function answerMcp(
  n8n: RecordedN8n,
  { headers, text }: Pick<SeenRequest, 'headers' | 'text'>,
): Promise<Answer> {
  if (headers.authorization !== `Bearer ${recordedToken}`)
    return { status: 401, body: { message: 'Unauthorized' } };
  const call = parseJson(text);
  assert.ok(isJsonObject(call));
  const { id = null, method, params } = call;
  const result = method === 'tools/list' ? tools : await callTool(n8n, params);
  const message = JSON.stringify({ jsonrpc: '2.0', id, result });
  return { status: 200, body: `event: message\ndata: ${message}\n\n`, mediaType: 'text/event-stream' };
}

/** n8n's sentence about what it doesn't do. */
class Refusal extends Error {}

async function callTool(n8n: RecordedN8n, params: JsonValue | undefined): Promise<JsonObject> {
  const { name, arguments: of } = isJsonObject(params) ? params : {};
  const given = isJsonObject(of) ? of : {};
  const tool = nodeTypeTools.find((each) => each.name === name);
  if (tool !== undefined) return tool.answer(given);
  if (name === 'search_workflows') return { structuredContent: search(n8n, given) };
  const isTest = name === 'test_workflow';
  const taken = recordedProperties[isTest ? 'test_workflow' : 'execute_workflow'];
  const unknown = Object.keys(given).find((member) => !Object.hasOwn(taken, member));
  if (unknown !== undefined)
    return {
      isError: true,
      content: [{ type: 'text', text: `Unrecognized key(s) in object: '${unknown}'` }],
    };
  try {
    return { structuredContent: isTest ? await test(n8n, given) : execute(n8n, given) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { structuredContent: { executionId: null, status: 'error', error: error.message } };
  }
}

/** Those that aren't archived. */
function search(n8n: RecordedN8n, { limit, sortBy }: JsonObject): JsonObject {
  const way = sortBy === 'updatedAt:asc' ? 1 : -1;
  const found = [...n8n.workflows.values()]
    .filter(({ isArchived }) => !isArchived)
    .toSorted((one, other) => way * one.updatedAt.localeCompare(other.updatedAt));
  const data = found.slice(0, Number(limit)).map(({ id, name, activeVersionId, updatedAt, kept }) => ({
    id,
    name,
    description: null,
    active: activeVersionId !== null,
    updatedAt,
    triggerCount: 1,
    availableInMCP: false,
    parentFolderId: null,
    tags: kept['tags'] ?? [],
  }));
  return { data, count: found.length };
}

function execute(n8n: RecordedN8n, given: JsonObject): JsonObject {
  const { workflowId, inputs, executionMode } = given;
  const isManual = executionMode === 'manual';
  const workflow = findWorkflow(n8n, workflowId);
  const isEarly = workflow.lag > 0 && !isManual;
  if (isEarly) workflow.lag -= 1;
  if (isEarly || (workflow.activeVersionId === null && !isManual))
    throw new Refusal(`Workflow '${workflow.id}' has no published (active) version to execute`);
  const nodes = isManual ? workflow.nodes : nodesOf(workflow.activeContent['nodes']);
  const trigger = findNode(nodes, textIn(given, 'triggerNodeName'));
  const item = { json: itemOf(trigger, inputs, isManual), pairedItem: { item: 0 } };
  const pinData = { ...(isManual ? savedPins(workflow) : {}), [textIn(trigger, 'name')]: [item] };
  return { executionId: start(n8n, workflow, { trigger, pinData, isManual }), status: 'started' };
}

/** Answers at the end. */
async function test(n8n: RecordedN8n, given: JsonObject): Promise<JsonObject> {
  const workflow = findWorkflow(n8n, given['workflowId']);
  const pinData = isJsonObject(given['pinData']) ? given['pinData'] : {};
  const unknown = Object.keys(pinData).filter(
    (name) => !workflow.nodes.some((node) => node['name'] === name),
  );
  if (unknown.length > 0) throw new Refusal(`Pin data contains unknown node names: ${unknown.join(', ')}.`);
  const trigger = findNode(workflow.nodes, textIn(given, 'triggerNodeName'));
  const executionId = start(n8n, workflow, { trigger, pinData, isManual: true });
  await n8n.untilEnd(Number(executionId));
  return { executionId, status: n8n.executions.get(Number(executionId))?.status ?? 'unknown' };
}

function start(
  n8n: RecordedN8n,
  { id: workflowId }: RecordedWorkflow,
  {
    trigger,
    pinData,
    isManual,
  }: { readonly trigger: JsonObject; readonly pinData: JsonObject; readonly isManual: boolean },
): string {
  const name = textIn(trigger, 'name');
  const execution = n8n.start(workflowId, { mode: isManual ? 'manual' : 'trigger', pinData });
  n8n.ran(execution.id, name, {
    startTime: Date.parse(execution.startedAt),
    executionIndex: 0,
    executionTime: 0,
    executionStatus: 'success',
    source: [],
    data: { main: [pinData[name] ?? [{ json: {} }]] },
  });
  n8n.play(execution);
  return String(execution.id);
}

function savedPins({ kept: { pinData } }: RecordedWorkflow): JsonObject {
  return isJsonObject(pinData) ? pinData : {};
}

function findNode(nodes: readonly JsonObject[], name: string): JsonObject {
  const trigger = nodes.find((node) => node['name'] === name);
  if (trigger === undefined) throw new Refusal(`Trigger node "${name}" was not found.`);
  return trigger;
}

function textIn(value: JsonObject, name: string): string {
  const text = value[name];
  return typeof text === 'string' ? text : '';
}

function findWorkflow(n8n: RecordedN8n, id: JsonValue | undefined): RecordedWorkflow {
  const workflow = typeof id === 'string' ? n8n.workflows.get(id) : undefined;
  if (workflow === undefined) throw new Refusal('Workflow not found');
  if (workflow.settings['availableInMCP'] !== true)
    throw new Refusal(
      'Workflow is not available in MCP. Enable MCP access from the workflow card in the workflows list, or from the workflow settings.',
    );
  return workflow;
}

/** What a trigger gives for the inputs that it wants. */
function itemOf(trigger: JsonObject, inputs: JsonValue | undefined, isManual: boolean): JsonObject {
  const [name, type] = [textIn(trigger, 'name'), textIn(trigger, 'type')];
  const { webhookData, formData, chatInput } = isJsonObject(inputs) ? inputs : {};
  const wants = (what: string): never => {
    throw new Refusal(`Trigger node "${name}" requires inputs matching ${what}.`);
  };
  switch (type) {
    case 'n8n-nodes-base.webhook': {
      const { query = {}, body = {} } = isJsonObject(webhookData)
        ? webhookData
        : wants('{ webhookData: { … } }');
      return { headers: {}, query, body };
    }
    case 'n8n-nodes-base.formTrigger':
      if (!isJsonObject(formData)) return wants('{ formData: { FIELD_NAME: VALUE } }');
      return { submittedAt: '2026-01-06T10:00:00.000Z', formMode: 'mcp', ...formData };
    case '@n8n/n8n-nodes-langchain.chatTrigger':
      if (typeof chatInput !== 'string') return wants('{ chatInput: string }');
      return { sessionId: 'mcp-session-1', action: 'sendMessage', chatInput };
    case 'n8n-nodes-base.scheduleTrigger':
      if (inputs !== undefined)
        throw new Refusal(`Trigger node "${name}" does not accept inputs. Omit inputs.`);
      return { timestamp: '2026-01-06T10:00:00.000+00:00' };
    case 'n8n-nodes-base.manualTrigger':
      if (isManual) return {};
      throw new Refusal(
        `Trigger node "${name}" cannot be used in production mode. Use a webhook, form, chat, or schedule trigger, or execute in manual mode.`,
      );
    default:
      throw new Refusal(
        `Trigger node "${name}" is not supported for MCP execution. Available triggers: none.`,
      );
  }
}
