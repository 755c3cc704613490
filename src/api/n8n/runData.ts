// Decodes what n8n records of an execution's nodes: by a node's name, an element for each of its turns.
import * as v from 'valibot';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunError } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { Status } from '../../domain/status.ts';
import { hasErrorOutput, outputNames } from '../../domain/outputNames.ts';
import { members } from '../../protocol/members.ts';
import { N8nNodeError, toExchange, toRunError } from './nodeErrors.ts';
import { readTriggers, type Trigger } from './triggers.ts';
import { fromWebhookCall } from './webhookCalls.ts';
import { parseTime, toText } from '../decode/fields.ts';
import { decodeStatusWord } from '../decode/status.ts';
import { decodeRows } from '../resources/resource.ts';

const json = v.custom<JsonValue>((value) => value !== undefined);
const object = v.custom<JsonObject>(isJsonObject);
const count = v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0);

const Source = v.object({ previousNode: v.string(), previousNodeOutput: count, previousNodeRun: count });
const Turn = v.object({
  /** Told in milliseconds; of a node that crashed in seconds. */
  startTime: v.pipe(
    v.number(),
    v.transform((time) => parseTime(time)),
    v.date(),
  ),
  executionIndex: count,
  executionTime: count,
  executionStatus: v.fallback(v.string(), ''),
  source: v.fallback(v.array(v.nullable(Source)), []),
  /** Items by kind of connection and output. */
  data: v.fallback(v.optional(members(v.array(v.nullable(v.array(object))))), undefined),
  /** What a node below another one was really given, which isn't what stands before it. */
  inputOverride: v.fallback(v.optional(members(v.array(v.nullable(v.array(object))))), undefined),
  metadata: v.fallback(object, {}),
  error: v.fallback(v.optional(N8nNodeError), undefined),
});
type Turn = v.InferOutput<typeof Turn>;

const Result = v.object({
  runData: v.fallback(members(v.array(json)), {}),
  /** The items that nodes gave instead of running. */
  pinData: v.fallback(members(v.array(json)), {}),
  lastNodeExecuted: v.fallback(v.nullable(v.string()), null),
  error: v.fallback(v.optional(N8nNodeError), undefined),
});
const Data = v.object({ resultData: Result });
const Node = v.object({
  name: v.string(),
  type: v.string(),
  parameters: v.fallback(object, {}),
  onError: v.fallback(v.string(), ''),
});
type Node = v.InferOutput<typeof Node>;
const Nodes = v.object({ nodes: v.array(v.custom<JsonValue>(() => true)) });

/** What an execution's nodes did. Rows are in the order in which the turns began. */
export interface RunReading {
  readonly rows: readonly NodeLog[];
  /** undefined before there is a first turn. */
  readonly input: JsonValue | undefined;
  /** The node that it began at; undefined before there is a first turn. */
  readonly startedAt: string | undefined;
  /** The items of the last node; null where it gave none. */
  readonly output: JsonValue;
  readonly error: RunError | null;
}

interface NodeTurn {
  readonly node: string;
  readonly index: number;
  /** How many turns the node has. */
  readonly count: number;
  readonly turn: Turn;
}

/** What a webhook got, without the headers: they may hold secrets of the caller. */
function withoutHeaders(item: JsonObject): JsonObject {
  const isWebhook = isJsonObject(item['headers']) && 'query' in item && 'body' in item;
  return isWebhook ? Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'headers')) : item;
}

/** The values of items, once for all turns that they were given to. */
const valuesOf = new WeakMap<readonly JsonObject[], readonly JsonValue[]>();

function itemsOf(items: readonly JsonObject[] | null | undefined): readonly JsonValue[] {
  if (!items) return [];
  const known = valuesOf.get(items);
  if (known) return known;
  const values = items.map(({ json: item, binary }) => {
    const value = isJsonObject(item) ? withoutHeaders(item) : (item ?? null);
    return isJsonObject(binary) && Object.keys(binary).length > 0
      ? { json: value, binary: describeFiles(binary) }
      : value;
  });
  valuesOf.set(items, values);
  return values;
}

/** What is known of files; their content is read in n8n only. */
function describeFiles(files: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => {
      const { fileName = null, mimeType = null, fileSize = null } = isJsonObject(file) ? file : {};
      return [name, { fileName, mimeType, fileSize }];
    }),
  );
}

/** The items of the output; where a node has several, those of each by its name. A branch that wasn't taken has none. */
function outputOf({ data }: Turn, node: Node | undefined): JsonValue | undefined {
  if (data === undefined) return undefined;
  const { main = [] } = data;
  if (main.length < 2) return Object.values(data).flatMap((outputs) => outputs.flatMap(itemsOf));
  const names = outputNames(node ?? { type: '', parameters: {}, onError: '' }, main.length);
  return Object.fromEntries(main.map((items, index) => [names[index] ?? '', itemsOf(items)]));
}

