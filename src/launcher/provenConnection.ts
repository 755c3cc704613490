// Sends the session token only to the service that wrote the instance file: over a single connection, after the service has proven
// its identity on it.
import {
  Agent,
  type AgentOptions,
  type ClientRequestArgs,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import { type Operation, sessionHeader, settingsOperations } from '../protocol/operations.ts';
import { createNonce, type Instance, isProof, proveIdentity } from '../protocol/localService/instance.ts';

const answerTimeoutMs = 5000;
const maximumProofCharacters = 1000;

export interface ProvenConnection extends Disposable {
  /** Calls a settings operation with the session token. Rejects when the connection has closed. */
  send(operation: Operation, signal: AbortSignal): Promise<IncomingMessage>;
}

/** Connects to the instance; undefined when nothing there proves to be the instance. Rejects with the signal's reason. */
export async function connectProven(
  instance: Instance,
  signal: AbortSignal,
): Promise<ProvenConnection | undefined> {
  const agent = new OneConnection();
  const send = (path: string, operation: Operation, headers: OutgoingHttpHeaders, end: AbortSignal) =>
    sendOn(agent, new URL(path, instance.baseUrl), operation, headers, end);
  try {
    const nonce = createNonce();
    const { identity } = settingsOperations;
    const end = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]);
    const response = await send(`${identity.path}?nonce=${nonce}`, identity, {}, end);
    const expected = proveIdentity(instance.sessionToken, nonce, new URL(instance.baseUrl).origin);
    if (!isProof(await readProof(response), expected)) throw new Error('The proof is missing or wrong.');
  } catch {
    // The service that wrote the file doesn't listen at this address.
    agent.destroy();
    signal.throwIfAborted();
    return undefined;
  }
  return {
    send: (operation, end) =>
      send(operation.path, operation, { [sessionHeader]: instance.sessionToken }, end),
    dispose: () => agent.destroy(),
  };
}

/** Opens a single connection: the identity is proven for the first one only. */
class OneConnection extends Agent {
  #isOpened = false;

  constructor(options: AgentOptions = { keepAlive: true, maxSockets: 1 }) {
    super(options);
  }

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

function sendOn(
  agent: Agent,
  url: URL,
  { method }: Operation,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent, signal });
    outgoing.once('response', (response) => {
      outgoing.setTimeout(0);
      resolve(response);
    });
    outgoing.on('error', reject);
    outgoing.setTimeout(answerTimeoutMs, () =>
      outgoing.destroy(new Error('The local service does not answer.')),
    );
    outgoing.end();
  });
}
