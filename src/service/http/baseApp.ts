// What every app of the service has: request ids, errors in one form, the host guard, health and metrics.
import { Hono } from 'hono';
import type { Logger } from '../../base/logger.ts';
import { healthOperation, metricsOperation } from '../../protocol/operations.ts';
import type { HealthJson } from '../../protocol/records.ts';
import { createId } from '../ids.ts';
import {
  describeStorageProblem,
  type StorageLocation,
  type StorageProblem,
  storageProblemOf,
  summarizeStorageProblem,
} from '../store/storageError.ts';
import { allowsReads } from '../store/storageHealth.ts';
import { createHostGuard, type HostRule } from './hostGuard.ts';
import { HttpError } from './httpError.ts';
import { createRequestWatch, type RequestListener } from './requestWatch.ts';
import {
  type KnownOperation,
  route,
  type ServiceApp,
  type ServiceContext,
  type ServiceEnvironment,
  type ServiceMiddleware,
  unrouted,
} from './routes.ts';

/** What the health check reports beside the storage. */
export interface WorkState {
  /** What keeps the process from some executions, as a sentence; undefined when nothing does. */
  readonly hindrance: string | undefined;
  /** How long the oldest queued execution has waited, in milliseconds; null when none is queued. */
  readonly queueAgeMs: number | null;
}

export interface BaseOptions {
  readonly logger: Logger;
  /** The location that storage errors name. */
  readonly location: StorageLocation;
  /** Whether the engine works on accepted executions. */
  readonly isReady: () => boolean;
  /** Returns the problem that the next requests will have; undefined when the storage works. */
  readonly findProblem: () => StorageProblem | undefined | Promise<StorageProblem | undefined>;
  /** Returns undefined when the storage doesn't respond. */
  readonly readWork: () => Promise<WorkState | undefined>;
  /** The hosts whose requests the service accepts. */
  readonly hosts: HostRule;
  /** The port that the service listens on; null while it doesn't listen. */
  readonly port: () => number | null;
  /** Called for each request when it arrives. */
  readonly onRequest?: () => void;
  /** Called with each request when its response is ready; none by default. */
  readonly requestListeners?: readonly RequestListener[];
  /** Returns the figures in Prometheus' text format; without it there's no such endpoint. */
  readonly metrics?: (() => Promise<string>) | undefined;
}

/** Serves health and metrics. `others` are the operations that the caller adds. */
export function createBaseApp(options: BaseOptions, others: readonly KnownOperation[] = []): ServiceApp {
  const { metrics, requestListeners = [] } = options;
  const app = new Hono<ServiceEnvironment>();
  const known = [
    ...others,
    ['', healthOperation] as const,
    ...(metrics ? [['', metricsOperation] as const] : []),
  ];
  const refuse = createErrorHandler(options.logger, options.location);
  app.onError(refuse);
  app.notFound((context) => refuse(unrouted(context.req.path, known), context));
  app.use('*', (_context, next) => {
    options.onRequest?.();
    return next();
  });
  app.use('*', identify);
  if (requestListeners.length > 0) app.use('*', createRequestWatch(requestListeners));
  app.use('*', createHostGuard(options.hosts, options.port));
  // Neither needs a key nor discloses data.
  route(app, '', healthOperation, async (context) => {
    const problem = await options.findProblem();
    // Reading something would hide the problem until the next request.
    const work = problem === undefined ? await options.readWork() : undefined;
    return respondWithHealth(context, options.isReady(), problem, work);
  });
  if (metrics)
    route(app, '', metricsOperation, async (context) =>
      context.body(await metrics(), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }),
    );
  return app;
}

function respondWithHealth(
  context: ServiceContext,
  hasBegun: boolean,
  problem: StorageProblem | undefined,
  work: WorkState | undefined,
): Response {
  const ready = hasBegun && allowsReads(problem);
  const reason = problem === undefined ? work?.hindrance : summarizeStorageProblem(problem);
  const queueAgeMs = work?.queueAgeMs ?? null;
  const health: HealthJson = {
    status: reason === undefined ? 'ok' : 'degraded',
    live: true,
    ready,
    ...(reason !== undefined && { reason }),
    ...(queueAgeMs !== null && { queueAgeSeconds: queueAgeMs / 1000 }),
  };
  return context.json(health, ready ? 200 : 503);
}

/** A caller's own id of a request. Other characters must not reach a log. */
const givenId = /^[A-Za-z0-9._-]{1,64}$/;

/** Takes the caller's request id or makes one, and sets the common response headers. */
const identify: ServiceMiddleware = async (context, next) => {
  const given = context.req.header('X-Request-Id') ?? '';
  const requestId = givenId.test(given) ? given : createId('req');
  context.set('requestId', requestId);
  await next();
  context.res.headers.set('X-Request-Id', requestId);
  if (context.res.headers.get('Content-Type') === 'application/json')
    context.res.headers.set('Content-Type', 'application/json; charset=utf-8');
  if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
};

/** Converts errors to the error envelope. Unexpected errors are logged but not disclosed. */
function createErrorHandler(logger: Logger, location: StorageLocation) {
  return (error: Error, context: ServiceContext): Response => {
    const requestId = context.get('requestId');
    const refusal = error instanceof HttpError ? error : toRefusal(error, location);
    if (refusal !== error && refusal.status !== 503)
      logger.error(`Request ${requestId} failed.`, error, { requestId });
    for (const [name, value] of Object.entries(refusal.headers)) context.header(name, value);
    return context.json(refusal.toEnvelope(requestId), refusal.status);
  };
}

function toRefusal(error: Error, location: StorageLocation): HttpError {
  const problem = storageProblemOf(error);
  if (problem === undefined)
    return new HttpError(500, 'internal_error', 'The service failed to handle the request.');
  const words = describeStorageProblem(problem, location);
  if (problem === 'busy' || problem === 'unreachable')
    return new HttpError(503, 'unavailable', words, { headers: { 'Retry-After': '1' } });
  if (problem === 'full') return new HttpError(507, 'storage_full', words);
  if (problem === 'readOnly' || problem === 'notWritable')
    return new HttpError(507, 'storage_read_only', words);
  return new HttpError(500, 'internal_error', words);
}
