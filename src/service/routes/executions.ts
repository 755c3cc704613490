// List, details, output and node logs of executions (contract section 3, operations 11 to 14).
import { stringifyJson } from '../../base/json.ts';
import { aliases, operations } from '../../protocol/operations.ts';
import { SearchRequest } from '../../protocol/requests.ts';
import { checkRequest } from '../http/body.ts';
import { type EventSource, type EventStreamOptions, streamEvents, wantsStream } from '../http/eventStream.ts';
import {
  definitionNotKept,
  executionNotFound,
  HttpError,
  nodeLogNotFound,
  workflowNotFound,
} from '../http/httpError.ts';
import type { KeyWatch } from '../http/keyWatch.ts';
import {
  pathValue,
  readCursor,
  readLimit,
  readText,
  readTimestamp,
  readWord,
  toCount,
  toListBody,
  writeCursor,
} from '../http/query.ts';
import { basePath, route, type ServiceApp, type ServiceContext } from '../http/routes.ts';
import { type WritableObject, writeJson } from '../jsonText.ts';
import type { ExecutionQuery } from '../store/executions.ts';
import type { ExecutionSearch } from '../store/search/searchExecutions.ts';
import type { Store } from '../store/store.ts';
import { executionKinds, type ExecutionStatus, executionStatuses, hasEnded } from '../../domain/status.ts';

const streamPageSize = 200;

export function registerExecutionRoutes(
  app: ServiceApp,
  store: Store,
  keyWatch: KeyWatch,
  stream: EventStreamOptions,
): void {
  route(app, basePath, operations.listExecutions, async (context) => {
    const query = readExecutionQuery(context, readText(context, 'workflowId'));
    return context.json(toListBody('executions', await store.executions.list(query)));
  });
  route(app, basePath, aliases.listExecutionsOfWorkflow, async (context) => {
    const id = pathValue(context, 'workflowId');
    const page = await store.executions.list(readExecutionQuery(context, id));
    if (page.items.length === 0 && !(await store.workflows.get(id))) throw workflowNotFound();
    return context.json(toListBody('executions', page));
  });
  route(app, basePath, operations.getExecution, async (context) => {
    const execution = await store.executions.get(pathValue(context, 'executionId'));
    if (!execution) throw executionNotFound();
    return respondWithJson(context, { ...execution });
  });
  route(app, basePath, operations.getOutput, async (context) => {
    const output = await store.executions.getOutput(pathValue(context, 'executionId'));
    if (!output) throw executionNotFound();
    return respondWithJson(context, { ...output });
  });
  route(app, basePath, operations.getExecutionDefinition, async (context) => {
    const id = pathValue(context, 'executionId');
    const definition = await store.executions.getDefinition(id);
    if (!definition) throw (await store.executions.getStatus(id)) ? definitionNotKept() : executionNotFound();
    return context.body(stringifyJson(definition), 200, { 'Content-Type': 'application/json' });
  });
  route(app, basePath, operations.listNodeLogs, async (context) => {
    const id = pathValue(context, 'executionId');
    const status = await store.executions.getStatus(id);
    if (!status) throw executionNotFound();
    if (wantsStream(context)) return streamLogs(context, store, id, status, keyWatch, stream);
    return listLogs(context, store, id, status);
  });
  route(app, basePath, operations.getNodeLog, async (context) => {
    const id = pathValue(context, 'executionId');
    const row = await store.nodeRuns.getLog(id, pathValue(context, 'logId'));
    if (!row) throw (await store.executions.getStatus(id)) ? nodeLogNotFound() : executionNotFound();
    return respondWithJson(context, { ...row });
  });
}

function readExecutionQuery(context: ServiceContext, workflowId: string | undefined): ExecutionQuery {
  return {
    workflowId,
    limit: readLimit(context),
    before: readCursor(context, 'executions'),
    status: readWord(context, 'status', executionStatuses, 'is not a valid execution status'),
    kind: readWord(context, 'kind', executionKinds, 'must be "deployed" or "draft"'),
    eventId: readText(context, 'eventId'),
    startedAfter: readTimestamp(context, 'startedAfter'),
    startedBefore: readTimestamp(context, 'startedBefore'),
    search: readSearch(context),
  };
}

/** Returns undefined when nothing is searched for. */
function readSearch(context: ServiceContext): ExecutionSearch | undefined {
  const q = context.req.query('q');
  const duration = readText(context, 'minDurationMs');
  const search = {
    text: checkRequest(SearchRequest, q === undefined ? {} : { q }).q,
    minDurationMs: duration === undefined ? undefined : toCount(duration, 'minDurationMs'),
    errorCode: readText(context, 'errorCode'),
    nodeId: readText(context, 'nodeId'),
  };
  return Object.values(search).every((value) => value === undefined) ? undefined : search;
}

async function listLogs(
  context: ServiceContext,
  store: Store,
  executionId: string,
  executionStatus: ExecutionStatus,
): Promise<Response> {
  const limit = readLimit(context);
  const after = readCursor(context, 'logs') ?? toCount(readText(context, 'after') ?? '0', 'after');
  const query = { executionId, after, nodeId: readText(context, 'nodeId'), limit };
  const { rows, hasMore } = await store.nodeRuns.listLogs(query);
  // It was deleted meanwhile.
  if (rows.length === 0 && !(await store.executions.getStatus(executionId))) throw executionNotFound();
  const last = hasMore ? rows.at(-1) : undefined;
  const data = rows.map((row) => ({ ...row }));
  return respondWithJson(context, {
    data,
    nextCursor: writeCursor('logs', last?.sequence ?? null),
    executionStatus,
  });
}

/** Sends a body that contains JSON texts, which are sent as they are. */
export function respondWithJson(context: ServiceContext, body: WritableObject): Response {
  return context.body(writeJson(body), 200, { 'Content-Type': 'application/json' });
}

async function streamLogs(
  context: ServiceContext,
  store: Store,
  executionId: string,
  status: ExecutionStatus,
  keyWatch: KeyWatch,
  stream: EventStreamOptions,
): Promise<Response> {
  const from = context.req.header('Last-Event-ID') ?? readText(context, 'after');
  const after = toCount(from ?? '0', 'after');
  const last = await store.nodeRuns.lastSequence(executionId);
  if (after > last) throw new HttpError(410, 'event_gap', 'There is no node log with this sequence.');
  if (from !== undefined && hasEnded(status) && after === last) return context.body(null, 204);
  const source = createLogSource(store, executionId, after, readText(context, 'nodeId'));
  return streamEvents(context, keyWatch.guard(source, context.get('apiKey')), stream);
}

function createLogSource(
  store: Store,
  executionId: string,
  after: number,
  nodeId: string | undefined,
): EventSource {
  let position = after;
  return {
    subscribe: (listener) => store.subscribe(`execution:${executionId}`, listener),
    async read() {
      // Reads the status first: once the execution has ended, the rows read afterwards are complete.
      const status = await store.executions.getStatus(executionId);
      // It was deleted: the reader gets 404 when it reconnects.
      if (status === undefined) return { frames: [], isEnd: true };
      const { rows, reached } = await store.nodeRuns.listLogs({
        executionId,
        after: position,
        nodeId,
        limit: streamPageSize,
      });
      position = reached;
      const frames = rows.map((row) => ({ id: String(row.sequence), event: 'log', data: { ...row } }));
      if (!hasEnded(status) || rows.length > 0) return { frames, isEnd: false };
      return { frames: [{ event: 'end', data: { executionId, status } }], isEnd: true };
    },
  };
}
