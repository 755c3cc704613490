// The table of services that chose otherwise, one row each, and one that chose otherwise in everything.
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/base/json.ts';
import { snakeCase } from '../../../src/api/decode/fields.ts';
import type { OperationName } from '../../../src/protocol/operations.ts';
import type { OddService } from '../../support/odd/oddContext.ts';

export interface OddRow extends OddService {
  /** What the client must have found to be missing after the scenarios. */
  readonly lacks?: readonly OperationName[];
  /** Executions can be listed only of one workflow at a time. */
  readonly listsByWorkflow?: true;
  /** Nothing tells for sure which execution an event belongs to. */
  readonly linksNoEvents?: true;
}

function snakeCased(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(snakeCased);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [snakeCase(name), snakeCased(inner)]),
  );
}

function withoutEventId(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutEventId);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'eventId');
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutEventId(inner)]));
}

const wrapped = (record: JsonObject): JsonValue =>
  record['workflowId'] === undefined ? { success: true, data: record } : { result: record };
/** A log row with its text in "event". */
function withEventText(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withEventText);
  if (!isJsonObject(value)) return value;
  const { message, ...rest } = value;
  if (rest['sequence'] !== undefined) return { ...rest, event: message ?? null };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withEventText(inner)]));
}

const wrappedOutput =
  (name: string) =>
  (body: JsonValue): JsonValue =>
    isJsonObject(body) && body['output'] !== undefined ? { success: true, [name]: body } : body;
const noPortalEvents = { listPortalEvents: null, sendPortalEvent: null } as const;
const versionOf = ({ nodes }: JsonObject): string => JSON.stringify(nodes ?? null);
const inRecordsOnly = { listNodeLogs: null, getOutput: null } as const;
const putOnly = { updateWorkflow: 'PUT /workflows/:workflowId' } as const;
const noGetOne = { getWorkflow: null } as const;

/** Not linked to the events of the execute call by anything but the time. */
export const unlinkedExecutions = { body: withoutEventId } as const;

