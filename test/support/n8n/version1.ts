// Where an n8n of version 1 answers otherwise, as one of 1.119.2 was recorded to.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import type { Answer } from './recordedN8n.ts';

interface Call {
  readonly method: string;
  /** Below /api/v1. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

const lacking = [/^\/executions\/[^/]+\/stop$/, /^\/workflows\/[^/]+\/(archive|unarchive)$/, /^\/discover$/];
const laterParameters = ['publishIfActive', 'startedAfter', 'startedBefore'];
const states = ['canceled', 'error', 'running', 'success', 'waiting'];
const settingNames = new Set(
  (
    'saveExecutionProgress saveManualExecutions saveDataErrorExecution saveDataSuccessExecution executionTimeout ' +
    'errorWorkflow timezone executionOrder callerPolicy callerIds timeSavedPerExecution availableInMCP'
  ).split(' '),
);
const nodeNames = new Set(
  (
    'id name webhookId disabled notesInFlow notes type typeVersion executeOnce alwaysOutputData retryOnFail maxTries ' +
    'waitBetweenTries continueOnFail onError position parameters credentials createdAt updatedAt'
  ).split(' '),
);
const required = new Set(['name', 'connections']);

/** Its refusal; undefined for what it does as version 2. */
export function refusalOfVersion1(call: Call): Answer | undefined {
  const { method, path, query, body } = call;
  if (lacking.some((each) => each.test(path))) return refusal(404, 'not found');
  const unknown = [...query.keys()].find((name) => laterParameters.includes(name));
  if (unknown !== undefined) return refusal(400, `Unknown query parameter '${unknown}'`);
  const status = query.get('status') ?? 'success';
  if (!states.includes(status))
    return refusal(
      400,
      `request/query/status must be equal to one of the allowed values: ${states.join(', ')}`,
    );
  const isDocument = path.startsWith('/workflows') && (method === 'PUT' || path === '/workflows');
  const fault = isDocument && method !== 'GET' ? bodyFault(body) : undefined;
  return fault === undefined ? undefined : refusal(400, fault);
}

/** Its web server knows no such address. */
export const withoutMcp: Answer = {
  status: 404,
  body: '<!DOCTYPE html>\n<html lang="en">\n<body>\n<pre>Cannot POST /mcp-server/http</pre>\n</body>\n</html>\n',
};

const laterMembers = ['activeVersion', 'activeVersionId', 'nodeGroups'];

const defaultSettings = { callerPolicy: 'workflowsFromSameOwner', availableInMCP: false };

/** What is deployed is what is saved. */
export function documentOfVersion1({ settings = {}, ...document }: JsonObject): JsonObject {
  const members = Object.entries(document).filter(([name]) => !laterMembers.includes(name));
  const given = isJsonObject(settings) ? settings : {};
  return { ...Object.fromEntries(members), settings: { ...defaultSettings, ...given } };
}

/** It fills in what is left out. */
export function replacementOfVersion1({ settings = {}, ...body }: JsonObject): JsonObject {
  return { ...body, settings: { ...defaultSettings, ...(isJsonObject(settings) ? settings : {}) } };
}

/** It doesn't tell which version of the document ran. */
export function recordOfVersion1(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'workflowVersionId'));
}

function bodyFault({ nodes = [], settings = {}, ...others }: JsonObject): string | undefined {
  const isStrange = (value: JsonValue, names: ReadonlySet<string>): boolean =>
    isJsonObject(value) && Object.keys(value).some((name) => !names.has(name));
  const place = (name: string): string => `request/body${name} must NOT have additional properties`;
  if (isStrange(others, required)) return place('');
  const strange = isJsonArray(nodes) ? nodes.findIndex((node) => isStrange(node, nodeNames)) : -1;
  if (strange !== -1) return place(`/nodes/${strange}`);
  return isStrange(settings, settingNames) ? place('/settings') : undefined;
}

function refusal(status: number, message: string): Answer {
  return { status, body: { message } };
}
