// Executes what is saved, deployed or not, as n8n's own editor does: through the MCP server, also from triggers by hand, and with pins.
import { equalJson, isJsonObject, type JsonObject, isJsonArray, type JsonValue } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { TriggerOptions } from '../servicePort.ts';
import { contentOf } from './documents.ts';
import type { N8nExecutions } from './executions.ts';
import type { McpServer } from './mcp.ts';
import { startByMcp, startTool, toMcpInputs } from './mcpStart.ts';
import { notStartable, refuse } from './refusing.ts';
import { findTrigger, readTriggers, type Trigger } from './triggers.ts';
import { partsOf } from './webhookCalls.ts';
import type { DraftRequest } from '../../protocol/requests.ts';

const testTool = 'test_workflow';
/** How long a test may run, in seconds: the longest that n8n allows. */
const longestTest = 3600;

interface DraftDeps {
  readonly mcp: McpServer;
  readonly executions: Pick<N8nExecutions, 'get' | 'startLong'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Whether the server executes drafts, and there's a token for it. */
export async function executesDrafts(mcp: Pick<McpServer, 'tools'>): Promise<boolean> {
  const tools = await mcp.tools();
  return tools.get(startTool)?.['executionMode'] !== undefined && tools.has(testTool);
}

export class N8nDrafts {
  readonly #deps: DraftDeps;

  constructor(deps: DraftDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with the id of the execution. Rejects with "notOffered" or "notStartable" before anything is sent for what can't be executed.
   * `workflow`: with its document.
   */
  async execute(
    workflow: Workflow,
    draft: DraftRequest,
    { trigger: name, signal, purpose }: TriggerOptions,
  ): Promise<string> {
    const { id: workflowId, raw } = workflow;
    const { definition, input = {}, pinned = {}, until, only, basedOn } = draft;
    if (only !== undefined) return refuse('Executing a node alone');
    if (draft.answers !== undefined) return refuse('Answering requests');
    if (basedOn !== undefined) return refuse('Executing with the data of another execution');
    const { mcp } = this.#deps;
    if (!(await executesDrafts(mcp))) return refuse('Executing drafts');
    if (definition !== undefined && !isSaved(definition, raw))
      throw new ServiceError(notStartable('unsaved'), "The definition isn't saved.");
    const kept = until === undefined ? undefined : nodesUpTo(raw, until);
    const trigger = chooseTrigger(readTriggers(raw), name, kept);
    const { nodes } = contentOf(raw);
    const pins = {
      ...toPinData(pinned, raw),
      ...(kept === undefined ? {} : withoutOthers(nodes, new Set([...kept, trigger.nodeName]))),
    };
    const options = { signal, purpose };
    const inputs = Object.keys(pins).length === 0 ? toMcpInputs(trigger, input) : undefined;
    if (inputs === undefined)
      return this.#test(
        workflowId,
        trigger,
        { ...savedPins(raw), ...this.#pinOf(trigger, input), ...pins },
        options,
      );
    const start = { workflowId, triggerNodeName: trigger.nodeName, inputs, mode: 'manual' } as const;
    return startByMcp(mcp, start, options);
  }

  /** Only a test takes pins; n8n responds at its end. */
  async #test(
    workflowId: string,
    { nodeName: triggerNodeName }: Trigger,
    pinData: PinData,
    options: CallOptions,
  ): Promise<string> {
    const { executions, mcp } = this.#deps;
    const given = { workflowId, triggerNodeName, pinData, timeout: longestTest };
    const send = async (signal: AbortSignal) =>
      executions.get(await mcp.start(testTool, given, { ...options, signal }), { ...options, signal });
    const { id } = await executions.startLong(
      workflowId,
      send,
      ({ trigger }) => trigger === 'manual',
      options,
    );
    return id;
  }

