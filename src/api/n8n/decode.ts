import * as v from 'valibot';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { emptyExecution, type Execution } from '../../domain/execution.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';
import { statusNotKept } from '../../domain/status.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { decodeDuration, parseTime, toText } from '../decode/fields.ts';
import { decodeStatusWord } from '../decode/status.ts';
import { decodeWorkflow } from '../decode/workflow.ts';
import { readTriggerInputs } from './triggerInputs.ts';

/** What people write of a document. */
const written = ['name', 'description', 'nodes', 'connections', 'settings', 'pinData', 'nodeGroups'];
/** What n8n counts and notes beside that changes with deployments and executions, which are no edits. */
const recorded = ['id', 'active', 'versionId', 'activeVersionId', 'createdAt', 'updatedAt'];
const isWritten = new Set(written);
const documentMembers = new Set([...written, ...recorded]);
const rowMembers = new Set(['name', 'description', ...recorded]);

function keep({ raw }: Workflow, members: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(raw).filter(([name, value]) => members.has(name) && value !== null),
  );
}

function traitsOf({
  raw: { settings, isArchived, tags = null },
}: Workflow): Pick<Workflow, 'isArchived' | 'tags' | 'reportsNodesAtEnd'> {
  const names = (isJsonArray(tags) ? tags : []).flatMap((tag) => {
    const name = isJsonObject(tag) ? tag['name'] : undefined;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  const savesProgress = isJsonObject(settings) && settings['saveExecutionProgress'] === true;
  return {
    ...(savesProgress ? {} : { reportsNodesAtEnd: true }),
    ...(isArchived === true ? { isArchived: true } : {}),
    ...(names.length > 0 ? { tags: names } : {}),
  };
}

/** What an execution's record has of the document that it ran; undefined for a record without it. */
export function decodeRanDefinition({ workflowData }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(workflowData) || !isJsonArray(workflowData['nodes'])) return undefined;
  const ran = Object.entries(workflowData).filter(([name, value]) => isWritten.has(name) && value !== null);
  return Object.fromEntries(ran);
}

/** The nodes and connections of a version of a document. */
export function decodeVersion(body: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined;
  const { nodes = null, connections = null } = body;
  return isJsonArray(nodes) && isJsonObject(connections) ? { nodes, connections } : undefined;
}

function namesOf({ nodes = null }: JsonObject): readonly string[] {
  const each = isJsonArray(nodes) ? nodes : [];
  return each.map((node) => (isJsonObject(node) ? (toText(node['name']) ?? '') : '')).toSorted();
}

/** True when two documents have nodes of the same names. */
export function hasSameNodes(one: JsonObject, other: JsonObject): boolean {
  return namesOf(one).join('\n') === namesOf(other).join('\n');
}

/** Decodes a workflow with its document. */
export function decodeWholeWorkflow(body: JsonValue | undefined): Workflow | undefined {
  const workflow = decodeWorkflow(body);
  if (workflow === undefined) return undefined;
  const triggerInputs = readTriggerInputs(workflow.deployedDefinition ?? workflow.raw);
  return { ...workflow, ...traitsOf(workflow), triggerInputs, raw: keep(workflow, documentMembers) };
}

/** Decodes a row of n8n's list, which is a whole document, and keeps no more than a row needs of it. */
export function decodeWorkflowRow(row: JsonValue): Workflow | undefined {
  const workflow = decodeWorkflow(row);
  if (workflow === undefined) return undefined;
  const raw = keep(workflow, rowMembers);
  return { ...workflow, ...traitsOf(workflow), deployedDefinition: null, hasDefinition: false, raw };
}

const text = v.fallback(v.nullable(v.string()), null);
/** Text, or a number with the digits that it came with. */
export const Id = v.pipe(
  v.custom<JsonValue>((value) => value !== undefined),
  v.transform((value) => toText(value)),
  v.string(),
);

const counted = /^\d+$/;

/** Orders the ids of executions as n8n counts them up, by all their digits; what is no number comes first. */
export function compareIds(one: string, other: string): number {
  const [isCounted, isOtherCounted] = [counted.test(one), counted.test(other)];
  if (!isCounted || !isOtherCounted) return Number(isCounted) - Number(isOtherCounted);
  return one.length - other.length || Number(one > other) - Number(one < other);
}

const ExecutionRecord = v.object({
  id: Id,
  status: v.fallback(v.string(), ''),
  workflowId: v.fallback(v.nullable(Id), null),
  retryOf: v.fallback(v.nullable(Id), null),
  workflowVersionId: text,
  mode: text,
  createdAt: text,
  startedAt: text,
  stoppedAt: text,
});

/** The workflow and what its nodes did, which other calls read; the token may end somebody's wait. */
const inside = new Set(['data', 'workflowData', 'resumeToken']);

/** The modes of children and of the executions of error workflows. */
const startedByAnother = new Set(['integrated', 'error']);

const Parent = v.object({ executionId: Id, workflowId: v.fallback(v.nullable(Id), null) });

/** undefined where the record has no data, null where they don't say. */
function parentIn(data: JsonValue | undefined): v.InferOutput<typeof Parent> | null | undefined {
  if (!isJsonObject(data)) return undefined;
  const parent = v.safeParse(Parent, data['parentExecution']);
  return parent.success ? parent.output : null;
}

/** What waits has a time there too, and of what crashed it's one of its beginning: the end is known to nobody. */
const withoutEnd = new Set(['waiting', 'crashed']);

/** Decodes an execution without its input, output and error. Returns undefined when the value isn't a record with an id. */
export function decodeN8nExecution(value: JsonValue | undefined): Execution | undefined {
  const decoded = v.safeParse(ExecutionRecord, value);
  if (!isJsonObject(value) || !decoded.success) return undefined;
  const record = decoded.output;
  const parent = startedByAnother.has(record.mode ?? '') ? parentIn(value['data']) : null;
  const startedAt = parseTime(record.startedAt ?? undefined);
  const completedAt = withoutEnd.has(record.status) ? null : parseTime(record.stoppedAt ?? undefined);
  return {
    ...executionNotKept(record.id),
    workflowId: record.workflowId,
    status: decodeStatusWord(record.status, completedAt !== null),
    trigger: record.mode,
    // Somebody tries what is saved, deployed or not.
    kind: record.mode === 'manual' ? 'draft' : 'deployed',
    createdAt: parseTime(record.createdAt ?? undefined),
    startedAt,
    completedAt,
    durationMs: decodeDuration({}, startedAt, completedAt),
    definitionVersion: record.workflowVersionId,
    retryOf: record.retryOf,
    parent: parent === null ? null : parent?.executionId,
    raw: {
      ...Object.fromEntries(Object.entries(value).filter(([name]) => !inside.has(name))),
      ...(parent && { parentExecution: parent }),
    },
  };
}

/** An execution that has ended and of which n8n keeps no record. */
export function executionNotKept(id: string): Execution {
  return emptyExecution(id, statusNotKept(serviceTraits.n8n.product));
}
