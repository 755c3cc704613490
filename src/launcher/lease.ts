// A window's lease on the service is an open stream; its end shows at once that the service has ended.
import type { IncomingMessage } from 'node:http';
import type { Disposable } from '../base/disposable.ts';
import { type Operation, settingsOperations } from '../protocol/operations.ts';
import type { Instance } from '../protocol/localService/instance.ts';
import { connectProven } from './provenConnection.ts';

const answerTimeoutMs = 5000;

export interface Lease extends Disposable {
  /** Resolves when either side has closed the stream. */
  readonly ended: Promise<void>;
}

/** Takes a lease; undefined when the instance doesn't prove its identity or doesn't grant one. Rejects with the signal's reason. */
export async function takeLease(instance: Instance, signal: AbortSignal): Promise<Lease | undefined> {
  const connection = await connectProven(instance, signal);
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
  if (response.statusCode === 200) return { ended, dispose: () => void response.destroy() };
  response.destroy();
  return undefined;
}

/** Calls a settings operation; rejects unless the service answers with a 2xx status. */
export async function callSettings(instance: Instance, operation: Operation): Promise<void> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const connection = await connectProven(instance, signal);
  if (!connection) throw new Error('The local service does not answer.');
  try {
    const response = await connection.send(operation, signal);
    response.resume();
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw new Error(`The local service answered ${status}.`);
  } finally {
    connection.dispose();
  }
}
