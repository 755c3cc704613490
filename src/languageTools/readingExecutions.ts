// Tools that read executions.
import * as v from 'valibot';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { ifOffered } from '../domain/errors.ts';
import { type Execution, outputValue } from '../domain/execution.ts';
import type { NodeRun } from '../domain/nodeRun.ts';
import type { FoundPlace, SearchedPart } from '../domain/search.ts';
import { type ExecutionStatus, executionStatuses } from '../domain/status.ts';
import type { ExecutionTarget } from '../domain/targets.ts';
import { explainFailure } from '../model/failures/explainFailure.ts';
import type { LogFeed } from '../model/log/logFeed.ts';
import type { NodeSummary } from '../model/runs/nodeSummary.ts';
import { searchExecutions } from '../model/search/searchExecutions.ts';
import { withCriteria } from '../model/search/searchTerms.ts';
import {
  defineTool,
  described,
  id,
  limit,
  longestWaitMs,
  members,
  readOnly,
  text,
  whole,
} from './languageTool.ts';
import { select, valuePath } from './readingWorkflows.ts';
import { ToolRefusal } from './toolErrors.ts';
import type { ToolCall } from './toolPorts.ts';
import type { ToolData } from './toolText.ts';

const defaultLimit = 20;
const shownLines = 20;

/** Without the members that a service doesn't report. */
export function known(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, value] as const],
    ),
  );
}

const timeOf = (date: Date | null): string | undefined => date?.toISOString();

/** What every list and record says of an execution. */
export function describeExecution(execution: Execution): JsonObject {
  const { id: executionId, workflowId, status, kind, retryOf, error, durationMs } = execution;
  return known({
    executionId,
    workflowId,
    status: status.state === 'unknown' ? status.word : status.state,
    kind: kind === 'draft' ? kind : undefined,
    retryOf,
    startedAt: timeOf(execution.startedAt ?? execution.createdAt),
    durationMs,
    error: error && known({ ...error }),
  });
}

export const listExecutions = defineTool({
  title: 'List Executions',
  summary: 'Lists executions, newest first, or searches them.',
  icon: '$(history)',
  description:
    'Lists executions, newest first. "search" finds a text or number in their values and node runs.',
  annotations: readOnly,
  input: members({
    workflowId: v.optional(id),
    status: v.optional(v.picklist(executionStatuses, `must be one of ${executionStatuses.join(', ')}`)),
    search: v.optional(
      described(text, 'Text, error:CODE, node:FAILED_ID, after:1d, before:2026-01-31, longer:5m'),
    ),
    limit: v.optional(limit(100)),
  }),
  run: (input, call) => (input.search === undefined ? list(input, call) : search(input.search, input, call)),
});

interface ListInput {
  readonly workflowId?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  readonly limit?: number | undefined;
}

async function list(
  { workflowId, status, limit: wanted = defaultLimit }: ListInput,
  { ports, connectionId, signal }: ToolCall,
): Promise<ToolData> {
  const query = {
    ...(workflowId !== undefined && { workflowId }),
    ...(status !== undefined && { status }),
  };
  const found = await ports.executions.listWhole(connectionId, query, { limit: wanted, signal });
  return {
    selected: whole(found.slice(0, wanted).map(describeExecution)),
    howToRead: 'Call listExecutions with "workflowId", "status" or a lower "limit".',
    notes:
      found.length < wanted
        ? []
        : ['There may be more. Narrow by "workflowId" or "status", or raise "limit".'],
  };
}

async function search(
  query: string,
  { workflowId, status, limit: wanted = defaultLimit }: ListInput,
  { ports, connectionId, signal, onProgress }: ToolCall,
): Promise<ToolData> {
  const state = await searchExecutions(
    ports,
    connectionId,
    withCriteria(query, { workflow: workflowId, status }),
    {
      limit: wanted,
      signal,
      patienceMs: longestWaitMs,
      onProgress: ({ searched }) => {
        if (searched !== null) onProgress(searched, `Executions searched: ${searched}`);
      },
    },
  );
  const notes = [];
  if (state.status === 'searching')
    notes.push(
      `Searched until the time was up: ${state.searched ?? 0} executions, back to ${timeOf(state.since) ?? 'now'}. Search the older ones with before:, or narrow by "workflowId", "status" or after:.`,
    );
  else if (state.hasMore) notes.push('There may be more. Narrow the search, or raise "limit".');
  if (state.partlySearched > 0) notes.push(`Searched only in part: ${state.partlySearched}.`);
  return {
    selected: whole(state.found.map(describeFound)),
    howToRead: 'Call listExecutions with a narrower "search" or a lower "limit".',
    notes,
  };
}

/** The paths are those of getExecution. */
function describeFound(execution: Execution): JsonObject {
  const { found = [] } = execution;
  return { ...describeExecution(execution), ...(found.length > 0 && { found: found.map(describePlace) }) };
}

function describePlace({ place, nodeId, iteration, path, excerpt }: FoundPlace): JsonObject {
  return known({
    nodeId,
    iteration: iteration?.map((index) => index + 1),
    path: pathToRead(place, path),
    excerpt,
  });
}

/** undefined for a message, which is among the lines of the node run. */
function pathToRead(place: SearchedPart, path = ''): string | undefined {
  if (place !== 'nodeRun') return path === '' || path.startsWith('[') ? place + path : `${place}.${path}`;
  if (path === '' || path === 'message') return undefined;
  return /^(request|response)\b/.test(path) ? `exchange.${path}` : path;
}

