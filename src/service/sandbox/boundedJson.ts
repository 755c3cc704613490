// Values are measured before they're serialized: a value with shared parts takes little memory but can have a huge JSON text.
import { maximumJsonDepth } from '../../base/json.ts';
import { NodeError } from '../engine/nodeError.ts';
import { maximumCharacters } from './limits.ts';

const nativeStringify = JSON.stringify;

class BoundExceeded extends Error {
  readonly code: 'output_too_large' | 'too_deep';

  constructor(code: BoundExceeded['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Serializes a value; undefined and functions become null. Throws a NodeError when it's too large or too deep. */
export function writeJson(value: unknown, what: string): string {
  try {
    measure(value);
  } catch (error) {
    if (error instanceof BoundExceeded) throw new NodeError(error.code, `${what} gave ${error.message}.`);
    throw error;
  }
  const text = nativeStringify(value ?? null, functionsAsNull);
  if (text.length > maximumCharacters)
    throw new NodeError('output_too_large', `${what} gave more than 1 MiB.`);
  return text;
}

/**
 * Throws an error when the value has more than 1 MiB or 200 levels as JSON. Stops once the limit is exceeded, so shared parts and
 * circular values end quickly.
 */
export function measure(value: unknown, indent = 0): void {
  let left = maximumCharacters;
  const take = (size: number): void => {
    left -= size;
    if (left < 0) throw new BoundExceeded('output_too_large', 'more than 1 MiB');
  };
  const visit = (part: unknown, depth: number): void => {
    take(1 + indent * depth);
    if (typeof part === 'string') take(part.length);
    if (typeof part !== 'object' || part === null || isFunction(part)) return;
    if (depth === maximumJsonDepth)
      throw new BoundExceeded('too_deep', `JSON that is more than ${maximumJsonDepth} deep`);
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
