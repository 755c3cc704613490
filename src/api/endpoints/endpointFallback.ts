// Finds the endpoint that a service uses for an operation. Tries the next one only after a response that did nothing.
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { isServiceError, ServiceError } from '../../domain/errors.ts';
import {
  isOperationName,
  type Operation,
  type OperationName,
  operations,
} from '../../protocol/operations.ts';
import type { OperationOverrides } from '../../protocol/operationOverrides.ts';
import type { RequestBudget } from '../budget/budget.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { Outgoing, ServiceRequest } from '../request/request.ts';
import type { OpenedStream, StreamOptions, Transport } from '../request/transport.ts';
import type { Capabilities } from './capabilities.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';

export interface EndpointFallbackDeps {
  /** Owned by the fallback. */
  readonly transport: Transport;
  /** The user's overrides. Must return the same object until they change. */
  readonly overrides: () => OperationOverrides;
  readonly clock: Clock;
  /** Owned by the fallback. */
  readonly capabilities: Capabilities;
}

interface Missing {
  /** The operation that can replace it. */
  readonly otherwise: OperationName | undefined;
  /** Ends the time for which this is believed, if it ends. */
  readonly expiry: Disposable | undefined;
}

type Send<T> = (request: ServiceRequest) => Promise<T>;

const nameOf = new Map<Operation, OperationName>(
  Object.entries(operations).flatMap(([name, operation]) =>
    isOperationName(name) ? [[operation, name]] : [],
  ),
);

/**
 * How long a missing endpoint is remembered where there's an alternative, or where nothing but the user's wish asks for it again, in
 * milliseconds. A gateway's error page looks the same.
 */
const believedMs = 5 * 60_000;

const unfillable = 'The place set for this operation needs the id of the workflow, which is not known here.';

/** A transport that finds the endpoints of the operations in the table. Other requests pass through unchanged. */
export class EndpointFallback implements Transport {
  readonly #transport: Transport;
  readonly #readOverrides: () => OperationOverrides;
  readonly #clock: Clock;
  readonly #capabilities: Capabilities;
  #overrides: OperationOverrides;
  /** The endpoint that worked last, by the candidates. */
  readonly #winners = new Map<string, Endpoint>();
  readonly #refusals = new Map<string, { readonly error: ServiceError; readonly until: number }>();
  /** Operations without an endpoint. */
  readonly #missing = new Map<OperationName, Missing>();
  readonly #notOffered = new ObservableValue<ReadonlySet<OperationName>>(new Set());

  constructor({ transport, overrides, clock, capabilities }: EndpointFallbackDeps) {
    this.#transport = transport;
    this.#readOverrides = overrides;
    this.#clock = clock;
    this.#capabilities = capabilities;
    this.#overrides = overrides();
  }

  get budget(): RequestBudget {
    return this.#transport.budget;
  }

  /** Operations found to be missing at every known endpoint, until one of them works; those that change something for five minutes. */
  get notOffered(): Observable<ReadonlySet<OperationName>> {
    return this.#notOffered;
  }

  call(request: ServiceRequest, options?: CallOptions): Promise<CompleteResponse> {
    return this.#ask(request, false, (each) => this.#transport.call(each, options));
  }

  open(request: ServiceRequest, options: StreamOptions): Promise<OpenedStream> {
    return this.#ask(request, true, (each) => this.#transport.open(each, options));
  }

  /** Of the user's override, or else of the first endpoint. */
  describe(request: ServiceRequest): Outgoing {
    const name = nameOf.get(request.operation);
    const override = name && this.#currentOverrides()[name];
    return this.#transport.describe({ ...request, operation: { ...request.operation, ...override } });
  }

  dispose(): void {
    this.#forgetMissing();
    this.#notOffered.dispose();
    this.#capabilities.dispose();
    this.#transport.dispose();
  }

  async #ask<T>(request: ServiceRequest, isStream: boolean, send: Send<T>): Promise<T> {
    const name = nameOf.get(request.operation);
    if (name === undefined) return send(request);
    this.#capabilities.demand(name);
    if (request.capability !== undefined) this.#capabilities.require(request.capability);
    const { endpoints, otherwise } = endpointsOf(name, this.#currentOverrides()[name]);
    const usable = endpoints.filter((endpoint) => isFillable(endpoint, request));
    // A missing stream, or an endpoint that couldn't be tried, doesn't mean that the operation is missing.
    const isWhole = !isStream && usable.length === endpoints.length;
    const [only] = usable;
    const hasFallback = endpoints.length > 1 || otherwise !== undefined || only === undefined;
    const key = [isStream ? 'stream' : 'response', name, ...usable.map(({ path }) => path)].join(' ');
    const believed = otherwise !== undefined && request.operation.method === 'GET' && this.#refusal(key);
    if (believed) throw believed;
    try {
      const result = hasFallback
        ? await this.#firstThatResponds(key, usable, request, send)
        : await send(await requestAt(only, request));
      if (isWhole) this.#setOffered(name, true, otherwise);
      return result;
    } catch (error) {
      if (isWhole && isServiceError(error, 'notOffered')) this.#setOffered(name, false, otherwise);
      throw error;
    }
  }

