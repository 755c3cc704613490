// Evaluates authors' expressions. Runs in a worker, which is terminated when it exceeds its time or memory limit.
import jsonata from 'jsonata';
import { type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import { NodeError } from '../engine/nodeError.ts';
import { writeJson } from './boundedJson.ts';
import { maximumCalls, maximumCharacters, maximumItems, maximumSequence } from './limits.ts';
import { nameExpression } from './words.ts';

const maximumReason = 500;

/** Evaluates the expression to JSON text. Rejects with a NodeError whose message is for users. */
export async function evaluateToText(expression: string, data: JsonObject): Promise<string> {
  const name = nameExpression(expression);
  try {
    const parsed = jsonata(expression, { stack: maximumCalls, sequence: maximumSequence });
    boundSteps(parsed);
    return writeJson(await parsed.evaluate(data), name);
  } catch (error) {
    if (error instanceof NodeError) throw error;
    throw new NodeError('expression_failed', `${name} failed: ${messageOf(error)}`);
  }
}

/** Evaluates the expression to the value of that JSON text. */
export async function evaluateToValue(expression: string, data: JsonObject): Promise<JsonValue> {
  return parseJson(await evaluateToText(expression, data)) ?? null;
}

/** Returns the reason that the expression can't be parsed; undefined when it can. */
export function findSyntaxFault(expression: string): string | undefined {
  try {
    jsonata(expression);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** JSONata throws plain objects; their message can contain a whole value. */
function messageOf(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null && 'message' in error;
  const message = isObject && typeof error.message === 'string' ? error.message : String(error);
  return message.length > maximumReason ? `${message.slice(0, maximumReason)}…` : message;
}

/** Checks the result of each evaluation step, so that strings and lists can't grow until memory runs out. */
function boundSteps(expression: { assign(name: string | symbol, value: unknown): void }): void {
  expression.assign(Symbol.for('jsonata.__evaluate_exit'), refuseLarge);
}

function refuseLarge(_step: unknown, _input: unknown, _frame: unknown, value: unknown): void {
  if (typeof value === 'string' && value.length > maximumCharacters)
    throw new RangeError('A text on the way has more than 1 MiB.');
  if (Array.isArray(value) && value.length > maximumItems)
    throw new RangeError(`A list on the way has more than ${maximumItems} items.`);
}