  /** What a trigger gives: in a test it doesn't run. */
  #pinOf(trigger: Trigger, input: JsonObject): PinData {
    const now = new Date(this.#deps.clock.now()).toISOString();
    return { [trigger.nodeName]: [{ json: itemAt(trigger, input, now) }] };
  }
}

function itemAt(trigger: Trigger, input: JsonObject, now: string): JsonObject {
  switch (trigger.kind) {
    case 'webhook': {
      const { body = {}, query, params } = partsOf(input, trigger.method);
      return { headers: {}, params, query, body };
    }
    case 'form':
      return { submittedAt: now, formMode: 'test', ...input };
    case 'chat':
      return { sessionId: now, action: 'sendMessage', ...input };
    case 'schedule':
      return { timestamp: now };
    case 'manual':
    case 'other':
      return input;
  }
}

/** The one that is asked for; else one that leads to where the execution ends, by hand before a webhook before others. */
function chooseTrigger(
  all: readonly Trigger[],
  name: string | undefined,
  kept: ReadonlySet<string> | undefined,
): Trigger {
  const leading = all.filter(({ nodeName }) => kept?.has(nodeName) ?? true);
  const ofKind = (wanted: Trigger['kind']) => leading.find(({ kind }) => kind === wanted);
  const chosen =
    name === undefined ? (ofKind('manual') ?? ofKind('webhook') ?? leading[0]) : findTrigger(all, name);
  if (chosen !== undefined) return chosen;
  throw new ServiceError(notStartable('nothingToCall'), 'There is no such trigger.');
}

/** n8n takes no other document than the one that it holds. Whether the MCP server may execute it changes nothing of what runs. */
function isSaved(definition: JsonObject, raw: JsonObject): boolean {
  const settingsOf = ({ settings }: JsonObject): JsonObject => {
    const { availableInMCP: _, ...others } = isJsonObject(settings) ? settings : {};
    return others;
  };
  const members = ['nodes', 'connections', 'pinData'];
  return (
    members.every((name) => equalJson(definition[name] ?? null, raw[name] ?? null)) &&
    equalJson(settingsOf(definition), settingsOf(raw))
  );
}

/** The items of nodes, by their names. */
type PinData = Readonly<Record<string, readonly JsonObject[]>>;

/** Throws "notStartable" for outputs that n8n can't pin, and for those of nodes with several outputs: it pins the first only. */
function toPinData(pinned: JsonObject, document: JsonObject): PinData {
  const items = Object.entries(pinned).map(([name, output]) => [name, itemsOf(output)] as const);
  const names = items.flatMap(([name, list]) =>
    list === undefined || outputsOf(document, name).length > 1 ? [name] : [],
  );
  if (names.length > 0)
    throw new ServiceError(
      { ...notStartable('notPinnable'), names },
      `n8n can't pin what these nodes give: ${names.join(', ')}.`,
    );
  return Object.fromEntries(items.map(([name, list]) => [name, list ?? []]));
}

/** The pins that are saved in a document. */
function savedPins({ pinData }: JsonObject): PinData {
  const entries = Object.entries(isJsonObject(pinData) ? pinData : {});
  return Object.fromEntries(
    entries.map(([name, items]) => [name, isJsonArray(items) ? items.filter(isJsonObject) : []]),
  );
}

/** A list gives an item for each object, an object the only one. */
function itemsOf(output: JsonValue): readonly JsonObject[] | undefined {
  const values = isJsonArray(output) ? output : [output];
  const objects = values.filter(isJsonObject);
  if (objects.length < values.length) return undefined;
  return objects.map((value) => (isItem(value) ? value : { json: value }));
}

/** An item of n8n's own. */
function isItem(value: JsonObject): boolean {
  const { json, ...others } = value;
  return (
    isJsonObject(json) && Object.keys(others).every((name) => name === 'binary' || name === 'pairedItem')
  );
}

/** What stands behind each output of a node. */
function outputsOf({ connections }: JsonObject, name: string): readonly JsonValue[] {
  const own = isJsonObject(connections) ? connections[name] : undefined;
  const main = isJsonObject(own) ? own['main'] : undefined;
  return isJsonArray(main) ? main : [];
}

interface Edge {
  readonly from: string;
  readonly to: string;
  /** False for one by which a node serves another, such as a model an agent. */
  readonly isMain: boolean;
}

function edgesOf({ connections }: JsonObject): readonly Edge[] {
  return Object.entries(isJsonObject(connections) ? connections : {}).flatMap(([from, kinds]) =>
    Object.entries(isJsonObject(kinds) ? kinds : {}).flatMap(([kind, outputs]) =>
      (isJsonArray(outputs) ? outputs : []).flatMap((output) =>
        (isJsonArray(output) ? output : []).flatMap((target) => {
          const to = isJsonObject(target) ? target['node'] : undefined;
          return typeof to === 'string' ? [{ from, to, isMain: kind === 'main' }] : [];
        }),
      ),
    ),
  );
}

/** The node, what leads to it, and what serves those. A node that serves another comes with that one. */
function nodesUpTo(document: JsonObject, nodeName: string): ReadonlySet<string> {
  const edges = edgesOf(document);
  const found = new Set([nodeName]);
  for (const name of found)
    for (const { from, to, isMain } of edges) {
      if (to === name) found.add(from);
      if (from === name && !isMain) found.add(to);
    }
  return found;
}

/** Pins with nothing whatever isn't among these nodes, so that nothing behind them runs. */
function withoutOthers(nodes: readonly JsonObject[], kept: ReadonlySet<string>): PinData {
  return Object.fromEntries(
    nodes.flatMap(({ name, disabled }) =>
      typeof name === 'string' && disabled !== true && !kept.has(name) ? [[name, []] as const] : [],
    ),
  );
}