/** Of a node that goes on at its last output when it fails, n8n says that it succeeded. */
function handledError(node: Node | undefined, { data }: Turn): N8nNodeError | undefined {
  const [first] = data?.['main']?.at(-1) ?? [];
  const item = first?.['json'] ?? null;
  if (node === undefined || !hasErrorOutput(node) || !isJsonObject(item)) return undefined;
  const { error = null } = item;
  const decoded = v.safeParse(N8nNodeError, isJsonObject(error) ? error : { message: error });
  return decoded.success ? decoded.output : undefined;
}

/** What identifies a node's turn within an execution. */
const keyOf = (node: string, index: number): string => `${node}#${index}`;

/** Maximum number of turns that are read. */
const maximumTurns = 100_000;

function readTurns(runData: Readonly<Record<string, readonly JsonValue[]>>): readonly NodeTurn[] {
  const all = Object.entries(runData).flatMap(([node, raw]) =>
    raw.slice(0, maximumTurns).map((value, index) => ({ node, index, count: raw.length, value })),
  );
  const turns = all.slice(0, maximumTurns).flatMap(({ value, ...place }) => {
    const turn = v.safeParse(Turn, value);
    return turn.success ? [{ ...place, turn: turn.output }] : [];
  });
  // A retry counts its turns from 0 again.
  return turns.toSorted(
    (left, right) =>
      left.turn.startTime.getTime() - right.turn.startTime.getTime() ||
      left.turn.executionIndex - right.turn.executionIndex,
  );
}

/** The items that the node before this turn gave it, or a list of them for each node before; undefined where n8n doesn't name them. */
function inputOf({ source, inputOverride }: Turn, turnAt: ReadonlyMap<string, Turn>): JsonValue | undefined {
  if (inputOverride !== undefined)
    return Object.values(inputOverride).flatMap((outputs) => outputs.flatMap(itemsOf));
  const inputs = source.flatMap((from) => {
    const data = from === null ? undefined : turnAt.get(keyOf(from.previousNode, from.previousNodeRun))?.data;
    return from === null || data === undefined ? [] : [itemsOf(data['main']?.[from.previousNodeOutput])];
  });
  return inputs.length > 1 ? inputs : inputs[0];
}

/** What started the execution, and the name of the trigger: the call of a webhook, else the trigger's first item. */
function readStart(
  first: NodeTurn | undefined,
  triggers: readonly Trigger[],
): { readonly input: JsonValue | undefined; readonly startedAt: string | undefined } {
  const outputs = (first?.turn.data?.['main'] ?? []).map(itemsOf);
  const output = outputs.findIndex(({ length }) => length > 0);
  const ofNode = triggers.filter(({ nodeName }) => nodeName === first?.node);
  const trigger = ofNode.find((each) => each.kind === 'webhook' && each.output === output) ?? ofNode[0];
  const input = outputs[output]?.[0];
  return {
    input: isJsonObject(input) ? inputAt(trigger, input) : input,
    startedAt: trigger?.name ?? first?.node,
  };
}

/** What n8n adds to the fields of a form. */
const addedToForms = ['submittedAt', 'formMode'];

function inputAt(trigger: Trigger | undefined, item: JsonObject): JsonObject {
  if (trigger?.kind === 'form')
    return Object.fromEntries(Object.entries(item).filter(([name]) => !addedToForms.includes(name)));
  const isCall = item['body'] !== undefined && item['query'] !== undefined;
  return isCall ? fromWebhookCall(item, trigger?.kind === 'webhook' ? trigger.method : undefined) : item;
}

/** Decodes a record's `data`, with the types of the nodes from its `workflowData`. */
export function decodeRunData(record: JsonObject, logger: Logger): RunReading {
  const data = v.safeParse(Data, record['data']);
  if (!data.success) return { rows: [], input: undefined, startedAt: undefined, output: null, error: null };
  const { runData, pinData, lastNodeExecuted, error } = data.output.resultData;
  const turns = readTurns(runData);
  const turnAt = new Map(turns.map(({ node, index, turn }) => [keyOf(node, index), turn]));
  const nodes = readNodes(record['workflowData']);
  const document = record['workflowData'] ?? null;
  const starts = turns.filter(({ turn }) => turn.source.every((each) => each === null));
  // Of one that crashed, n8n doesn't know what came before the last node.
  const isTrigger = ({ node }: NodeTurn): boolean => /(trigger|webhook)$/i.test(nodes.get(node)?.type ?? '');
  const first = starts.find(isTrigger) ?? starts[0] ?? turns[0];
  // Behind the node that a draft ends at, all are pinned with nothing.
  const isEmptied = (node: string | null): boolean => node !== null && pinData[node]?.length === 0;
  const last = turns.findLast(({ node }) =>
    isEmptied(lastNodeExecuted) ? !isEmptied(node) : node === lastNodeExecuted,
  );
  const isPinned = ({ node }: NodeTurn): boolean => node !== first?.node && pinData[node] !== undefined;
  return {
    rows: decodeRows(
      turns,
      (each) => ({ ...rowOf(each, turnAt, nodes), isPinned: isPinned(each) }),
      'rows',
      logger,
    ),
    ...readStart(first, isJsonObject(document) ? readTriggers(document) : []),
    output: (last && outputOf(last.turn, nodes.get(last.node))) ?? null,
    error: toRunError(error, lastNodeExecuted),
  };
}