  /** Tries the endpoints until one exists. Throws the first refusal when none does. */
  async #firstThatResponds<T>(
    key: string,
    endpoints: readonly Endpoint[],
    request: ServiceRequest,
    send: Send<T>,
  ): Promise<T> {
    const winner = this.#winners.get(key);
    const ordered = winner ? [winner, ...endpoints.filter((each) => each !== winner)] : endpoints;
    const missing = new Set<string>();
    let refusal: ServiceError | undefined;
    for (const endpoint of ordered) {
      const place = `${endpoint.method} ${endpoint.path}`;
      if (missing.has(place)) continue;
      const placed = await requestAt(endpoint, request);
      try {
        const result = await send(placed);
        this.#winners.set(key, endpoint);
        this.#refusals.delete(key);
        return result;
      } catch (error) {
        if (!isServiceError(error)) throw error;
        const isMissing = error.reason.kind === 'notOffered';
        const isOtherForm = endpoint !== winner && endpoint.alsoNextOn?.includes(error.status) === true;
        if (!isMissing && !isOtherForm) throw isSameFault(refusal, error) ? refusal : error;
        if (isMissing) missing.add(place);
        refusal ??= error;
      }
    }
    refusal ??= new ServiceError({ kind: 'notOffered' }, unfillable);
    if (refusal.reason.kind === 'notOffered') {
      this.#winners.delete(key);
      this.#refusals.set(key, { error: refusal, until: this.#clock.now() + believedMs });
    }
    throw refusal;
  }

  /** Returns the refusal of all endpoints while it's remembered. */
  #refusal(key: string): ServiceError | undefined {
    const found = this.#refusals.get(key);
    return found !== undefined && found.until > this.#clock.now() ? found.error : undefined;
  }

  /** otherwise: the operation that can replace this one. */
  #setOffered(name: OperationName, isOffered: boolean, otherwise: OperationName | undefined): void {
    if (this.#missing.has(name) === !isOffered) return;
    if (isOffered) this.#drop(name);
    else {
      // Reads are repeated anyway. A change isn't while its menu entry is hidden.
      const expire = (): void => {
        this.#drop(name);
        this.#announce();
      };
      const isRead = operations[name].method === 'GET';
      const expiry = isRead ? undefined : this.#clock.schedule(expire, believedMs);
      this.#missing.set(name, { otherwise, expiry });
    }
    this.#announce();
  }

  #drop(name: OperationName): void {
    this.#missing.get(name)?.expiry?.dispose();
    this.#missing.delete(name);
  }

  #forgetMissing(): void {
    for (const name of [...this.#missing.keys()]) this.#drop(name);
  }

  #announce(): void {
    const isLost = (name: OperationName): boolean => {
      const missing = this.#missing.get(name);
      return missing !== undefined && (missing.otherwise === undefined || isLost(missing.otherwise));
    };
    this.#notOffered.set(new Set([...this.#missing.keys()].filter(isLost)));
  }

  /** Forgets the endpoints that were found when the user changes the overrides. */
  #currentOverrides(): OperationOverrides {
    const current = this.#readOverrides();
    if (current === this.#overrides) return current;
    this.#overrides = current;
    this.#winners.clear();
    this.#refusals.clear();
    if (this.#missing.size > 0) {
      this.#forgetMissing();
      this.#announce();
    }
    return current;
  }
}

/** True when two forms of a body were refused alike, so that the form isn't the problem. */
function isSameFault(first: ServiceError | undefined, second: ServiceError): first is ServiceError {
  return first?.reason.kind === 'invalid' && second.reason.kind === 'invalid';
}

function placeholdersOf({ path }: Operation): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

function isFillable(endpoint: Endpoint, { values = {} }: ServiceRequest): boolean {
  return placeholdersOf(endpoint).every((name) => values[name] !== undefined);
}

/** Returns the same request for another endpoint. Query parameters that are part of its path are left out. */
async function requestAt(endpoint: Endpoint, request: ServiceRequest): Promise<ServiceRequest> {
  if (endpoint === request.operation) return request;
  const { method, path, form } = endpoint;
  const { body, query = {}, forms = {}, ...rest } = request;
  const inPath = placeholdersOf(endpoint);
  const left = Object.entries(query).filter(([name]) => !inPath.includes(name));
  const make = form === undefined ? undefined : forms[form];
  const placed = make === undefined ? body : await make();
  const hasBody = placed !== undefined && method !== 'GET' && method !== 'DELETE';
  return {
    ...rest,
    operation: { method, path },
    query: Object.fromEntries(left),
    ...(hasBody ? { body: placed } : {}),
  };
}
