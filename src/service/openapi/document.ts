// Generates the OpenAPI 3.1 document of the API, for client generators and fuzz tests.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { aliases, healthOperation, limits, type Operation, operations } from '../../protocol/operations.ts';
import { operationDetails, type OperationDetails } from './details.ts';
import { text } from './parameters.ts';
import { componentSchemas, refTo } from './schemas.ts';

const integer: JsonObject = { type: 'integer' };

function header(description: string, schema: JsonObject): JsonObject {
  return { description, schema };
}

const headers: JsonObject = {
  'X-Request-Id': header('Identifies the request in errors and logs.', text),
  'X-RateLimit-Limit': header('Requests that a key is allowed in 60 seconds.', integer),
  'X-RateLimit-Remaining': header('Requests that are left.', integer),
  'X-RateLimit-Reset': header('When the oldest request stops counting, in epoch seconds.', integer),
  'RateLimit-Policy': header('The limit as q and its window in seconds as w.', text),
  RateLimit: header('The requests that are left as r, and the seconds until there are more as t.', text),
  'Retry-After': header('Seconds to wait, a whole number.', { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header('Always Bearer.', text),
  Location: header('The path of the new workflow.', text),
  ETag: header('The value for If-Match.', text),
};
const always = ['X-Request-Id'];
const behindTheKey = [
  ...always,
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

function headersNamed(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function refusal(description: string, headerNames: readonly string[]): JsonObject {
  const content = { 'application/json': { schema: refTo('Error') } };
  return { description, headers: headersNamed(headerNames), content };
}

/** The error responses of all operations. */
const common: JsonObject = {
  '401': refusal('Codes: missing_api_key, invalid_api_key, api_key_revoked, api_key_expired.', [
    ...always,
    'WWW-Authenticate',
  ]),
  '403': refusal('Code: forbidden.', always),
  '429': refusal('Codes: rate_limited, too_many_answers, too_many_streams. Nothing was done.', [
    ...behindTheKey,
    'Retry-After',
  ]),
  '500': refusal('Code: internal_error.', always),
  '503': refusal('Code: unavailable.', [...always, 'Retry-After']),
  '507': refusal('Codes: storage_full, storage_read_only. Nothing was changed; reads still work.', always),
};

/** Reads can't fail with 507. */
function referencesOf({ method }: Operation): JsonObject {
  const statuses = Object.keys(common).filter((status) => method !== 'GET' || status !== '507');
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }] as const),
  );
}

function parametersOf(
  { path }: Operation,
  { query = [], headers: request = [] }: OperationDetails,
): JsonValue {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name ?? '',
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
  const inQuery = query.map((parameter) => ({ ...parameter, in: 'query' }));
  const inHeader = request.map((parameter) => ({ ...parameter, in: 'header' }));
  return [...inPath, ...inQuery, ...inHeader];
}

function bodyOf({ request }: OperationDetails): JsonObject {
  if (!request) return {};
  const content = { 'application/json': { schema: refTo(request.schema) } };
  return { requestBody: { required: request.isOptional !== true, content } };
}

function successOf({ success, stream, summary }: OperationDetails): JsonObject {
  const { status, schema } = success;
  const json: JsonObject = schema === undefined ? {} : { 'application/json': { schema: refTo(schema) } };
  const events: JsonObject = stream
    ? { 'text/event-stream': { schema: { type: 'string', description: stream.description } } }
    : {};
  const own = schema === 'Workflow' ? ['ETag', ...(status === 201 ? ['Location'] : [])] : [];
  const content = { ...json, ...events };
  const response: JsonObject = {
    description: summary,
    headers: headersNamed([...behindTheKey, ...own]),
    ...(Object.keys(content).length > 0 && { content }),
  };
  const end = { description: 'The stream has ended; nothing follows.', headers: headersNamed(behindTheKey) };
  return { [String(status)]: response, ...(schema === 'NodeLogList' && { '204': end }) };
}

function refusalsOf({ refusals = {} }: OperationDetails): JsonObject {
  const own = Object.entries(refusals).map(
    ([status, codes]) =>
      [
        status,
        refusal(`${codes.length > 1 ? 'Codes' : 'Code'}: ${codes.join(', ')}.`, behindTheKey),
      ] as const,
  );
  return Object.fromEntries(own);
}

function described(name: string, operation: Operation, details: OperationDetails): JsonObject {
  const { tag, summary, description } = details;
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: parametersOf(operation, details),
    ...bodyOf(details),
    responses: { ...successOf(details), ...refusalsOf(details), ...referencesOf(operation) },
  };
}

function paths(): JsonObject {
  const all: Readonly<Record<string, Operation>> = { ...operations, ...aliases };
  const result: Record<string, JsonObject> = {};
  for (const [name, details] of Object.entries(operationDetails)) {
    const operation = all[name];
    if (!operation) throw new Error(`There is no operation ${name}.`);
    const { path, method } = operation;
    result[path] = { ...result[path], [method.toLowerCase()]: described(name, operation, details) };
  }
  return result;
}

function health(): JsonObject {
  const content = { 'application/json': { schema: refTo('Health') } };
  return {
    operationId: 'getHealth',
    tags: ['Service'],
    summary: 'Check whether the service works',
    description: 'Needs no key. It is outside the base URL.',
    servers: [{ url: '/' }],
    security: [],
    parameters: [],
    responses: {
      '200': {
        description:
          'It works. It is degraded if it can only read, or leaves executions that use secrets to other processes.',
        headers: headersNamed(always),
        content,
      },
      '403': { $ref: '#/components/responses/403' },
      '503': {
        description: "It listens but doesn't work yet, or can't read its data.",
        headers: headersNamed(always),
        content,
      },
    },
  };
}

/** Describes all operations under the base URL, and the health check. */
export function createOpenApiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workflow Automation Service API',
      version: '1.0.0',
      description: `Create, deploy and execute workflows; follow and read executions. A key is allowed ${limits.requestsPerMinute} requests in any 60 seconds.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/v1', description: 'The service that this document was read from' },
      { url: '{baseUrl}', variables: { baseUrl: { default: 'https://example.com/api/v1' } } },
    ],
    security: [{ apiKey: [] }],
    tags: ['Workflows', 'Executions', 'Portal events', 'Service'].map((name) => ({ name })),
    paths: { ...paths(), [healthOperation.path]: { get: health() } },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, which starts with svc_sk_.' },
      },
      headers,
      responses: common,
      schemas: componentSchemas(),
    },
  };
}
