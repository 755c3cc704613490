// A window's calls to the running service. Its lease is an open stream, whose end shows at once that the service has ended.
import {
  Agent,
  type ClientRequestArgs,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../base/json.ts';
import { type Operation, sessionHeader, settingsOperations } from '../protocol/operations.ts';
import { responseOf } from '../protocol/localService/responseOf.ts';
import { createNonce, type Instance, isProof, proveIdentity } from '../protocol/localService/instance.ts';

const responseTimeoutMs = 5000;
const maximumProofCharacters = 1000;

export interface Lease extends Disposable {
  /** Resolves when either side has closed the stream. */
  readonly ended: Promise<void>;
  readonly isEnded: boolean;
}

/** Takes a lease; undefined when the instance doesn't prove its identity or doesn't grant one. Rejects with the signal's reason. */
export async function takeLease(instance: Instance, signal: AbortSignal): Promise<Lease | undefined> {
  const connection = await ProvenConnection.open(instance, signal);
  if (!connection) return undefined;
  let response: IncomingMessage;
  try {
    response = await connection.send(settingsOperations.lease, signal);
  } catch {
    connection.dispose();
    signal.throwIfAborted();
    return undefined;
  }
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.once('error', () => response.destroy());
  }).finally(() => connection.dispose());
  response.resume();
  if (response.statusCode === 200)
    return {
      ended,
      get isEnded() {
        return response.closed;
      },
      dispose: () => void response.destroy(),
    };
  response.destroy();
  return undefined;
}

/** Calls a settings operation; rejects unless the service responds with a 2xx status. */
export async function callSettings(
  instance: Instance,
  operation: Operation,
  body?: JsonObject,
): Promise<void> {
  const signal = AbortSignal.timeout(responseTimeoutMs);
  const connection = await ProvenConnection.open(instance, signal);
  if (!connection) throw new Error('The local service does not respond.');
  try {
    const response = await connection.send(operation, signal, body);
    response.resume();
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw new Error(`The local service answered ${status}.`);
  } finally {
    connection.dispose();
  }
}

/** Opens a single connection: the identity is proven for the first one only. */
class OneConnection extends Agent {
  #isOpened = false;

  override createConnection(
    options: ClientRequestArgs,
    onCreate?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    if (!this.#isOpened) {
      this.#isOpened = true;
      return super.createConnection(options, onCreate);
    }
    const closed = new Error('The connection to the local service has closed.');
    Reflect.apply(onCreate ?? (() => undefined), undefined, [closed]);
    return undefined;
  }
}

/**
 * Sends the session token only to the service that wrote the instance file: over a single connection, after the service has proven its
 * identity on it.
 */
export class ProvenConnection implements Disposable {
  readonly #agent = new OneConnection({ keepAlive: true, maxSockets: 1 });
  readonly #instance: Instance;

  private constructor(instance: Instance) {
    this.#instance = instance;
  }

  /** Connects to the instance; undefined when nothing there proves to be the instance. Rejects with the signal's reason. */
  static async open(instance: Instance, signal: AbortSignal): Promise<ProvenConnection | undefined> {
    const connection = new ProvenConnection(instance);
    try {
      await connection.#prove(AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]));
      return connection;
    } catch {
      // The service that wrote the file doesn't listen at this address.
      connection.dispose();
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Calls a settings operation with the session token. Rejects when the connection has closed. */
  send(operation: Operation, signal: AbortSignal, body?: JsonObject): Promise<IncomingMessage> {
    const token = { [sessionHeader]: this.#instance.sessionToken };
    if (!body) return this.#request(operation.path, operation, token, signal);
    const headers = { ...token, 'Content-Type': 'application/json' };
    return this.#request(operation.path, operation, headers, signal, stringifyJson(body));
  }

  dispose(): void {
    this.#agent.destroy();
  }

  async #prove(signal: AbortSignal): Promise<void> {
    const { baseUrl, sessionToken } = this.#instance;
    const { identity } = settingsOperations;
    const nonce = createNonce();
    const response = await this.#request(`${identity.path}?nonce=${nonce}`, identity, {}, signal);
    const expected = proveIdentity(sessionToken, nonce, new URL(baseUrl).origin);
    if (!isProof(await readProof(response), expected)) throw new Error('The proof is missing or wrong.');
  }

  #request(
    path: string,
    { method }: Operation,
    headers: OutgoingHttpHeaders,
    signal: AbortSignal,
    body = '',
  ): Promise<IncomingMessage> {
    const url = new URL(path, this.#instance.baseUrl);
    const outgoing = request(url, { method, headers, agent: this.#agent, signal });
    outgoing.end(body);
    return responseOf(outgoing, AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]));
  }
}

async function readProof(response: IncomingMessage): Promise<unknown> {
  if (!response.headers['content-type']?.startsWith('application/json')) return undefined;
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > maximumProofCharacters) return undefined;
  }
  const body = parseJson(text);
  return isJsonObject(body) ? body['proof'] : undefined;
}
