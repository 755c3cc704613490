// Why: expressions are written by others; each is bounded in time, depth and size, so that none can hold the service.
import jsonata from 'jsonata';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isJsonList } from '../jsonList.ts';
import { NodeError } from './nodeError.ts';
import { createBoundedRunner } from './boundedRunner.ts';
import type { BoundedRunner } from './boundedRunner.ts';

const defaultTimeoutMs = 1000;
const maximumDepth = 500;
const maximumItems = 100_000;
const maximumCharacters = 1024 * 1024;
const template = /\{\{([\s\S]+?)\}\}/g;

/** Evaluates JSONata over the data of a node run. Rejects with a NodeError that a person can read. */
export async function evaluate(
  expression: string,
  data: JsonObject,
  timeoutMs = defaultTimeoutMs,
): Promise<JsonValue> {
  let value: unknown;
  try {
    const parsed = jsonata(expression, {
      timeout: timeoutMs,
      stack: maximumDepth,
      sequence: maximumItems,
      RegexEngine: createBoundedRegExp(timeoutMs),
    });
    value = await parsed.evaluate(data);
  } catch (error) {
    throw new NodeError(
      'expression_failed',
      `The expression "${shorten(expression)}" failed: ${messageOf(error)}`,
    );
  }
  const text = JSON.stringify(value ?? null, dropFunctions);
  if (text.length > maximumCharacters)
    throw new NodeError('output_too_large', `The expression "${shorten(expression)}" gave more than 1 MiB.`);
  return parseJson(text) ?? null;
}

/** Fills the `{{ … }}` of every text in a value. A text that is one `{{ … }}` alone becomes the value itself. */
export async function renderTemplates(value: JsonValue, data: JsonObject): Promise<JsonValue> {
  if (typeof value === 'string') return renderText(value, data);
  if (isJsonList(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(await renderTemplates(item, data));
    return items;
  }
  if (!isJsonObject(value)) return value;
  const members: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) members[name] = await renderTemplates(member, data);
  return members;
}

/** Renders to text whatever the value is. */
export async function renderMessage(text: string, data: JsonObject): Promise<string> {
  return toText(await renderTemplates(text, data));
}

/** The expressions inside the `{{ … }}` of a text. */
export function templateExpressions(text: string): string[] {
  return [...text.matchAll(template)].map((match) => match[1] ?? '');
}

/** Why the expression cannot be read; undefined when it can. */
export function findSyntaxFault(expression: string): string | undefined {
  try {
    jsonata(expression);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function renderText(text: string, data: JsonObject): Promise<JsonValue> {
  const parts = templateExpressions(text);
  const whole = parts[0];
  if (whole !== undefined && parts.length === 1 && text.trim() === `{{${whole}}}`)
    return evaluate(whole, data);
  const values: string[] = [];
  for (const part of parts) values.push(toText(await evaluate(part, data)));
  return text.replace(template, () => values.shift() ?? '');
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function dropFunctions(_name: string, value: unknown): unknown {
  return typeof value === 'function' ? null : value;
}

function shorten(expression: string): string {
  return expression.length > 80 ? `${expression.slice(0, 80)}…` : expression;
}

/** JSONata throws plain objects with a message. */
function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
    return error.message;
  return String(error);
}

/** Regular expressions whose every search is bounded in time. */
function createBoundedRegExp(timeoutMs: number): RegExpConstructor {
  let run: BoundedRunner | undefined;
  return new Proxy(RegExp, {
    construct(_target, [pattern]: [RegExp | string]) {
      const regExp = new RegExp(pattern);
      const bounded = new RegExp(pattern);
      bounded.exec = (text) => {
        regExp.lastIndex = bounded.lastIndex;
        run ??= createBoundedRunner(timeoutMs);
        const match = run(() => regExp.exec(text));
        bounded.lastIndex = regExp.lastIndex;
        return match;
      };
      return bounded;
    },
  });
}
