// The MCP server of the recorded n8n, which has a token of its own.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import type { Answer, SeenRequest } from './recordedN8n.ts';
import { nodeTypeTools } from './recordedNodeTypes.ts';
import type { RecordedState } from './state.ts';

/** As long as n8n's own. */
export const recordedToken = `eyJhbGciOiJIUzI1NiJ9.${'mcp-server'.repeat(20)}.c2lnbmF0dXJl`;

const tools = {
  tools: [
    {
      name: 'execute_workflow',
      inputSchema: {
        type: 'object',
        properties: { inputs: { type: 'object', properties: { webhookData: { type: 'object' } } } },
      },
    },
    ...nodeTypeTools.map(({ name }) => ({ name, inputSchema: { type: 'object' } })),
  ],
};

/** One call of a tool, answered as a stream of one event. */
export function answerMcp(
  state: RecordedState,
  { headers, text }: Pick<SeenRequest, 'headers' | 'text'>,
): Answer {
  if (headers.authorization !== `Bearer ${recordedToken}`)
    return { status: 401, body: { message: 'Unauthorized' } };
  const call = parseJson(text);
  assert.ok(isJsonObject(call));
  const { id = null, method, params } = call;
  const result = method === 'tools/list' ? tools : callTool(state, params);
  const message = JSON.stringify({ jsonrpc: '2.0', id, result });
  return { status: 200, body: `event: message\ndata: ${message}\n\n`, mediaType: 'text/event-stream' };
}

function callTool(state: RecordedState, params: JsonValue | undefined): JsonObject {
  const { name, arguments: of } = isJsonObject(params) ? params : {};
  const given = isJsonObject(of) ? of : {};
  const tool = nodeTypeTools.find((each) => each.name === name);
  return tool === undefined ? execute(state, given) : tool.answer(given);
}

function execute(state: RecordedState, { workflowId }: JsonObject): JsonObject {
  const workflow = typeof workflowId === 'string' ? state.workflows.get(workflowId) : undefined;
  const refused = (error: string) => ({ structuredContent: { executionId: null, status: 'error', error } });
  if (workflow === undefined) return refused('Workflow not found');
  if (workflow.settings['availableInMCP'] !== true)
    return refused('Workflow is not available in MCP. Enable MCP access from the workflow settings.');
  const isEarly = workflow.lag > 0;
  if (isEarly) workflow.lag -= 1;
  if (isEarly || workflow.activeVersionId === null)
    return refused(`Workflow '${workflow.id}' has no published (active) version to execute`);
  const { id } = state.start(workflow.id, { mode: 'trigger' });
  return { structuredContent: { executionId: String(id), status: 'started' } };
}
