// A worker that runs out of memory ends, but a single allocation far beyond its limit ends the whole process. The built-ins that
// JSONata uses to create large values are therefore limited for everything that runs in the worker.
import { measure } from './boundedJson.ts';
import { maximumCharacters, maximumItems } from './limits.ts';

/** Replaces the worker's own `Array`, `Array.prototype.join` and `JSON.stringify`. */
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
