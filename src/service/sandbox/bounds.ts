// Limits of authors' values. Runs in a worker: one that exceeds its memory limit is terminated, but a single allocation far beyond it ends
// the whole process. So the size of each value is limited as well, and with it the built-ins that JSONata uses to create large values.
import { isExactNumber } from '../../base/json.ts';
import { maximumJsonDepth } from '../../base/jsonScan.ts';
import { NodeError } from '../errors.ts';

/** For a result as JSON and for each intermediate string, in UTF-16 units. */
export const maximumCharacters = 1024 * 1024;
/** For each intermediate list. */
export const maximumItems = 1024 * 1024;
/** For the sequences that JSONata creates, such as a range or the results of a path. */
export const maximumSequence = 100_000;
/** The maximum depth of nested calls. */
export const maximumCalls = 500;

const nativeStringify = JSON.stringify;

/** The message completes a sentence, such as "gave more than 1 MiB". */
export class BoundExceeded extends Error {
  readonly code: 'output_too_large' | 'too_deep' | 'expression_failed';

  constructor(code: BoundExceeded['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Serializes a value; undefined and functions become null. Throws a NodeError when it's too large or too deep. It's measured first: a value
 * with shared parts takes little memory but can have a huge JSON text.
 */
export function writeBoundedJson(value: unknown, what: string): string {
  try {
    measure(value);
  } catch (error) {
    throw error instanceof BoundExceeded ? refused(what, error) : error;
  }
  const text = nativeStringify(value ?? null, functionsAsNull);
  if (text.length > maximumCharacters)
    throw new NodeError('output_too_large', `${what} gave more than 1 MiB.`);
  return text;
}

/** The error for users. */
export function refused(what: string, { code, message }: BoundExceeded): NodeError {
  return new NodeError(code, `${what} gave ${message}.`);
}

/**
 * Throws an error when the value has more than 1 MiB or 200 levels as JSON, or a number that JSON would write as null. Stops once the limit is exceeded, so shared parts and
 * circular values end quickly.
 */
function measure(value: unknown, indent = 0): void {
  let left = maximumCharacters;
  const take = (size: number): void => {
    left -= size;
    if (left < 0) throw new BoundExceeded('output_too_large', 'more than 1 MiB');
  };
  const visit = (part: unknown, depth: number): void => {
    take(1 + indent * depth);
    if (typeof part === 'string') take(part.length);
    if (typeof part === 'number' && !Number.isFinite(part))
      throw new BoundExceeded('expression_failed', `${part}, which isn't a number in JSON`);
    if (typeof part !== 'object' || part === null || isFunction(part)) return;
    if (isExactNumber(part)) {
      take(part.rawJSON.length);
      return;
    }
    if (depth === maximumJsonDepth)
      throw new BoundExceeded('too_deep', `JSON nested more than ${maximumJsonDepth} levels deep`);
    if (Array.isArray(part)) {
      for (const item of part) visit(item, depth + 1);
      return;
    }
    for (const [name, member] of Object.entries(part)) {
      take(name.length);
      visit(member, depth + 1);
    }
  };
  visit(value, 0);
}

function functionsAsNull(_name: string, value: unknown): unknown {
  return isFunction(value) ? null : value;
}

/** JSONata's own functions are objects that hold their whole environment. */
function isFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    ('_jsonata_lambda' in value || '_jsonata_function' in value)
  );
}

/** Limits everything that runs in the worker: replaces its own `Array`, `Array.prototype.join` and `JSON.stringify`. */
export function boundGlobals(): void {
  boundArrays();
  boundJoin();
  boundStringify();
}

function boundArrays(): void {
  const native = Array;
  const bounded = function (...items: unknown[]): unknown {
    const [length] = items;
    if (items.length === 1 && typeof length === 'number' && length > maximumItems)
      throw new RangeError(`a list of more than ${maximumItems} items`);
    return Reflect.construct(native, items);
  };
  Object.defineProperties(bounded, Object.getOwnPropertyDescriptors(native));
  Reflect.set(globalThis, 'Array', bounded);
}

function boundJoin(): void {
  const native = Array.prototype.join;
  Array.prototype.join = function (this: readonly unknown[], separator = ','): string {
    let length = separator.length * this.length;
    for (const item of this) if (typeof item === 'string') length += item.length;
    if (length > maximumCharacters) throw new RangeError('a text of more than 1 MiB');
    return native.call(this, separator);
  };
}

function boundStringify(): void {
  const native: typeof Reflect.apply = Reflect.apply;
  const { stringify } = JSON;
  JSON.stringify = (value: unknown, ...how: readonly unknown[]): string => {
    measure(value, typeof how[1] === 'number' ? how[1] : 0);
    return String(native(stringify, JSON, [value, ...how]));
  };
}
