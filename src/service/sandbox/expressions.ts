// Evaluates authors' expressions, and fills the templates that contain them. Runs in a worker, which is terminated when it exceeds its time
// or memory limit.
import jsonata from 'jsonata';
import { BoundedMap } from '../../base/boundedMap.ts';
import { truncateText } from '../../base/format.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../base/json.ts';
import { mayLoseDigits, isLossless } from '../../base/jsonNumbers.ts';
import { messageOf } from '../../base/reason.ts';
import type { ExpressionReader } from '../../definition/expressions.ts';
import { hiddenValue } from '../../domain/secret.ts';
import { readTemplate, type Template } from '../../definition/templates.ts';
import { NodeError } from '../errors.ts';
import { AddressText } from './addressText.ts';
import { FilledJson, FilledText } from './filledText.ts';
import {
  BoundExceeded,
  maximumCalls,
  maximumCharacters,
  maximumItems,
  maximumSequence,
  refused,
  writeBoundedJson,
} from './bounds.ts';
import {
  type EmptyTemplate,
  nameExpression,
  type Rendered,
  type RenderOptions,
  type SecretValues,
  shortExpression,
} from './messages.ts';
import type { Roundings } from './nearestNumbers.ts';

const maximumReason = 500;

/** An expression that was parsed, and what follows from its text alone. */
interface ParsedExpression {
  readonly length: number;
  readonly compiled: jsonata.Expression;
  /** Whether it only names a value. */
  readonly isPath: boolean;
  /** The numbers written in it that JavaScript can't hold. */
  readonly inexactLiterals: readonly string[];
}

/** In characters; what is parsed takes a few hundred bytes for each. */
const maximumParsed = 64 * 1024;

/** Keeps expressions parsed: that takes longer than evaluating most of them, and executions and iterations evaluate the same ones. */
export class ParsedExpressions {
  readonly #parsed = new BoundedMap<string, ParsedExpression>(maximumParsed, ({ length }) => length);

  /** Throws JSONata's error for one that can't be parsed. */
  parse(expression: string): ParsedExpression {
    const known = this.#parsed.get(expression);
    if (known !== undefined) return known;
    const compiled = jsonata(expression, { stack: maximumCalls, sequence: maximumSequence });
    boundSteps(compiled);
    const tree = compiled.ast();
    const parsed = {
      length: expression.length,
      compiled,
      isPath: isPath(tree),
      inexactLiterals: mayLoseDigits(expression) ? inexactLiterals(expression, tree) : [],
    };
    if (expression.length <= maximumParsed) this.#parsed.set(expression, parsed);
    return parsed;
  }
}

/** What expressions are evaluated with. */
export interface ScopeData {
  readonly expressions: ParsedExpressions;
  /** For an expression that only names a value. */
  readonly exact: JsonObject;
  /** For any other expression: with the nearest number in place of each number that JavaScript can't hold. */
  readonly nearest: JsonObject;
  /** Notes the numbers that are read from `nearest`. */
  readonly roundings: Roundings;
}

/**
 * Evaluates the expression to JSON text. An expression that only names a value returns it with all digits of its numbers; any other one
 * computes with the nearest numbers. `hidesReason`: an error doesn't give its reason, which may quote what was built from a secret. Rejects
 * with a NodeError whose message is for users.
 */
export async function evaluateToText(
  expression: string,
  data: ScopeData,
  hidesReason = false,
): Promise<string> {
  const name = nameExpression(expression);
  try {
    const parsed = data.expressions.parse(expression);
    for (const literal of parsed.inexactLiterals) data.roundings.note(literal, literal);
    // Each evaluation has variables of its own.
    return writeBoundedJson(await parsed.compiled.evaluate(parsed.isPath ? data.exact : data.nearest), name);
  } catch (error) {
    if (error instanceof NodeError) throw error;
    // JSONata writes JSON as well.
    if (error instanceof BoundExceeded) throw refused(name, error);
    const reason = hidesReason ? 'the reason is hidden, because it reads a secret.' : shortMessage(error);
    throw new NodeError('expression_failed', `${name} failed: ${reason}`);
  }
}

/** Evaluates the expression to the value of that JSON text. */
export async function evaluateToValue(expression: string, data: ScopeData): Promise<JsonValue> {
  return parseJson(await evaluateToText(expression, data)) ?? null;
}

/** JSONata's message can contain a whole value. */
function shortMessage(error: unknown): string {
  return truncateText(messageOf(error), maximumReason);
}

