// Decodes executions, their errors and outputs, and the response to the execute call.
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../base/json.ts';
import {
  anyOf,
  decodeDuration,
  locatedId,
  type Names,
  parsedText,
  pick,
  pickIds,
  pickPresent,
  pickText,
  pickTime,
  withTwins,
} from './fields.ts';
import { decodeFound } from './found.ts';
import { decodeStatus, decodeStatusWord } from './status.ts';
import { envelopes, maximumLayers, unwrapRecord } from './envelope.ts';
import type { Execution, Output, RunError, Triggered } from '../../domain/execution.ts';
import { unreportedStatus } from '../../domain/status.ts';

const names = {
  id: anyOf('id', 'executionId', 'runId'),
  workflowId: anyOf('workflowId', 'workflow.id', 'workflow'),
  eventIds: anyOf('eventId', 'eventIds', 'triggerEventId', 'trigger.eventIds'),
  trigger: anyOf('trigger', 'trigger.type', 'triggerType', 'mode'),
  createdAt: anyOf('createdAt', 'created', 'creationDate'),
  kind: anyOf('kind'),
  definitionVersion: anyOf('workflowVersionId'),
  retryOf: anyOf('retryOf'),
  basedOn: anyOf('basedOn'),
  cancelRequested: anyOf('cancelRequested'),
} satisfies Record<string, Names>;

/** Names of fields that executions and node runs share. */
export const runNames = {
  startedAt: anyOf('startedAt', 'startTime', 'runStartedAt', 'startDate'),
  completedAt: anyOf('completedAt', 'endedAt', 'finishedAt', 'stoppedAt', 'finishTime', 'endTime', 'endDate'),
  input: anyOf('input', 'inputs', 'inputData', 'args', 'conf', 'payload'),
  output: anyOf('output', 'outputs', 'result', 'finalOutput', 'returnValue', 'outputData', 'nodeOutputs'),
  error: anyOf('error'),
} satisfies Record<string, Names>;

const errorNames = {
  code: anyOf('code', 'name'),
  message: anyOf('message', 'error', 'detail'),
  nodeId: anyOf('nodeId', 'blockId', 'stepId'),
} satisfies Record<string, Names>;

/** Decodes an error given as text or as a record; null when there's none. */
export function decodeRunError(value: JsonValue | undefined): RunError | null {
  if (typeof value === 'string') return value === '' ? null : { code: null, message: value, nodeId: null };
  if (!isJsonObject(value)) return null;
  return {
    code: pickText(value, errorNames.code),
    message: pickText(value, errorNames.message) ?? stringifyJson(value),
    nodeId: pickText(value, errorNames.nodeId),
  };
}

const typeOfOutput = anyOf('outputType');

/** Returns the media type that a record states for an output that is text. */
export function outputType(record: JsonObject): string | null {
  return pickText(record, typeOfOutput);
}

/** Returns the output, parsed when the record says that its text is JSON. */
export function pickOutput(record: JsonObject): JsonValue | undefined {
  const value = pickPresent(record, runNames.output);
  return outputType(record)?.startsWith('application/json') === true ? parsedText(value) : value;
}

/** Decodes an execution; returns undefined when the value isn't a record with an id. */
export function decodeExecution(body: JsonValue | undefined): Execution | undefined {
  const record = unwrapRecord(body, names.id);
  const id = record && pickText(record, names.id);
  if (!record || !id) return undefined;
  const startedAt = pickTime(record, [...runNames.startedAt, ...names.createdAt.slice(0, 1)]);
  const completedAt = pickTime(record, runNames.completedAt);
  const found = decodeFound(record);
  return {
    id,
    workflowId: pickText(record, names.workflowId),
    eventIds: pickIds(record, names.eventIds),
    status: decodeStatus(record, completedAt !== null) ?? unreportedStatus,
    trigger: pickText(record, names.trigger),
    input: parsedText(pickPresent(record, runNames.input)),
    output: pickOutput(record),
    error: decodeRunError(pick(record, runNames.error)),
    createdAt: pickTime(record, names.createdAt),
    startedAt,
    completedAt,
    durationMs: decodeDuration(record, startedAt, completedAt),
    kind: pickText(record, names.kind) === 'draft' ? 'draft' : 'deployed',
    definitionVersion: pickText(record, names.definitionVersion),
    retryOf: pickText(record, names.retryOf),
    basedOn: pickText(record, names.basedOn),
    parent: null,
    isCancelRequested: pick(record, names.cancelRequested) === true,
    ...(found && { found }),
    raw: record,
  };
}

/** Members next to an output that make its record an envelope. */
const siblings = anyOf('id', 'executionId', 'runId', 'status', 'state');

