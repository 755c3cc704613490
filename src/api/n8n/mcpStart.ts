// Starts executions through n8n's MCP server, and passes the input as the kind of trigger takes it.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { McpServer } from './mcp.ts';
import type { Trigger, Webhook } from './triggers.ts';
import { toTexts, toWebhookCall } from './webhookCalls.ts';

/** Empty for a trigger that takes none. */
export interface McpInputs {
  readonly inputs?: JsonObject;
  /** The kind of the inputs, which some versions require. */
  readonly type?: 'webhook' | 'form' | 'chat';
}

/** Returns undefined for what the server can't hand over. */
export function toMcpInputs(trigger: Trigger, input: JsonObject): McpInputs | undefined {
  switch (trigger.kind) {
    case 'webhook':
      return ofWebhook(trigger, input);
    case 'form':
      return { type: 'form', inputs: { formData: input } };
    case 'chat': {
      const { chatInput } = input;
      // n8n says what it misses.
      return typeof chatInput === 'string' ? { type: 'chat', inputs: { chatInput } } : {};
    }
    case 'schedule':
      return {};
    case 'manual':
      return Object.keys(input).length === 0 ? {} : undefined;
    case 'other':
      return undefined;
  }
}

/** The server fills in no path, and takes the first output of a node with several methods. */
function ofWebhook(webhook: Webhook, input: JsonObject): McpInputs | undefined {
  const { method, output, parameters } = webhook;
  if (output > 0 || parameters.length > 0) return undefined;
  const { body, query } = toWebhookCall(webhook, input);
  const texts = toTexts(query);
  if (texts === undefined || (body !== undefined && !isJsonObject(body))) return undefined;
  const hasQuery = Object.keys(texts).length > 0;
  const webhookData = { method, ...(hasQuery && { query: texts }), ...(body && { body }) };
  return { type: 'webhook', inputs: { webhookData } };
}

export const startTool = 'execute_workflow';

interface McpStart {
  readonly workflowId: string;
  readonly triggerNodeName: string;
  readonly inputs: McpInputs;
  /** "manual" executes the document as it's saved. */
  readonly mode: 'production' | 'manual';
}

/** Resolves with the execution's id, and rejects as `McpServer.start` does. */
export async function startByMcp(
  mcp: McpServer,
  { workflowId, triggerNodeName, inputs: { inputs, type }, mode }: McpStart,
  options?: CallOptions,
): Promise<string> {
  const takes = (await mcp.tools()).get(startTool) ?? {};
  const given = {
    workflowId,
    ...(takes['executionMode'] === undefined ? {} : { executionMode: mode }),
    triggerNodeName,
    ...(inputs && { inputs: { ...(hasType(takes['inputs']) && type && { type }), ...inputs } }),
  };
  return mcp.start(startTool, given, options);
}

/** True if the schema, or one of its alternatives, has a member "type". */
function hasType(schema: JsonValue | undefined): boolean {
  const membersOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
  const { anyOf, oneOf } = membersOf(schema);
  const alternatives = [anyOf, oneOf].flatMap((list) => (isJsonArray(list) ? list : []));
  return [schema, ...alternatives].some(
    (each) => membersOf(membersOf(each)['properties'])['type'] !== undefined,
  );
}
