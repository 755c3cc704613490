// Runs the iterations of a for-each in sequence, starting after the last stored one.
import * as v from 'valibot';
import { isJsonArray, type JsonValue, parseJson, stringifyJson } from '../../base/json.ts';
import { isTooDeep, maximumJsonDepth } from '../../base/jsonScan.ts';
import type { WorkflowNode } from '../../definition/definition.ts';
import type { Expressions } from '../sandbox/ownerExpressions.ts';
import type { ExecutionUse } from '../store/nodeLogs.ts';
import type { RecordedLoop } from '../store/executionRecords.ts';
import type { NodeRunStore, OpenNodeRun } from '../store/nodeRuns.ts';
import { retryUntilStored } from '../store/storageError.ts';
import { NodeError } from '../errors.ts';
import { NodeFailedError } from './errors.ts';
import { checkIterations, type ExecutionLimits } from './limits.ts';
import { maximumOutput, type NodeOutput, readConfig } from './nodes/nodeBehaviour.ts';
import type { Masking } from '../secrets/masking.ts';
import type { RunWriter } from './runWriter.ts';
import { type ExpressionScope, ScopeValue } from '../../definition/expressionScope.ts';

/** The variables of a node's expressions, and the iteration of each enclosing loop, outermost first. */
export interface Scope extends ExpressionScope {
  readonly iteration: readonly number[];
}

/** What a loop runs over. */
interface LoopItems {
  readonly count: number;
  /** The item as JSON. */
  readonly textOf: (index: number) => string;
}

/** Runs the body for one item. */
export type RunIteration = (
  item: ScopeValue,
  index: number,
) => Promise<{ readonly last: ScopeValue; readonly scope: Scope }>;

export interface LoopRun {
  readonly node: WorkflowNode;
  readonly run: OpenNodeRun;
  readonly scope: Scope;
  /** The stored list; undefined before it's created. */
  readonly items: LoopItems | undefined;
  readonly use: ExecutionUse;
  readonly limits: ExecutionLimits;
  readonly runIteration: RunIteration;
  readonly sandbox: Expressions;
  readonly masking: Masking;
  readonly nodeRuns: NodeRunStore;
  readonly writer: RunWriter;
  readonly signal: AbortSignal;
}

/** A loop failed because one of its iterations failed. */
export class IterationFailedError extends Error {
  override readonly name = 'IterationFailedError';
  /** The failure of a node in the body; undefined when the loop itself failed. */
  readonly failure: NodeFailedError | undefined;

  constructor(index: number, count: number, cause: NodeFailedError | NodeError) {
    super(`Failed in iteration ${index + 1} of ${count}: ${cause.message}`, { cause });
    this.failure = cause instanceof NodeFailedError ? cause : undefined;
  }
}

const LoopConfig = v.object({ items: v.string(), result: v.optional(v.string()) });

/** Returns the list of the results. Rejects with an IterationFailedError, or with a NodeError when the list can't be created. */
export async function runIterations(loop: LoopRun): Promise<NodeOutput> {
  const { run, nodeRuns, writer, signal } = loop;
  const items = loop.items ?? (await makeList(loop));
  let { iterations: index, size } = await retryUntilStored(signal, () => nodeRuns.loopProgress(run));
  while (index < items.count) {
    const done = index;
    try {
      const result = await resultOf(loop, new ScopeValue(items.textOf(index)), index);
      if (isTooDeep(result, maximumJsonDepth - 1))
        throw new NodeError(
          'too_deep',
          `The results of the iterations are more than ${maximumJsonDepth} levels deep.`,
        );
      size += result.length;
      if (size > maximumOutput)
        throw new NodeError('output_too_large', 'The results of the iterations exceed 8 MiB.');
      await writer.write((execution) => execution.keepResult(run, done, result));
    } catch (error) {
      if (error instanceof NodeFailedError || error instanceof NodeError)
        throw new IterationFailedError(index, items.count, error);
      throw error;
    }
    index += 1;
  }
  return { text: await retryUntilStored(signal, () => nodeRuns.loopResults(run)), isMasked: true };
}

/** Continues the loop after the iterations that finished in another execution. */
export async function continueLoop(
  writer: RunWriter,
  run: OpenNodeRun,
  recorded: RecordedLoop,
  { count }: LoopItems,
): Promise<void> {
  const message =
    recorded.iterations === 0
      ? `Looping over ${count} ${count === 1 ? 'item' : 'items'} again.`
      : `Going on after iteration ${recorded.iterations} of ${count}.`;
  await writer.write((execution) => execution.continueLoop(run, recorded, message));
}

async function makeList(loop: LoopRun): Promise<LoopItems> {
  const { node, run, scope, sandbox, writer, signal } = loop;
  const given = await sandbox.list(readConfig(LoopConfig, node.config).items, scope, signal);
  const items = await maskItems(given, loop.masking);
  checkIterations(loop.limits, loop.use.iterations, items.length);
  const message = `Looping over ${items.length} ${items.length === 1 ? 'item' : 'items'}.`;
  await writer.write((execution) => execution.keepItems(run, items, message));
  return { count: items.length, textOf: (index) => items[index] ?? 'null' };
}

/** Masks all items at once, because each call takes time. */
async function maskItems(items: readonly string[], masking: Masking): Promise<readonly string[]> {
  const list = `[${items.join(',')}]`;
  const masked = await masking.json(list);
  const parsed = masked === list ? undefined : parseJson(masked);
  if (parsed === undefined) return items;
  return isJsonArray(parsed) ? parsed.map(stringifyJson) : items.map(() => masked);
}

/** Reads a stored list. An item becomes JSON again when its iteration starts, because most iterations have ended when a loop continues. */
export function readItems(json: string): LoopItems {
  const parsed = parseJson(json);
  const list: readonly JsonValue[] = isJsonArray(parsed) ? parsed : [];
  return { count: list.length, textOf: (index) => stringifyJson(list[index] ?? null) };
}

async function resultOf(loop: LoopRun, item: ScopeValue, index: number): Promise<string> {
  const { last, scope } = await loop.runIteration(item, index);
  const { result } = readConfig(LoopConfig, loop.node.config);
  if (result === undefined) return last.text;
  await loop.writer.flush();
  return loop.masking.json((await loop.sandbox.evaluate(result, scope, loop.signal)).text);
}
