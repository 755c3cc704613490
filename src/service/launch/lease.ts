// Why: a window holds the service by an open stream, which also tells at once when the service is gone.
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Disposable } from '../../base/disposable.ts';
import { sessionHeader, settingsOperations } from '../../protocol/operations.ts';
import type { Operation } from '../../protocol/operations.ts';
import type { Instance } from '../process/instanceFile.ts';

const answerTimeoutMs = 5000;

export interface Lease extends Disposable {
  /** Resolves when the stream has closed, from either side. */
  readonly ended: Promise<void>;
}

/** Holds the instance; undefined when it does not answer as the service would. Rejects with the signal's reason. */
export async function takeLease(instance: Instance, signal: AbortSignal): Promise<Lease | undefined> {
  let response: IncomingMessage;
  try {
    response = await send(instance, settingsOperations.lease, signal);
  } catch {
    // Whatever listens there, or does not, it is not the service that wrote the file.
    signal.throwIfAborted();
    return undefined;
  }
  const isService =
    response.statusCode === 200 && response.headers['content-type']?.startsWith('text/event-stream');
  if (isService !== true) {
    response.destroy();
    return undefined;
  }
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.once('error', () => response.destroy());
  });
  response.resume();
  return { ended, dispose: () => void response.destroy() };
}

/** Asks the settings surface; rejects unless it answers with success. */
export async function callSettings(instance: Instance, operation: Operation): Promise<void> {
  const response = await send(instance, operation, AbortSignal.timeout(answerTimeoutMs));
  response.resume();
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) throw new Error(`The local service answered ${status}.`);
}

function send(instance: Instance, operation: Operation, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(operation.path, instance.baseUrl), {
      method: operation.method,
      headers: { [sessionHeader]: instance.sessionToken },
      agent: false,
      signal,
    });
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
