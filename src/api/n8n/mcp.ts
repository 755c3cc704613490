// n8n's MCP server, which takes a token of its own.
import * as v from 'valibot';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { isLacking, isServiceError, ServiceError, type ServiceErrorReason } from '../../domain/errors.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { Transport } from '../request/transport.ts';
import { unreadable } from '../resources/resource.ts';
import type { KeyReader, McpPort } from '../servicePort.ts';
import { EventReader } from '../stream/events.ts';
import { Id } from './decode.ts';
import { notStartable } from './refusing.ts';
import type { Operation } from '../../protocol/operations.ts';
import { apiPath } from './operations.ts';

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

/** The members that each tool takes, by its name. */
export type McpTools = ReadonlyMap<string, JsonObject>;

interface McpDeps {
  /** Of the editor's address, with the token in its header. */
  readonly transport: Transport;
  /** Reads the token; undefined when there's none. */
  readonly token: KeyReader;
  /** Rejects while n8n starts. */
  readonly hasMcp: (options?: CallOptions) => Promise<boolean>;
  /** Named by errors about the token. */
  readonly connectionId: string | null;
}

export class McpServer implements McpPort {
  readonly #deps: McpDeps;
  #tools: Promise<McpTools> | undefined;
  #lastId = 0;

  constructor(deps: McpDeps) {
    this.#deps = deps;
  }

  async verify(options?: CallOptions): Promise<void> {
    await this.#call('tools/list', {}, options);
  }

  /**
   * Calls a tool that starts an execution, and resolves with its id. Rejects with a ServiceError: "notDeployed", "notFound", "notStartable"
   * for a workflow that isn't available to the server, or "invalid" with n8n's sentence. Never sent again: it may have started one.
   */
  async start(tool: string, given: JsonObject, options?: CallOptions): Promise<string> {
    const { response, isError, structured, sentence } = await this.#callTool(tool, given, options);
    const { executionId, status, error } = v.parse(Started, structured);
    if (!isError && executionId !== null && executionId !== undefined) return executionId;
    if (!isError && status !== 'error') throw unreadable(response, 'the id of the execution');
    throw this.#refusal(error ?? sentence, response.status);
  }

  /** Returns what a tool returns. Rejects with "invalid" and the server's sentence where it refuses. */
  async ask(tool: string, given: JsonObject, options?: CallOptions): Promise<JsonObject> {
    const { response, isError, structured, sentence } = await this.#callTool(tool, given, options);
    if (isError) throw this.#refusal(sentence, response.status);
    return structured;
  }

  /** What it offers, asked for once. Nothing without a token, and where there is no such server, as in an older n8n. */
  async tools(): Promise<McpTools> {
    if (((await this.#deps.token()) ?? '') === '') return new Map();
    // Not given up with a caller: the next one needs the same.
    this.#tools ??= this.#listTools().catch((error: unknown) => {
      this.#tools = undefined;
      if (isLacking(error)) return new Map();
      throw error;
    });
    return this.#tools;
  }

  async #listTools(): Promise<McpTools> {
    const { result } = await this.#call('tools/list', {});
    const { tools } = result;
    return new Map(
      (isJsonArray(tools) ? tools : []).flatMap((tool) => {
        const name = memberOf(tool, 'name');
        const properties = memberOf(memberOf(tool, 'inputSchema'), 'properties');
        return typeof name === 'string' ? [[name, isJsonObject(properties) ? properties : {}] as const] : [];
      }),
    );
  }

