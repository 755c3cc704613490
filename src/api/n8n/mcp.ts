// Starts executions through n8n's MCP server, which needs no Webhook node and takes a token of its own.
import * as v from 'valibot';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { isServiceError, ServiceError } from '../../domain/errors.ts';
import type { Operation } from '../../protocol/operations.ts';
import type { Answer } from '../http/answers.ts';
import type { Transport } from '../request/transport.ts';
import { unreadable } from '../resources/resource.ts';
import type { McpPort } from '../servicePort.ts';
import { EventReader } from '../stream/events.ts';
import { Id } from './decode.ts';

const mcpOperation = { method: 'POST', path: '/mcp-server/http' } as const satisfies Operation;

/** What an execution begins with. */
export interface McpStart {
  /** Of the node that the execution begins at. */
  readonly triggerNodeName: string;
  /** As the tool takes them for this kind of trigger; undefined for one that takes none. */
  readonly inputs: JsonObject | undefined;
}

const ToolResult = v.object({
  isError: v.nullish(v.boolean(), false),
  structuredContent: v.nullish(v.custom<JsonObject>(isJsonObject)),
  content: v.nullish(v.array(v.object({ text: v.nullish(v.string(), '') })), []),
});

const Started = v.object({
  executionId: v.fallback(v.nullish(Id), null),
  status: v.fallback(v.nullish(v.string()), null),
  error: v.fallback(v.nullish(v.string()), null),
});

const Message = v.object({
  id: v.nullish(v.union([v.string(), v.number()])),
  result: v.nullish(v.custom<JsonObject>(isJsonObject)),
  error: v.nullish(v.object({ message: v.nullish(v.string(), '') })),
});

/** `transport`: of the editor's address, with the token in its header. `connectionId`: named by errors about the token. */
export class McpServer implements McpPort {
  readonly #transport: Transport;
  readonly #connectionId: string | null;
  /** Whether this version wants to be told the kind of the inputs, which another version refuses. */
  #takesType: boolean | undefined;
  #lastId = 0;

  constructor(transport: Transport, connectionId: string | null = null) {
    this.#transport = transport;
    this.#connectionId = connectionId;
  }

  async verify(options?: CallOptions): Promise<void> {
    await this.#call('tools/list', {}, options);
  }

  /**
   * Starts an execution of what is deployed, and resolves with its id. Rejects with a ServiceError: "notDeployed", "notFound", or "invalid"
   * with n8n's sentence. Never sent again: it may have started an execution.
   */
  async execute(
    workflowId: string,
    { triggerNodeName, inputs: given }: McpStart,
    options?: CallOptions,
  ): Promise<string> {
    const type = given && (await this.#asksType(options)) ? typeOf(given) : undefined;
    const inputs = given && { ...(type === undefined ? {} : { type }), ...given };
    const start = { workflowId, executionMode: 'production', triggerNodeName, ...(inputs && { inputs }) };
    const { answer, isError, structured, sentence } = await this.#callTool(
      'execute_workflow',
      start,
      options,
    );
    const { executionId, status, error } = v.parse(Started, structured);
    const isRefused = isError || status === 'error';
    if (!isRefused && executionId !== null && executionId !== undefined) return executionId;
    if (!isRefused) throw unreadable(answer, 'the id of the execution');
    throw refusal(error ?? sentence, answer.status);
  }

  /** Returns what a tool tells. Rejects with "invalid" and the server's sentence where it refuses. */
  async ask(tool: string, given: JsonObject, options?: CallOptions): Promise<JsonObject> {
    const { answer, isError, structured, sentence } = await this.#callTool(tool, given, options);
    if (isError) throw refusal(sentence, answer.status);
    return structured;
  }

  /** The names of its tools. */
  async tools(options?: CallOptions): Promise<ReadonlySet<string>> {
    const { result } = await this.#call('tools/list', {}, options);
    const { tools } = result;
    const names = isJsonArray(tools) ? tools.filter(isJsonObject).map(({ name }) => name) : [];
    return new Set(names.filter((name) => typeof name === 'string'));
  }

