// What expressions give on the data of an execution: as the service recorded it, or else evaluated here with the service's own code.
import { isAbortError } from '../../base/async.ts';
import { BoundedMap } from '../../base/boundedMap.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { equalJson, type JsonValue, parseJson, stringifyJson } from '../../base/json.ts';
import { codeOf, messageOf } from '../../base/reason.ts';
import {
  type ExpressionEvaluator,
  type ExpressionScope,
  ScopeValue,
  valueUnknown,
} from '../../definition/expressionScope.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { IterationItem, RunItem } from '../../model/runs/runItems.ts';
import { scopeOf, type ScopeSnapshot, seenOutput } from './scopeSnapshot.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';
import { tokenize } from './tokens.ts';
import type { RecordedData } from './recordedData.ts';
import { type Failure, type ShownValue, toShown } from './renderValue.ts';

/** As much as is on the screen at once, several times over. A result has at most 10,000 characters. */
const maximumKnown = 500;
const unknownValue = new ScopeValue('');

/** Functions that give something else each time, or evaluate what can't be read here. */
const unrepeatable = new Set(['$now', '$millis', '$random', '$shuffle', '$eval']);

/** True if evaluating the expression again gives the same. */
function isRepeatable(expression: string): boolean {
  return tokenize(expression).every(({ kind, value }) => kind !== 'variable' || !unrepeatable.has(value));
}

/** The items of a loop's run, and the expression that they were found with. */
interface Items {
  readonly expression: string;
  readonly texts: readonly string[];
  readonly values: Map<number, ScopeValue>;
}

export class ExpressionValues {
  readonly #evaluator: ExpressionEvaluator;
  readonly #known = new BoundedMap<string, ShownValue | Failure>(maximumKnown);
  readonly #outputs = new WeakMap<NodeRun, ScopeValue>();
  readonly #inputs = new WeakMap<object, ScopeValue>();
  readonly #items = new WeakMap<NodeRun, Items>();
  readonly #runs = new WeakMap<NodeRun, number>();
  #named = 0;

  constructor(evaluator: ExpressionEvaluator) {
    this.#evaluator = evaluator;
  }

  /** Remembers what an expression gave, since what a run could see stays the same. Rejects with the signal's reason. */
  async giveAgain(
    expression: string,
    scope: ScopeSnapshot,
    data: RecordedData,
    signal: AbortSignal,
  ): Promise<ShownValue | undefined> {
    if (!isRepeatable(expression)) return undefined;
    const key = `${this.#nameOf(scope)} ${expression}`;
    const given = this.#known.get(key) ?? (await settle(this.evaluate(expression, scope, data, signal)));
    // What isn't known may become known.
    if (given.kind === 'value' || !given.isOfUnknown) this.#known.set(key, given);
    return given.kind === 'value' ? given : undefined;
  }

  /** The items of a loop are found in the iteration around it, its results in its own ones. */
  #nameOf({ of, iteration }: ScopeSnapshot): string {
    if (of === undefined) return '';
    const { owner, index } = iteration ?? {};
    const around = owner?.kind === 'run' ? this.#numberOf(owner.run) : '';
    return `${this.#numberOf(of)}:${around}:${index ?? ''}`;
  }

  /** A run that its records change is another one. */
  #numberOf(run: NodeRun): number {
    return getOrInsert(this.#runs, run, () => (this.#named += 1));
  }

  /** Resolves with JSON. Rejects with an error in words, or with the signal's reason. */
  async evaluate(
    expression: string,
    scope: ScopeSnapshot,
    data: RecordedData,
    signal: AbortSignal,
  ): Promise<string> {
    return this.#evaluator.evaluate(expression, await this.#readScope(scope, data, signal), signal);
  }

  /** How many items the loop around an iteration had; undefined if that isn't known. Rejects with the signal's reason. */
  async countItems(
    iteration: IterationItem,
    data: RecordedData,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const items = await this.#itemsAround(iteration, undefined, data, signal);
    return items?.texts.length;
  }

  /** The variables of an expression. An expression that reads an unknown one fails. */
  async #readScope(scope: ScopeSnapshot, data: RecordedData, signal: AbortSignal): Promise<ExpressionScope> {
    const { outputs, iteration } = scope;
    return {
      input: this.#input(data.input),
      nodes: new Map([...outputs].map(([nodeId, run]) => [nodeId, this.#output(run)])),
      loop:
        iteration === null
          ? null
          : { item: await this.#item(iteration, scope, data, signal), index: iteration.index },
    };
  }

  #input(input: JsonValue | undefined): ScopeValue {
    if (typeof input !== 'object' || input === null || truncatedValue(input) !== undefined)
      return unknownValue;
    return getOrInsert(this.#inputs, input, () => new ScopeValue(stringifyJson(input)));
  }

  #output(run: NodeRun): ScopeValue {
    return getOrInsert(this.#outputs, run, () => {
      const output = seenOutput(run);
      return output === undefined ? unknownValue : new ScopeValue(stringifyJson(output));
    });
  }

  /**
   * No record has the item itself: the input of the iteration's first node, which is the item, may have been text that reads as JSON. So the list
   * is made again, and counts if it fits that input.
   */
  async #item(
    iteration: IterationItem,
    { ofItems }: ScopeSnapshot,
    data: RecordedData,
    signal: AbortSignal,
  ): Promise<ScopeValue> {
    const { index } = iteration;
    const items = await this.#itemsAround(iteration, ofItems, data, signal);
    const text = items?.texts[index];
    if (items === undefined || text === undefined) return unknownValue;
    return getOrInsert(items.values, index, () => new ScopeValue(text));
  }

  async #itemsAround(
    { owner, index, scope }: IterationItem,
    ofItems: ScopeSnapshot | undefined,
    data: RecordedData,
    signal: AbortSignal,
  ): Promise<Items | undefined> {
    const expression = owner.kind === 'run' ? data.itemsOf(owner.run.nodeId) : undefined;
    if (owner.kind !== 'run' || expression === undefined || !isRepeatable(expression)) return undefined;
    const items = await this.#list(owner, ofItems ?? scopeOf(owner), expression, data, signal);
    const text = items?.texts[index];
    const first = [...scope.latest.values()].find(({ run }) => run.status?.state !== 'skipped');
    return text !== undefined && isReceived(text, first?.run.input) ? items : undefined;
  }

  async #list(
    { run }: RunItem,
    scope: ScopeSnapshot,
    expression: string,
    data: RecordedData,
    signal: AbortSignal,
  ): Promise<Items | undefined> {
    const known = this.#items.get(run);
    if (known?.expression === expression) return known;
    const variables = await this.#readScope(scope, data, signal);
    try {
      const texts = await this.#evaluator.list(expression, variables, signal);
      const items = { expression, texts, values: new Map<number, ScopeValue>() };
      this.#items.set(run, items);
      return items;
    } catch (error) {
      if (isAbortError(error)) throw error;
      return undefined;
    }
  }
}

/** True if a node that was given the item would have this input: text that reads as JSON may have been read. */
function isReceived(item: string, input: JsonValue | undefined): boolean {
  const value = parseJson(item);
  if (value === undefined || input === undefined) return false;
  return equalJson(value, input) || (typeof value === 'string' && equalJson(parseJson(value), input));
}

/** Rejects only when it was cancelled. */
export async function settle(evaluating: Promise<string>): Promise<ShownValue | Failure> {
  try {
    return toShown(await evaluating);
  } catch (error) {
    if (isAbortError(error)) throw error;
    const isOfUnknown = codeOf(error) === valueUnknown;
    return { kind: 'failed', message: messageOf(error), isOfUnknown };
  }
}