function describeNode({ nodeId, worst, iterations, failed, durationMs }: NodeSummary): JsonObject {
  const { nodeName, status, isPinned, reusedFrom } = worst;
  return known({
    nodeId,
    nodeName: nodeName === nodeId ? undefined : nodeName,
    status: status?.state,
    iterations: iterations.length > 1 ? iterations.length : undefined,
    failed: iterations.length > 1 && failed > 0 ? failed : undefined,
    durationMs,
    pinned: isPinned ? true : undefined,
    reusedFrom,
  });
}

function describeNodes(feed: LogFeed | undefined): JsonValue | undefined {
  if (feed === undefined) return undefined;
  return Array.from(feed.runTree.summaries().values(), describeNode);
}

function describeRun(target: ExecutionTarget, run: NodeRun, feed: LogFeed): JsonObject {
  const { nodeId, nodeName, nodeType, iteration, attempt, status, durationMs, error } = run;
  return known({
    executionId: target.executionId,
    nodeId,
    nodeName,
    nodeType,
    iteration: iteration.length === 0 ? undefined : iteration.map((index) => index + 1),
    attempt: attempt > 1 ? attempt : undefined,
    status: status?.state,
    durationMs,
    pinned: run.isPinned ? true : undefined,
    reusedFrom: run.reusedFrom,
    error: error && known({ ...error, nodeId: undefined }),
    input: run.input,
    output: run.output,
    exchange: run.exchange,
    lines: feed.lastLines(shownLines, feed.selectRun(run.key) ?? {}).map(({ text }) => text),
  });
}

async function readRun(
  target: ExecutionTarget,
  nodeId: string,
  iteration: readonly number[] | undefined,
  { ports, signal }: ToolCall,
): Promise<JsonObject> {
  const feed = await ports.following.readLog(target, signal);
  const ofNode = feed.nodeRuns.filter((run) => run.nodeId === nodeId);
  const isWanted = (run: NodeRun): boolean =>
    iteration === undefined || iteration.join() === run.iteration.map((index) => index + 1).join();
  const run = ofNode.findLast(isWanted);
  if (run === undefined)
    throw new ToolRefusal(
      ofNode.length === 0
        ? 'This node has no run in this execution. Call getExecution without "nodeId" for those that have.'
        : 'The node has no run in this iteration. They count from 1, with one number for each loop around the node.',
    );
  return describeRun(target, await ports.executions.readWholeValues(target, run, signal), feed);
}

async function readExecution(target: ExecutionTarget, { ports, signal }: ToolCall): Promise<JsonObject> {
  const { executions, following } = ports;
  const execution = await executions.read(target, signal);
  const withInput =
    execution.input === undefined ? await ifOffered(executions.readInput(target, signal)) : execution;
  const feed = await ifOffered(following.readLog(target, signal));
  const output = execution.status.isTerminal ? await ifOffered(executions.output(target, signal)) : undefined;
  return {
    ...describeExecution(execution),
    ...known({
      input: withInput?.input,
      output: output && outputValue(output),
      nodes: describeNodes(feed),
      nodeRunsNotKept: feed === undefined || feed.goneRuns === 0 ? undefined : feed.goneRuns,
    }),
  };
}

const Iteration = v.union(
  [v.number(), v.array(v.number())],
  'must be a number, or one for each loop around the node',
);

export const getExecution = defineTool({
  title: 'Get Execution',
  summary: 'Reads an execution, or what a node of it did.',
  icon: '$(output)',
  description:
    'Gets an execution with input, output and nodes; with "nodeId" a run of that node: input, output, HTTP request and response (exchange), lines.',
  annotations: readOnly,
  input: members({
    executionId: id,
    nodeId: v.optional(id),
    iteration: v.optional(described(Iteration, 'Of the loops around the node, from 1. Default: the last')),
    path: v.optional(valuePath),
  }),
  run: async ({ executionId, nodeId, iteration, path }, call) => {
    const target = { connectionId: call.connectionId, executionId };
    if (nodeId === undefined && iteration !== undefined)
      throw new ToolRefusal('"iteration" needs the "nodeId" of a node in a loop.');
    const value =
      nodeId === undefined
        ? await readExecution(target, call)
        : await readRun(target, nodeId, typeof iteration === 'number' ? [iteration] : iteration, call);
    return {
      selected: select(value, path, call),
      howToRead: 'Call getExecution with the same input and the "path" that stands there.',
    };
  },
});

export const explainFailureTool = defineTool({
  title: 'Explain Failure',
  summary: 'Says why an execution failed.',
  icon: '$(error)',
  description:
    'Says why an execution failed: node, iteration, reason, its input, last log lines, and the first difference to the last success.',
  annotations: readOnly,
  input: members({ executionId: id }),
  run: async ({ executionId }, { ports, connectionId, signal }) => {
    const target = { connectionId, executionId };
    const explanation = await explainFailure(ports, target, ports.ignoredFields(), signal);
    if (explanation === undefined)
      throw new ToolRefusal("This execution hasn't failed. Call getExecution for its state.");
    const { iteration, difference, lines, input, ...others } = explanation;
    return {
      selected: whole({
        ...known({ ...others, nodeId: others.nodeId, iteration, input }),
        lines,
        ...known({ difference: difference && known({ ...difference }) }),
      }),
      howToRead:
        'Call getExecution with this "nodeId", "iteration" and "path"; for what is in "difference", with its "executionId" and "nodeId".',
    };
  },
});