function readEnvelope(record: JsonObject): Output {
  const status = decodeStatus(record, false);
  const output = pickOutput(record) ?? null;
  if (output === null && status && !status.isTerminal) return { kind: 'notReady', status };
  return { kind: 'ready', output, error: decodeRunError(pick(record, runNames.error)) };
}

/** What responses say around a record. An object with other members is itself an output, whatever it holds. */
const aroundRecords = withTwins([
  ...envelopes,
  ...['success', 'ok', 'status', 'statusCode', 'state', 'code', 'message', 'msg', 'error', 'errors'],
  ...['meta', 'metadata', 'requestId', 'traceId', 'timestamp', 'time', 'version', 'warnings', 'links'],
  ...['executionId', 'runId', 'workflowId', 'object', 'type'],
]);

/** How sure it is that a record holds an output: it names the execution, it speaks of some execution, or it may be an output itself. */
type Certainty = 'own' | 'likely' | 'possible';

function certaintyOf(record: JsonObject, executionId: string | undefined): Certainty | undefined {
  const isOwn =
    executionId !== undefined && names.id.some((name) => pickText(record, [name]) === executionId);
  const status = decodeStatus(record, false);
  const isStatus = status !== null && status.state !== 'unknown';
  if (pickPresent(record, runNames.output) === undefined)
    return isOwn && isStatus && !status.isTerminal ? 'own' : undefined;
  if (isOwn) return 'own';
  if (isStatus || pick(record, anyOf('executionId', 'runId')) !== undefined) return 'likely';
  return pick(record, siblings) === undefined ? undefined : 'possible';
}

/** Returns the record around the output, in at most three envelopes; undefined when there's none. */
function outputRecord(
  body: JsonObject,
  executionId: string | undefined,
  layers = maximumLayers,
): JsonObject | undefined {
  const certainty = certaintyOf(body, executionId);
  if (certainty === 'own') return body;
  const isPlain = certainty === undefined && Object.keys(body).every((name) => aroundRecords.has(name));
  for (const name of layers > 0 ? envelopes : []) {
    const inner = body[name];
    const found = isJsonObject(inner) ? outputRecord(inner, executionId, layers - 1) : undefined;
    const inside = found && certaintyOf(found, executionId);
    if (inside === 'own' || (inside === 'likely' && isPlain)) return found;
  }
  return certainty === undefined ? undefined : body;
}

/** Decodes the output of an execution in a JSON body. What isn't known to be a record around the output is the output. */
export function decodeOutput(body: JsonValue, executionId?: string): Output {
  const record = isJsonObject(body) ? outputRecord(body, executionId) : undefined;
  return record === undefined ? { kind: 'ready', output: body, error: null } : readEnvelope(record);
}

/** The workflow of an execute call, and the headers of its response. */
export interface TriggerContext {
  readonly workflowId: string;
  readonly runIdHeader: string | null;
  readonly locationHeader: string | null;
  readonly dateHeader: string | null;
}

const triggerNames = {
  eventIds: anyOf('eventIds', 'ids', 'events', 'eventId'),
  executionIds: anyOf('executionIds', 'executionId', 'runId', 'workflowRunId', 'jobId', 'taskId'),
} satisfies Record<string, Names>;
const runCollections = ['executions', 'runs', 'jobs', 'tasks'];

/** False for what a service only says: "OK", "Workflow was started". */
function mayBeId(text: string): boolean {
  return /^\S+$/.test(text) && decodeStatusWord(text).state === 'unknown';
}

function triggeredIds(
  body: JsonValue | undefined,
  record: JsonObject,
  context: TriggerContext,
): readonly string[] {
  if (typeof body === 'string' && mayBeId(body)) return [body];
  const reported = pickIds(record, triggerNames.executionIds);
  if (reported.length > 0) return reported;
  const header = context.runIdHeader ?? locatedId(context.locationHeader, runCollections);
  if (header) return [header];
  const id = pickText(record, anyOf('id'));
  return id === null || id === context.workflowId ? [] : [id];
}

/** Decodes the response to the execute call. A body without any known member still means that the workflow was triggered. */
export function decodeTriggered(body: JsonValue | undefined, context: TriggerContext): Triggered {
  const known = [...anyOf('workflowId', 'id'), ...triggerNames.eventIds, ...triggerNames.executionIds];
  const record = unwrapRecord(body, known) ?? {};
  return {
    workflowId: pickText(record, anyOf('workflowId')) ?? context.workflowId,
    eventIds: pickIds(record, triggerNames.eventIds),
    executionIds: triggeredIds(body, record, context),
    status: pickText(record, anyOf('status', 'state')) ?? 'triggered',
    respondedAt: pickTime({ date: context.dateHeader }, anyOf('date')),
  };
}
