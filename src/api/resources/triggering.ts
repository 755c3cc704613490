// The calls that start an execution: of what is deployed, of a draft, and a retry.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Triggered } from '../../domain/execution.ts';
import type { Capability, Operation } from '../../protocol/operations.ts';
import { decodeTriggered } from '../decode/execution.ts';
import type { TriggerOptions } from '../servicePort.ts';
import type { ResourceDeps } from './resource.ts';

/** How long a rate limit may delay such a call, in milliseconds. */
const maximumWaitMs = 60_000;

interface TriggerRequest {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly capability?: Capability | undefined;
  /** Where the response doesn't name it. */
  readonly workflowId: string;
}

/** Returns a request's body, without the members that aren't set. */
export function bodyOf(request: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const isSet = Object.entries(request).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(isSet);
}

/** Retried only after 429, which refuses before anything ran, for at most a minute and with the same idempotency key. */
export async function sendTrigger(
  { transport, workflowIds }: Pick<ResourceDeps, 'transport' | 'workflowIds'>,
  { workflowId, ...request }: TriggerRequest,
  { idempotencyKey = crypto.randomUUID(), ...options }: TriggerOptions = {},
): Promise<Triggered> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const response = await transport.call(
    { ...request, headers, maximumWaitMs, mayBeNotDeployed: true },
    options,
  );
  const plain = response.text.trim() === '' ? undefined : response.text.trim();
  const triggered = decodeTriggered(response.body === undefined ? plain : response.body, {
    workflowId,
    runIdHeader: response.headers.get('x-run-id'),
    locationHeader: response.headers.get('location'),
    dateHeader: response.headers.get('date'),
  });
  for (const executionId of triggered.executionIds)
    if (triggered.workflowId !== '') workflowIds.set(executionId, triggered.workflowId);
  return triggered;
}