function readNodes(document: JsonValue | undefined): ReadonlyMap<string, Node> {
  const read = v.safeParse(Nodes, document);
  return new Map(
    (read.success ? read.output.nodes : []).flatMap((each) => {
      const node = v.safeParse(Node, each);
      return node.success ? [[node.output.name, node.output] as const] : [];
    }),
  );
}

function rowOf(
  { node, index, count: turns, turn }: NodeTurn,
  turnAt: ReadonlyMap<string, Turn>,
  nodes: ReadonlyMap<string, Node>,
): NodeLog {
  const { startTime, executionTime, executionStatus } = turn;
  const definition = nodes.get(node);
  const handled = handledError(definition, turn);
  const status = decodeStatusWord(handled === undefined ? executionStatus : 'error');
  const error = toRunError(turn.error ?? handled, node);
  const completedAt = status.isTerminal ? new Date(startTime.getTime() + executionTime) : null;
  return {
    key: keyOf(node, index),
    // A node's turn may be recorded later than one that began after it.
    sequence: null,
    nodeId: node,
    nodeName: node,
    nodeType: definition?.type ?? null,
    iteration: turns > 1 ? [index] : [],
    attempt: 1,
    level: status.state === 'failed' ? 'error' : 'info',
    message: error?.message ?? messageOf(status),
    status,
    input: inputOf(turn, turnAt),
    output: outputOf(turn, definition),
    exchange: toExchange(turn.error),
    error,
    timestamp: completedAt,
    startedAt: startTime,
    completedAt,
    durationMs: status.isTerminal ? executionTime : null,
    reusedFrom: null,
    isPinned: false,
    isAnswered: false,
    children: childrenOf(turn),
  };
}

/** How many executions of children are read of a node's turn. */
const maximumChildren = 1000;

/** The executions that the turn started: named by its items, by the turn itself, and by the error of one that failed. */
function childrenOf({ data = {}, metadata, error }: Turn): readonly string[] {
  const items = Object.values(data).flatMap((outputs) => outputs.flatMap((each) => each ?? []));
  const named = [metadata, ...items.map((item) => item['metadata'])].map((each) =>
    isJsonObject(each) ? (each['subExecution'] ?? null) : null,
  );
  const ids = named.map((each) => (isJsonObject(each) ? toText(each['executionId']) : null));
  const all = [...ids, error?.executionId ?? null].filter((id) => id !== null);
  return [...new Set(all)].slice(0, maximumChildren);
}

/** n8n keeps no lines of text. What says only the state isn't repeated. */
function messageOf({ state, isTerminal, word }: Status): string {
  if (state === 'completed') return 'completed';
  return isTerminal ? word : '';
}

/** What the trigger got, while it runs and once it has. */
const Received = v.object({
  data: v.object({
    executionData: v.optional(
      v.object({ nodeExecutionStack: v.fallback(v.array(v.object({ data: v.unknown() })), []) }),
    ),
    resultData: v.optional(v.object({ runData: v.fallback(members(v.array(v.unknown())), {}) })),
  }),
});
const Items = v.object({ main: v.array(v.nullable(v.array(object))) });

/** The correlation id of the webhook call that started an execution, from the headers that n8n stores. */
export function correlationIn(record: JsonObject): string | undefined {
  const received = v.safeParse(Received, record);
  if (!received.success) return undefined;
  const { executionData, resultData } = received.output.data;
  const waiting = executionData?.nodeExecutionStack.slice(0, 1).map(({ data }) => data) ?? [];
  const ran = Object.values(resultData?.runData ?? {}).map(([first]) =>
    isJsonObject(first) ? first['data'] : undefined,
  );
  for (const data of [...waiting, ...ran]) {
    const items = v.safeParse(Items, data);
    const item = items.success ? items.output.main[0]?.[0]?.['json'] : undefined;
    const headers = isJsonObject(item) ? item['headers'] : undefined;
    const id = isJsonObject(headers) ? headers['x-correlation-id'] : undefined;
    if (typeof id === 'string') return id;
  }
  return undefined;
}

/** True where n8n left out the data because of their size. */
export function isDataLeftOut({ data, dataTooLargeToDisplay }: JsonObject): boolean {
  return dataTooLargeToDisplay === true || (isJsonObject(data) && data['dataTooLargeToDisplay'] === true);
}