/** Checks the result of each evaluation step, so that strings and lists can't grow until memory runs out. */
function boundSteps(expression: { assign(name: string | symbol, value: unknown): void }): void {
  expression.assign(Symbol.for('jsonata.__evaluate_exit'), refuseLarge);
}

function refuseLarge(_step: unknown, _input: unknown, _frame: unknown, value: unknown): void {
  if (typeof value === 'string' && value.length > maximumCharacters)
    throw new RangeError('An intermediate string exceeds 1 MiB.');
  if (Array.isArray(value) && value.length > maximumItems)
    throw new RangeError(`An intermediate array has more than ${maximumItems} items.`);
}

/** How many empty templates of either kind are reported for each member. */
const maximumEmpty = 20;

/** Fills all strings in a value. A string that consists of a single `{{ … }}` becomes the value itself. */
export async function render(
  value: JsonValue,
  data: ScopeData,
  { secrets, ...encoded }: RenderOptions,
  read: ExpressionReader,
): Promise<Rendered> {
  const hasSecrets = Object.keys(secrets).length > 0;
  const filling = new Filling(
    data,
    encoded,
    hasSecrets ? { data: withSecrets(data, secrets), read } : undefined,
  );
  const filled = await filling.fillAll(value, []);
  return { value: filled.value, shown: filling.hidesAny ? filled.shown : null, empty: filling.empty };
}

/** The other variables are left as they are: some are parsed when they are read. */
function withSecrets({ exact, nearest, ...rest }: ScopeData, secrets: SecretValues): ScopeData {
  const add = (variables: JsonObject): JsonObject =>
    Object.defineProperties<JsonObject>(
      {},
      {
        ...Object.getOwnPropertyDescriptors(variables),
        secrets: { enumerable: true, value: secrets },
      },
    );
  return { ...rest, exact: add(exact), nearest: add(nearest) };
}

/** Whether the expression names `secrets`. No other expression gets any. */
function readsSecrets(expression: string, read: ExpressionReader): boolean {
  return read(expression).references.some(([root]) => root.name === 'secrets');
}