  async #callTool(name: string, given: JsonObject, options?: CallOptions) {
    const { response, result } = await this.#call('tools/call', { name, arguments: given }, options);
    const decoded = v.safeParse(ToolResult, result);
    if (!decoded.success) throw unreadable(response, 'the result of a tool');
    const { isError, structuredContent, content } = decoded.output;
    const sentence = content.map(({ text }) => text).join(' ');
    return { response, isError, structured: structuredContent ?? {}, sentence };
  }

  async #call(
    method: 'tools/call' | 'tools/list',
    params: JsonObject,
    options?: CallOptions,
  ): Promise<{ readonly response: CompleteResponse; readonly result: JsonObject }> {
    this.#lastId += 1;
    const id = this.#lastId;
    const response = await this.#send({ jsonrpc: '2.0', id, method, params }, options);
    for (const message of messagesIn(response)) {
      const decoded = v.safeParse(Message, message);
      if (!decoded.success || String(decoded.output.id) !== String(id)) continue;
      const { result, error } = decoded.output;
      if (result) return { response, result };
      if (error) throw this.#refusal(error.message, response.status);
    }
    throw unreadable(response, 'a response of the MCP server');
  }

  async #send(body: JsonObject, options?: CallOptions): Promise<CompleteResponse> {
    const headers = { Accept: 'application/json, text/event-stream' };
    try {
      // An event stream is no JSON.
      const request = { operation: mcpOperation, body, headers, isOutput: true };
      return await this.#deps.transport.call(request, options);
    } catch (error) {
      if (isServiceError(error, 'notOffered')) await this.#deps.hasMcp(options);
      if (!isOfToken(error)) throw error;
      const { status, message, reason } = error;
      const details = { status, connectionId: this.#deps.connectionId };
      const kind = reason.kind === 'keyMissing' ? 'mcpTokenMissing' : 'mcpTokenRejected';
      throw new ServiceError({ kind }, message, details);
    }
  }

  /** n8n refuses with 200 and a sentence. */
  #refusal(sentence: string, status: number): ServiceError {
    const details = { status, connectionId: this.#deps.connectionId };
    return new ServiceError(reasonIn(sentence), sentence.slice(0, maximumSentence), details);
  }
}

/** The token is a secret of its own, so the errors of the API key would name the wrong one. */
function isOfToken(error: unknown): error is ServiceError {
  const kinds = ['keyMissing', 'keyRejected', 'forbidden'];
  return isServiceError(error) && kinds.includes(error.reason.kind);
}

function messagesIn({ mediaType, text, body }: CompleteResponse): readonly JsonValue[] {
  if (mediaType !== 'text/event-stream') return body === undefined ? [] : [body];
  // A stream that was cut still has its last event.
  const { events } = new EventReader().read(new TextEncoder().encode(`${text}\n\n`));
  return events.flatMap((event) => (event.kind === 'data' ? [event.data] : []));
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

const maximumSentence = 500;

function reasonIn(sentence: string): ServiceErrorReason {
  if (/no published|no active|not (published|active)/i.test(sentence)) return { kind: 'notDeployed' };
  if (/workflow not found/i.test(sentence)) return { kind: 'notFound' };
  if (/not available in mcp/i.test(sentence)) return notStartable('notInMcp');
  return { kind: 'invalid', details: [] };
}

const mcpOperation = { method: 'POST', path: '/mcp-server/http' } as const satisfies Operation;
const anyOfApi = { method: 'GET', path: `${apiPath}/workflows` } as const satisfies Operation;

/** `bare`: of the editor's address, without a secret. Rejects with "unavailable" while n8n starts: then it doesn't know its API either. */
export async function hasMcpServer(bare: Transport, options?: CallOptions): Promise<boolean> {
  if (await isKnown(bare, mcpOperation, options)) return true;
  if (await isKnown(bare, anyOfApi, options)) return false;
  throw new ServiceError({ kind: 'unavailable' }, 'n8n is starting.', { status: 404 });
}

/** Who comes without a secret is refused where there is something to refuse. */
async function isKnown(bare: Transport, operation: Operation, options?: CallOptions): Promise<boolean> {
  try {
    await bare.call({ operation, isOutput: true }, options);
    return true;
  } catch (error) {
    if (isLacking(error)) return false;
    if (isServiceError(error) && error.status >= 400 && error.status < 500) return true;
    throw error;
  }
}