export const oddServices: readonly OddRow[] = [
  { title: 'with bare arrays', list: (rows) => rows },
  { title: 'with single records in data and result', single: wrapped },
  { title: 'with PUT only', places: putOnly },
  { title: 'without a get for one workflow', places: noGetOne, hasDefinitionsInList: true },
  { title: 'without an event stream', hasStream: false },
  { title: 'without portal events', places: noPortalEvents, lacks: ['listPortalEvents'] },
  { title: 'with snake_case names', body: snakeCased },
  {
    title: 'with publish, and DELETE for undeploying',
    places: {
      deployWorkflow: 'POST /workflows/:workflowId/publish',
      undeployWorkflow: 'DELETE /workflows/:workflowId/deploy',
    },
  },
  {
    title: 'with a flag and a state for what is deployed, and PUT only',
    places: putOnly,
    tells: (draft, deployed) => ({
      needsRedeployment: deployed !== null && !equalJson(draft['nodes'], deployed['nodes']),
      deployedState: deployed,
    }),
  },
  {
    title: 'with a version for each edit, and the one that is deployed as a whole',
    tells: (draft, deployed) => ({
      versionId: versionOf(draft),
      activeVersion: deployed && { versionId: versionOf(deployed), name: 'Released', ...deployed },
    }),
  },
  {
    title: 'with what is deployed beside the draft, in snake_case',
    tells: (_draft, deployed) => ({ deployedDefinition: deployed }),
    body: snakeCased,
  },
  {
    title: 'with logs and output in the details only, newest first',
    places: inRecordsOnly,
    hasFullDetails: true,
  },
  { title: 'with pages of two rows', pageSize: 2 },
  {
    title: 'with numbered pages of one row, and a total that is too high',
    pageSize: 1,
    list: (rows, { from }) => ({ results: rows, page: from + 1, total_pages: 9 }),
  },
  {
    title: 'with a total and offsets that nothing names',
    pageSize: 1,
    pagedBy: 'offset',
    list: (rows, { total }) => ({ items: rows, total }),
  },
  {
    title: 'with a total and numbered pages that nothing names',
    pageSize: 1,
    pagedBy: 'page',
    list: (rows, { total }) => ({ success: true, data: { list: rows, totalCount: String(total) } }),
  },
  {
    title: 'with a number of pages that are counted from 0',
    pageSize: 1,
    pagedBy: 'pageFromZero',
    list: (rows, { total }) => ({ data: rows, meta: { count: rows.length, pages: total } }),
  },
  {
    title: 'with pages as Spring says them',
    pageSize: 1,
    pagedBy: 'pageFromZero',
    list: (rows, { from, total }) => ({
      content: rows,
      page: { size: 1, number: from, totalElements: total },
    }),
  },
  {
    title: 'with a total of which it shows the first rows only',
    pagedBy: 'nothing',
    list: (rows) => ({ results: rows, pagination: { total_entries: 99 } }),
  },
  { title: 'with outputs in data', body: wrappedOutput('data') },
  { title: 'with outputs in result', body: wrappedOutput('result') },
  { title: 'with the text of log rows in event', body: withEventText },
  { title: 'with the text of log rows in event, without a stream', body: withEventText, hasStream: false },
  { title: 'without a place for one execution', singles: 'missing' },
  { title: 'that denies each execution that it lists', singles: 'denied' },
  {
    title: 'with executions told whole by the list, and nowhere else',
    places: inRecordsOnly,
    singles: 'missing',
    hasFullList: true,
    pageSize: 2,
  },
  {
    title: 'with logs by node and the output as text, in the records only',
    places: inRecordsOnly,
    hasFullDetails: true,
    parts: ({ input, output, rows }) => ({
      inputData: JSON.stringify(input),
      output: JSON.stringify(output),
      outputType: 'application/json; charset=utf-8',
      logs: { a: rows.map(({ message }) => message) },
    }),
  },
  {
    title: 'with logs as text and outputs by their node in the records of the list only',
    places: inRecordsOnly,
    singles: 'denied',
    hasFullList: true,
    parts: ({ input, output, rows }) => ({
      args: input,
      nodeOutputs: output,
      nodes: [{ id: 'a', type: 'trigger' }],
      nodeLogs: rows.map(({ message }) => `${message}\n`).join(''),
    }),
  },
  { title: 'with logs as plain text', logs: 'text', hasStream: false },
  {
    title: 'with numbers for ids and times, and words of its own',
    records: {
      id: (kind, number) => (kind === 'log' ? `${number}` : number + 1000),
      time: (time) => time / 1000,
      word: (status) => (status === 'completed' ? 'SUCCESS' : 'InProgress'),
    },
  },
  {
    title: 'with the errors of FastAPI',
    places: { ...putOnly, ...noPortalEvents },
    refusal: ({ status, message }) => ({
      detail: status === 422 ? [{ loc: ['body', 'name'], msg: message, type: 'value_error' }] : message,
    }),
    routeMiss: (context) => context.json({ detail: 'Not Found' }, 404),
    lacks: ['listPortalEvents'],
  },
  {
    title: 'with executions below their workflow',
    places: {
      listExecutions: 'GET /workflows/:workflowId/runs',
      getExecution: 'GET /workflows/:workflowId/executions/:executionId',
    },
    listsByWorkflow: true,
  },
  {
    title: 'with executions that name no event',
    ...unlinkedExecutions,
    linksNoEvents: true,
  },
  {
    title: 'with all of it at once',
    places: {
      ...putOnly,
      ...noGetOne,
      ...noPortalEvents,
      deployWorkflow: 'POST /workflows/:workflowId/activate',
    },
    list: (rows) => rows,
    single: wrapped,
    body: snakeCased,
    hasStream: false,
    hasDefinitionsInList: true,
    routeMiss: (context) => context.text(`Cannot ${context.req.method} ${context.req.path}`, 404),
    lacks: ['listPortalEvents'],
  },
];
