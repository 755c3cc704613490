// A call in terms of the operations table, and what it becomes on the wire.
import { ServiceError } from '../../domain/serviceError.ts';
import type { JsonObject } from '../../base/json.ts';
import { fillPath, type Operation } from '../../protocol/operations.ts';
import { pageUrl, type Query } from './addresses.ts';
import type { Outgoing } from './exchange.ts';
import type { Repeats } from './retry.ts';

/** Another form of the same body: the whole object instead of its changes, or the object without its envelope. */
export type BodyForm = 'whole' | 'bare';

/** One call in terms of the operations table. */
export interface ServiceRequest {
  readonly operation: Operation;
  /** For the path's placeholders. */
  readonly values?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** A cursor of ours, see readNextCursor. */
  readonly cursor?: string | undefined;
  readonly body?: JsonObject;
  /** Made only where a service wants the body in this form. */
  readonly forms?: Readonly<Partial<Record<BodyForm, () => Promise<JsonObject>>>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** An event stream is asked for. */
  readonly isStream?: boolean;
  /** How long a limit may hold it up, in milliseconds; default: as long as its priority's. */
  readonly patienceMs?: number;
  /** A refusal may mean "not deployed". */
  readonly mayBeNotDeployed?: boolean;
  /** The body is the user's own: any type, larger, and never an error of the call. */
  readonly isOutput?: boolean;
}

/** Throws "notFound" for an id that no address can hold. */
function pathOf({ path }: Operation, values: Readonly<Record<string, string>>): string {
  try {
    return fillPath(path, values);
  } catch (cause) {
    throw new ServiceError({ kind: 'notFound' }, 'There is no address for this id.', { cause });
  }
}

/** Method, address, headers and body, without credentials. */
export function toOutgoing(request: ServiceRequest, baseUrl: string): Omit<Outgoing, 'credentials'> {
  const { operation, values = {}, query = {}, cursor, body } = request;
  const headers = {
    Accept: request.isOutput === true ? '*/*' : 'application/json',
    'Accept-Encoding': 'identity',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers,
  };
  const url = pageUrl(baseUrl.replace(/\/+$/, ''), pathOf(operation, values), query, cursor);
  return {
    method: operation.method,
    url,
    headers,
    isStream: request.isStream ?? false,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** How often this may be sent. */
export function repeatsOf(request: ServiceRequest): Repeats {
  return request.operation.method === 'GET' ? 'read' : 'write';
}