  async #callTool(name: string, given: JsonObject, options?: CallOptions) {
    const { answer, result } = await this.#call('tools/call', { name, arguments: given }, options);
    const decoded = v.safeParse(ToolResult, result);
    if (!decoded.success) throw unreadable(answer, 'the result of a tool');
    const { isError, structuredContent, content } = decoded.output;
    const sentence = content.map(({ text }) => text).join(' ');
    return { answer, isError, structured: structuredContent ?? {}, sentence };
  }

  async #asksType(options?: CallOptions): Promise<boolean> {
    if (this.#takesType !== undefined) return this.#takesType;
    const { result } = await this.#call('tools/list', {}, options);
    const { tools } = result;
    const tool = isJsonArray(tools)
      ? tools.filter(isJsonObject).find(({ name }) => name === 'execute_workflow')
      : undefined;
    return (this.#takesType = hasType(memberOf(memberOf(tool?.['inputSchema'], 'properties'), 'inputs')));
  }

  async #call(
    method: 'tools/call' | 'tools/list',
    params: JsonObject,
    options?: CallOptions,
  ): Promise<{ readonly answer: Answer; readonly result: JsonObject }> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = await this.#send({ jsonrpc: '2.0', id, method, params }, options);
    for (const message of messagesIn(answer)) {
      const decoded = v.safeParse(Message, message);
      if (!decoded.success || String(decoded.output.id) !== String(id)) continue;
      const { result, error } = decoded.output;
      if (result) return { answer, result };
      if (error) throw refusal(error.message, answer.status);
    }
    throw unreadable(answer, 'an answer of the MCP server');
  }

  async #send(body: JsonObject, options?: CallOptions): Promise<Answer> {
    const headers = { Accept: 'application/json, text/event-stream' };
    try {
      // An event stream is no JSON.
      return await this.#transport.call({ operation: mcpOperation, body, headers, isOutput: true }, options);
    } catch (error) {
      if (!isOfToken(error)) throw error;
      const { status, message } = error;
      const details = { status, connectionId: this.#connectionId };
      throw new ServiceError({ kind: 'mcpTokenRejected' }, message, details);
    }
  }
}

/** The token is a secret of its own, so the errors of the API key would name the wrong one. */
function isOfToken(error: unknown): error is ServiceError {
  return isServiceError(error, 'keyRejected') || isServiceError(error, 'forbidden');
}

function messagesIn({ mediaType, text, body }: Answer): readonly JsonValue[] {
  if (mediaType !== 'text/event-stream') return body === undefined ? [] : [body];
  // A stream that was cut still has its last event.
  const { events } = new EventReader().read(new TextEncoder().encode(`${text}\n\n`));
  return events.flatMap((event) => (event.kind === 'data' ? [event.data] : []));
}

function memberOf(schema: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(schema) ? schema[name] : undefined;
}

/** True if the schema, or one of its alternatives, has a member "type". */
function hasType(schema: JsonValue | undefined): boolean {
  const alternatives = ['anyOf', 'oneOf'].flatMap((name) => {
    const found = memberOf(schema, name);
    return isJsonArray(found) ? found : [];
  });
  return [schema, ...alternatives].some(
    (each) => memberOf(memberOf(each, 'properties'), 'type') !== undefined,
  );
}

/** What some versions call the kinds of inputs. */
function typeOf(inputs: JsonObject): string {
  if ('webhookData' in inputs) return 'webhook';
  return 'formData' in inputs ? 'form' : 'chat';
}

const maximumSentence = 500;

/** n8n refuses with 200 and a sentence. */
function refusal(told: string, status: number): ServiceError {
  const sentence = told.slice(0, maximumSentence);
  if (/no published|no active|not (published|active)/i.test(sentence))
    return new ServiceError({ kind: 'notDeployed' }, sentence, { status });
  if (/workflow not found/i.test(sentence))
    return new ServiceError({ kind: 'notFound' }, sentence, { status });
  return new ServiceError({ kind: 'invalid', details: [] }, sentence, { status });
}
