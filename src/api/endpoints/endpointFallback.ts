// Asks a service for an operation where it keeps it: the next place only after an answer that did nothing (contract section 7.4).
import type { Observable } from '../../base/observable.ts';
import type { Clock } from '../../base/time.ts';
import { ServiceError, isServiceError } from '../../domain/serviceError.ts';
import {
  isOperationName,
  type Operation,
  type OperationName,
  operations,
} from '../../protocol/operations.ts';
import type { OperationOverrides } from '../../protocol/operationOverrides.ts';
import type { ServiceRequest } from '../request/request.ts';
import type { Transport } from '../request/transport.ts';
import { type Attempt, rowOf } from './endpoints.ts';
import { createLadderMemory } from './endpointMemory.ts';

export interface LadderDeps {
  /** Owned by the ladder from now on. */
  readonly transport: Transport;
  /** What the user set, the same object until it changes. */
  readonly overrides: () => OperationOverrides;
  readonly clock: Clock;
}

/** A transport that finds the operations of the table wherever they are; other requests go as they are. */
export interface Ladder extends Transport {
  /** Operations that the service was found not to offer by any way, until one of them works. */
  readonly notOffered: Observable<ReadonlySet<OperationName>>;
}

const nameOf = new Map<Operation, OperationName>(
  Object.entries(operations).flatMap(([name, operation]) =>
    isOperationName(name) ? [[operation, name]] : [],
  ),
);

const unfillable = 'The place set for this operation needs the id of the workflow, which is not known here.';

export function createLadder({ transport, overrides, clock }: LadderDeps): Ladder {
  const memory = createLadderMemory(clock);
  let heeded = overrides();

  async function walk<T>(
    request: ServiceRequest,
    isStream: boolean,
    send: (request: ServiceRequest) => Promise<T>,
  ): Promise<T> {
    const name = nameOf.get(request.operation);
    if (name === undefined) return send(request);
    const current = overrides();
    if (current !== heeded) memory.forget();
    heeded = current;
    const { attempts, otherwise } = rowOf(name, current[name]);
    const usable = attempts.filter((attempt) => isFillable(attempt, request));
    const key = [isStream ? 'stream' : 'answer', name, ...usable.map(({ path }) => path)].join(' ');
    const refusal = otherwise !== undefined && request.operation.method === 'GET' && memory.refusal(key);
    if (refusal) throw refusal;
    const isWhole = !isStream && usable.length === attempts.length;
    try {
      const winner = memory.winner(key);
      const { result, attempt } = await firstThatAnswers(request, usable, winner, send);
      memory.recordWinner(key, attempt);
      if (isWhole) memory.recordOffer(name, true, otherwise);
      return result;
    } catch (error) {
      if (isServiceError(error, 'notOffered')) {
        memory.recordRefusal(key, error);
        if (isWhole) memory.recordOffer(name, false, otherwise);
      }
      throw error;
    }
  }

  return Object.freeze({
    budget: transport.budget,
    notOffered: memory.notOffered,
    call: (request, options) => walk(request, false, (each) => transport.call(each, options)),
    open: (request, signal) => walk(request, true, (each) => transport.open(each, signal)),
    dispose() {
      memory.dispose();
      transport.dispose();
    },
  } satisfies Ladder);
}

/** Sends until an answer is no "no such endpoint". The first refusal is thrown: it speaks of the default place. */
async function firstThatAnswers<T>(
  request: ServiceRequest,
  attempts: readonly Attempt[],
  winner: Attempt | undefined,
  send: (request: ServiceRequest) => Promise<T>,
): Promise<{ readonly result: T; readonly attempt: Attempt }> {
  const ordered = winner === undefined ? attempts : [winner, ...attempts.filter((each) => each !== winner)];
  const missing = new Set<string>();
  let refusal: ServiceError | undefined;
  for (const attempt of ordered) {
    const place = `${attempt.method} ${attempt.path}`;
    if (missing.has(place)) continue;
    const placed = await requestAt(attempt, request);
    try {
      return { result: await send(placed), attempt };
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const isMissing = error.reason.kind === 'notOffered';
      const isOtherForm = attempt !== winner && attempt.alsoNextOn?.includes(error.status) === true;
      if (!isMissing && !isOtherForm) {
        const isSameFault = error.reason.kind === 'invalid' && refusal?.reason.kind === 'invalid';
        throw (isSameFault ? refusal : undefined) ?? error;
      }
      if (isMissing) missing.add(place);
      refusal ??= error;
    }
  }
  throw refusal ?? new ServiceError({ kind: 'notOffered' }, unfillable);
}

function placeholdersOf({ path }: Operation): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

function isFillable(attempt: Attempt, { values = {} }: ServiceRequest): boolean {
  return placeholdersOf(attempt).every((name) => values[name] !== undefined);
}

/** The same request at another place. What stands in the path is not asked for twice. */
async function requestAt(attempt: Attempt, request: ServiceRequest): Promise<ServiceRequest> {
  const { body, query = {}, forms = {}, ...rest } = request;
  const inPath = placeholdersOf(attempt);
  const left = Object.entries(query).filter(([name]) => !inPath.includes(name));
  const make = attempt.form === undefined ? undefined : forms[attempt.form];
  const placed = make === undefined ? body : await make();
  const hasBody = placed !== undefined && attempt.method !== 'GET' && attempt.method !== 'DELETE';
  return {
    ...rest,
    operation: { method: attempt.method, path: attempt.path },
    query: Object.fromEntries(left),
    ...(hasBody ? { body: placed } : {}),
  };
}