/** Returns the names of the secrets that the templates in a value read. */
export function findSecrets(value: JsonValue, read: ExpressionReader): readonly string[] {
  const names = new Set<string>();
  for (const text of textsIn(value))
    for (const expression of readTemplate(text).expressions)
      for (const [root, secret] of read(expression).references)
        if (root.name === 'secrets' && secret) names.add(secret.name);
  return [...names];
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

const nowhere: EncodedMembers = { address: null, json: null };

/** Fills a text; all inserted values become text. */
export async function renderText(text: string, data: ScopeData): Promise<string> {
  return (await new Filling(data, nowhere).fill(readTemplate(text), [])).value;
}

/** The members in which values are encoded. */
type EncodedMembers = Pick<RenderOptions, 'address' | 'json'>;

/** What expressions that read secrets are evaluated with. */
interface WithSecrets {
  readonly data: ScopeData;
  readonly read: ExpressionReader;
}

/** A value whose texts are filled, and what may be shown of it. */
interface Filled<T = JsonValue> {
  readonly value: T;
  /** With `***` in place of the results of expressions that read secrets. */
  readonly shown: T;
}

/** Fills templates with values, and notes which of their expressions gave null or nothing. */
class Filling {
  readonly #data: ScopeData;
  readonly #encoded: EncodedMembers;
  readonly #withSecrets: WithSecrets | undefined;
  readonly empty: EmptyTemplate[] = [];
  /** The number of empty templates of each member, of either kind. */
  readonly #emptyOf = new Map<string, number>();
  #hidesAny = false;

  constructor(data: ScopeData, encoded: EncodedMembers, withSecrets?: WithSecrets) {
    this.#data = data;
    this.#encoded = encoded;
    this.#withSecrets = withSecrets;
  }

  /** Whether an expression read secrets. */
  get hidesAny(): boolean {
    return this.#hidesAny;
  }

  async fillAll(value: JsonValue, path: readonly string[]): Promise<Filled> {
    if (typeof value === 'string') {
      const template = readTemplate(value);
      const [expression] = template.expressions;
      if (!template.isValue || expression === undefined) return this.fill(template, path);
      const { json, isHidden } = await this.#evaluate(expression, path, true);
      const result = parseJson(json) ?? null;
      return { value: result, shown: isHidden ? hiddenValue : result };
    }
    if (isJsonArray(value)) {
      const items: Filled[] = [];
      for (const [index, item] of value.entries())
        items.push(await this.fillAll(item, [...path, String(index)]));
      return { value: items.map((item) => item.value), shown: items.map(({ shown }) => shown) };
    }
    if (!isJsonObject(value)) return { value, shown: value };
    const members: (readonly [string, Filled])[] = [];
    for (const [name, member] of Object.entries(value))
      members.push([name, await this.fillAll(member, [...path, name])]);
    return {
      value: Object.fromEntries(members.map(([name, member]) => [name, member.value])),
      shown: Object.fromEntries(members.map(([name, { shown }]) => [name, shown])),
    };
  }

  async fill({ texts, expressions, isValue }: Template, path: readonly string[]): Promise<Filled<string>> {
    const filled = this.#createText(path);
    const shown = this.#createText(path);
    const add = (text: string): void => {
      filled.add(text);
      shown.add(text);
    };
    add(isValue ? '' : (texts[0] ?? ''));
    for (const [index, expression] of expressions.entries()) {
      const { json, isHidden } = await this.#evaluate(expression, path, isValue);
      filled.put(json, expression);
      shown.put(isHidden ? stringifyJson(hiddenValue) : json, expression);
      add(isValue ? '' : (texts[index + 1] ?? ''));
      if (filled.text.length > maximumCharacters)
        throw new NodeError('output_too_large', 'The filled text exceeds 1 MiB.');
    }
    filled.check();
    return { value: filled.text, shown: shown.text };
  }

  #createText(path: readonly string[]): FilledText {
    const [member] = path;
    if (path.length !== 1 || member === undefined) return new FilledText();
    const { address, json } = this.#encoded;
    if (member === address) return new AddressText();
    return member === json ? new FilledJson() : new FilledText();
  }

  async #evaluate(
    expression: string,
    path: readonly string[],
    isValue: boolean,
  ): Promise<{ readonly json: string; readonly isHidden: boolean }> {
    const secrets = this.#withSecrets;
    const isHidden = secrets !== undefined && readsSecrets(expression, secrets.read);
    this.#hidesAny ||= isHidden;
    const json = await evaluateToText(expression, isHidden ? secrets.data : this.#data, isHidden);
    if (json === 'null') this.#noteEmpty({ path, isValue, expression: shortExpression(expression.trim()) });
    return { json, isHidden };
  }

  #noteEmpty(empty: EmptyTemplate): void {
    const kind = `${empty.path[0] ?? ''} ${empty.isValue}`;
    const count = this.#emptyOf.get(kind) ?? 0;
    this.#emptyOf.set(kind, count + 1);
    if (count < maximumEmpty) this.empty.push(empty);
  }
}

/** True for a path of names and indexes, such as `nodes.call.body.items[0].id`: it returns what it names and computes nothing. */
function isPath(tree: unknown): boolean {
  if (!isJsonObject(tree) || tree['type'] !== 'path' || tree['group'] !== undefined) return false;
  const { steps } = tree;
  return isJsonArray(steps) && steps.every((step, index) => isJsonObject(step) && isStep(step, index === 0));
}

/** A path step that has one of these members does more than name a member. */
const computing = ['focus', 'index', 'ancestor', 'tuple', 'group'];

function isStep(step: JsonObject, isFirst: boolean): boolean {
  const isRoot = isFirst && step['type'] === 'variable' && (step['value'] === '' || step['value'] === '$');
  if (!isRoot && step['type'] !== 'name') return false;
  if (computing.some((name) => step[name] !== undefined)) return false;
  return [step['stages'], step['predicate']].every(
    (filters) => filters === undefined || (isJsonArray(filters) && filters.every(isIndex)),
  );
}

function isIndex(filter: JsonValue): boolean {
  const test = isJsonObject(filter) && filter['type'] === 'filter' ? filter['expr'] : undefined;
  return isJsonObject(test) && (test['type'] === 'number' || test['type'] === 'string');
}

/** Returns the numbers written in an expression that JavaScript can't hold, with their digits as written. */
function inexactLiterals(expression: string, tree: unknown): readonly string[] {
  const found: string[] = [];
  const open = [tree];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (Array.isArray(part)) open.push(...(part as readonly unknown[]));
    if (!isJsonObject(part)) continue;
    open.push(...Object.values(part));
    const { type, position } = part;
    if (type !== 'number' || typeof position !== 'number') continue;
    const [literal] = /\d[\d.]*(?:[eE][-+]?\d+)?$/.exec(expression.slice(0, position)) ?? [];
    if (literal !== undefined && !isLossless(literal)) found.push(literal);
  }
  return found;
}
