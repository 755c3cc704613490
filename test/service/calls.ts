// The tests call the service in the way a client does, and read responses without trusting them.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { sessionHeader } from '../../src/protocol/operations.ts';
import type { ExecutionStore } from '../../src/service/store/executions.ts';
import type { ClaimedExecution } from '../../src/service/store/executionClaims.ts';
import { commonQueue, knownLevel } from '../../src/service/store/needs.ts';
import type { TestService } from '../support/service.ts';
import { assertDescribed } from './conformance.ts';

/** More draft executions than a test makes, for retention. */
export const keepDrafts = { count: 1000, bytes: 1_000_000_000 };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
  readonly text: string;
}

export interface Row {
  readonly event: string;
  readonly id: string | null;
  readonly data: JsonObject;
}

/** What responds: the app itself, or a program behind a socket. */
export interface Service {
  readonly key: string;
  readonly app: { request(path: string, init?: RequestInit): Response | Promise<Response> };
}

/**
 * The longest time that a single response may take, in milliseconds. Less than the 5 s for which a statement waits for a lock: a service
 * that waits for itself fails here.
 */
const longestAnswerMs = 4500;

/**
 * Sends a request with the service's key; a body that is not text is sent as JSON. The response must be as described, and arrive before a
 * person would give up.
 */
export async function call(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const began = performance.now();
  const response = await service.app.request(path, {
    method,
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = await toCompleteResponse(response);
  const tookMs = Math.round(performance.now() - began);
  assert.ok(tookMs < longestAnswerMs, `${method} ${path} took ${tookMs} ms`);
  assertDescribed(method, path, response, answer.text);
  return answer;
}

/** Sends a request to the settings surface. */
export async function callSettings(
  service: TestService,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await service.app.request(path, {
    method,
    headers: { [sessionHeader]: service.sessionToken, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return toCompleteResponse(response);
}

export async function toCompleteResponse(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = parseJson(text);
  return { status: response.status, headers: response.headers, body: isJsonObject(body) ? body : {}, text };
}

/** Asserts the refusal's status and code, and that it names its request. */
export function assertRefused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, at(answer.body, 'error', 'code')], [status, code], answer.text);
  assert.equal(at(answer.body, 'error', 'requestId'), answer.headers.get('X-Request-Id'));
}

/** The value behind a path of members and indexes; undefined when there is none. */
export function at(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string, JsonValue>>)[step];
  }
  return current;
}

/** The text behind a path. */
export function textAt(value: JsonValue | undefined, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  assert.ok(typeof found === 'string', `${path.join('.')} is no text in ${JSON.stringify(value)}`);
  return found;
}

/** The list behind a path. */
export function listAt(value: JsonValue | undefined, ...path: (string | number)[]): readonly JsonObject[] {
  const found = at(value, ...path);
  assert.ok(Array.isArray(found), `${path.join('.')} is no list`);
  return found.filter((item) => isJsonObject(item));
}

/** A definition whose nodes follow one another; each is given as [id, type, config]. */
export function chain(...nodes: readonly (readonly [string, string, JsonObject?])[]): JsonObject {
  return {
    name: 'A chain',
    nodes: nodes.map(([id, type, config]) => ({ id, type, name: id.toUpperCase(), config: config ?? {} })),
    edges: nodes.slice(1).map(([id], index) => ({ source: nodes[index]?.[0] ?? '', target: id })),
  };
}

export async function createDeployed(service: Service, definition: JsonObject): Promise<string> {
  const id = textAt((await call(service, 'POST', '/v1/workflows', definition)).body, 'id');
  const deployed = await call(service, 'POST', `/v1/workflows/${id}/deploy`);
  assert.equal(deployed.status, 200, deployed.text);
  return id;
}

/** Claims an execution of the common queue that no queue is named for, whatever runs beside it. */
export async function claimOne(executions: ExecutionStore): Promise<ClaimedExecution | undefined> {
  const admit = () => ({ isAlone: false, company: undefined });
  const [claimed] = await executions.claims.claim(new Map([[commonQueue.name, 1]]), knownLevel, admit);
  return claimed;
}

/** Executes and returns the execution's id. */
export async function execute(service: Service, workflowId: string, input: JsonObject): Promise<string> {
  const answer = await call(service, 'POST', `/v1/workflows/${workflowId}/execute`, { input });
  assert.equal(answer.status, 202, answer.text);
  return textAt(answer.body, 'executionIds', 0);
}

/** Opens a stream; the caller reads or cancels it. */
export async function openStream(
  service: Service,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return service.app.request(path, {
    headers: { Authorization: `Bearer ${service.key}`, Accept: 'text/event-stream', ...headers },
  });
}

/** The events of a stream as they come; comments and the retry line are left out. */
export async function* readEvents(response: Response): AsyncGenerator<Row> {
  assert.ok(response.body);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w+: /, '')]),
      );
      const data = parseJson(fields.get('data') ?? '');
      if (isJsonObject(data)) yield { event: fields.get('event') ?? '', id: fields.get('id') ?? null, data };
    }
  }
}

/** Reads streams until they end by themselves; resolves once each has begun. */
export async function readToEnds(
  streams: readonly Response[],
): Promise<{ readonly ended: Promise<unknown> }> {
  const begun = streams.map(() => Promise.withResolvers<undefined>());
  const ended = streams.map(async ({ body }, index) => {
    assert.ok(body);
    for await (const chunk of body) if (chunk.length > 0) begun[index]?.resolve(undefined);
  });
  await Promise.all(begun.map(({ promise }) => promise));
  return { ended: Promise.all(ended) };
}

/** Follows an execution to its end; returns all its rows. */
export async function follow(service: Service, executionId: string): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  const stream = await openStream(service, `/v1/executions/${executionId}/logs`);
  for await (const { event, data } of readEvents(stream)) if (event === 'log') rows.push(data);
  return rows;
}

/** Follows an execution until a row fits. */
export async function followUntil(
  service: Service,
  executionId: string,
  fits: (row: JsonObject) => boolean,
): Promise<void> {
  const stream = await openStream(service, `/v1/executions/${executionId}/logs`);
  for await (const { event, data } of readEvents(stream)) if (event === 'log' && fits(data)) return;
  assert.fail('The execution ended before.');
}

export interface Run {
  readonly workflowId: string;
  readonly executionId: string;
  readonly rows: readonly JsonObject[];
  /** `{executionId, status, output, error}` */
  readonly result: JsonObject;
}

/** Creates, deploys, executes and follows. */
export async function runToEnd(
  service: Service,
  definition: JsonObject,
  input: JsonObject = {},
): Promise<Run> {
  const workflowId = await createDeployed(service, definition);
  const executionId = await execute(service, workflowId, input);
  const rows = await follow(service, executionId);
  const { body } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
  return { workflowId, executionId, rows, result: body };
}
