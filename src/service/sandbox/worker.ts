// The program of a sandbox worker, a bundle of its own: runs one task after the other. Nothing is kept beyond the thread.
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { truncateText } from '../../base/format.ts';
import {
  isExactNumber,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../base/json.ts';
import { mayLoseDigits } from '../../base/jsonNumbers.ts';
import { maximumJsonDepth } from '../../base/jsonScan.ts';
import { messageOf } from '../../base/reason.ts';
import { findRefusals } from '../../definition/checkDefinition.ts';
import { checkText } from '../../definition/checkText.ts';
import { speak } from '../../definition/definitionFault.ts';
import { KnownExpressions } from '../../definition/expressions.ts';
import { valueUnknown } from '../../definition/expressionScope.ts';
import type { Faults } from '../../definition/faultList.ts';
import { inputFaults } from '../../definition/inputSchema.ts';
import { NodeError } from '../errors.ts';
import { boundGlobals, maximumCharacters, writeBoundedJson } from './bounds.ts';
import {
  evaluateToText,
  evaluateToValue,
  findSecrets,
  ParsedExpressions,
  render,
  renderText,
  type ScopeData,
} from './expressions.ts';
import {
  type WorkerReply,
  type InputCheck,
  inputNotChecked,
  nameExpression,
  type WorkOrder,
  type WorkResult,
  type ScopeIds,
  type WorkTask,
  WorkerWords,
} from './messages.ts';
import { memberPlace, readNearest, Roundings, withNotedNumbers } from './nearestNumbers.ts';

/** Longer JSON is described in log lines, with this many names of an object's members. */
const maximumDescribed = 80;
const maximumNames = 8;
const maximumInputNames = 20;
const maximumNameLength = 40;

/** Caches values and expressions between evaluations, so that a loop doesn't transfer and parse the same ones repeatedly. */
class HeldValues {
  readonly #values = new Map<number, HeldValue>();
  readonly roundings = new Roundings();
  readonly #expressions = new ParsedExpressions();

  update({ load, drop }: WorkOrder): void {
    for (const id of drop) this.#values.delete(id);
    for (const [id, text] of load) this.#values.set(id, new HeldValue(text));
  }

  get(id: number): JsonValue {
    return this.#held(id).value;
  }

  /** Returns the variables of an expression; each value is parsed on first access. */
  scope(ids: ScopeIds): ScopeData {
    return {
      expressions: this.#expressions,
      exact: variables(ids, (id) => this.get(id)),
      nearest: variables(ids, (id, place) => this.#held(id).nearest(place, this.roundings)),
      roundings: this.roundings,
    };
  }

  #held(id: number): HeldValue {
    const held = this.#values.get(id);
    if (!held) throw new TypeError('The worker was not given a value that it needs.');
    return held;
  }
}

/** `read`: called whenever an expression names the value. */
function variables(
  { input, nodes, loop }: ScopeIds,
  read: (id: number, place: string) => JsonValue,
): JsonObject {
  const lazy = (id: number, place: string): PropertyDescriptor => ({
    enumerable: true,
    get: () => read(id, place),
  });
  // A node id can be `__proto__`, so members are defined, not assigned.
  const outputs = nodes.map(([nodeId, id]) => [nodeId, lazy(id, memberPlace('nodes', nodeId))] as const);
  return Object.defineProperties<JsonObject>(
    {},
    {
      input: lazy(input, 'input'),
      nodes: { enumerable: true, value: Object.defineProperties({}, Object.fromEntries(outputs)) },
      ...(loop !== null && {
        item: lazy(loop.item, 'item'),
        index: { enumerable: true, value: loop.index },
      }),
    },
  );
}

/** A value that is parsed when it's first read. */
class HeldValue {
  /** JSON; empty for a value that isn't known, and when it's parsed. */
  #text: string;
  #parsed: { readonly value: JsonValue } | undefined;
  #mayRound = false;
  /** Copies with the nearest numbers, by the name that an expression uses for the value. */
  readonly #nearest = new Map<string, JsonValue>();

  constructor(text: string) {
    this.#text = text;
  }

  get value(): JsonValue {
    return (this.#parsed ??= { value: this.#parse() }).value;
  }

  /** The value as expressions compute with it. */
  nearest(place: string, roundings: Roundings): JsonValue {
    const { value } = this;
    if (!this.#mayRound) return value;
    if (isExactNumber(value)) return readNearest(value, place, roundings);
    const nearest = this.#nearest.get(place) ?? withNotedNumbers(value, place, roundings);
    this.#nearest.set(place, nearest);
    return nearest;
  }

  #parse(): JsonValue {
    const text = this.#text;
    if (text === '') throw new NodeError(valueUnknown, "a value that it reads isn't known here.");
    const value = parseJson(text);
    if (value === undefined)
      throw new NodeError('too_deep', `A value is nested more than ${maximumJsonDepth} levels deep as JSON.`);
    this.#mayRound = mayLoseDigits(text);
    this.#text = '';
    return value;
  }
}

const port = parentPort;
if (port === null) throw new TypeError('This file is for a worker thread.');
const { words } = v.parse(WorkerWords, workerData);
if (words !== undefined) speak(words);
boundGlobals();
const held = new HeldValues();
const known = new KnownExpressions();
port.on('message', (order: WorkOrder) => {
  void reply(order).then(send);
});
send({ kind: 'ready' });

function send(message: WorkerReply): void {
  port?.postMessage(message);
}

async function reply(order: WorkOrder): Promise<WorkerReply> {
  try {
    held.update(order);
    const result = await work(order.task);
    return { kind: 'done', result, rounded: held.roundings.take() };
  } catch (error) {
    // JSONata evaluates the items of a list at once, and those beside the one that failed go on: they take the time of this task.
    await setImmediate();
    const isKnown = error instanceof NodeError;
    const code = isKnown ? error.code : 'node_crashed';
    const message = isKnown ? error.message : `The node crashed: ${messageOf(error)}`;
    return { kind: 'failed', code, message, rounded: held.roundings.take() };
  }
}

async function work(task: WorkTask): Promise<WorkResult> {
  switch (task.kind) {
    case 'evaluate': {
      const text = await evaluateToText(task.expression, held.scope(task.scope));
      return { text, description: describe(text) };
    }
    case 'list':
      return list(task);
    case 'render': {
      const template = parseJson(task.value) ?? null;
      const { value, shown, empty } = await render(template, held.scope(task.scope), task, known.read);
      return {
        value: writeBoundedJson(value, 'The filled values'),
        shown: shown === null ? null : stringifyJson(shown),
        empty,
      };
    }
    case 'findSecrets':
      return findSecrets(parseJson(task.value) ?? null, known.read);
    case 'renderText':
      return renderText(task.text, held.scope(task.scope));
    case 'checkInput': {
      const [schema, input] = [parseJson(task.schema), held.get(task.input)];
      return checkInput(isJsonObject(schema) ? schema : null, input ?? {});
    }
    case 'checkText':
      return checkText(task.text, task.rules, known.read);
    case 'checkDefinition': {
      const { nodes = [], edges = [], settings = {} } = objectOf(parseJson(task.definition));
      return findRefusals({ nodes, edges, settings });
    }
  }
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** JSONata unwraps a list of one item to that item, and an empty list to nothing. */
async function list({ expression, scope }: WorkTask<'list'>): Promise<readonly string[]> {
  const value = await evaluateToValue(expression, held.scope(scope));
  const items = isJsonArray(value) ? value : value === null ? [] : [value];
  const texts = items.map((item) => stringifyJson(item));
  const size = texts.reduce((sum, text) => sum + text.length + 1, 1);
  if (size > maximumCharacters)
    throw new NodeError('output_too_large', `${nameExpression(expression)} gave more than 1 MiB.`);
  return texts;
}

/** Checks the input against the schema; null accepts every input. An author's pattern may never finish on some inputs. */
function checkInput(schema: JsonObject | null, input: JsonValue): InputCheck {
  const all = Object.keys(objectOf(input));
  const more = all.length > maximumInputNames ? ` and ${all.length - maximumInputNames} more` : '';
  return { ...findInputFaults(schema, input), names: nameMembers(all, maximumInputNames) + more };
}

function findInputFaults(schema: JsonObject | null, input: JsonValue): Faults {
  if (schema === null) return { faults: [], more: 0 };
  try {
    return inputFaults(schema, input);
  } catch (error) {
    throw inputNotChecked(
      error instanceof RangeError ? 'the schema or the input is nested too deep.' : messageOf(error),
    );
  }
}

/** Returns the JSON itself when it's short, else a description of the value. */
function describe(text: string): string {
  if (text.length <= maximumDescribed) return text;
  const value = parseJson(text);
  if (isJsonArray(value)) return `a list of ${value.length}`;
  if (isJsonObject(value)) return `an object with ${nameMembers(Object.keys(value), maximumNames)}`;
  return typeof value === 'string' ? `a text of ${value.length} characters` : 'a long number';
}

/** Lists the first names; long names are truncated. */
function nameMembers(names: readonly string[], maximum: number): string {
  return names
    .slice(0, maximum)
    .map((name) => truncateText(name, maximumNameLength))
    .join(', ');
}
