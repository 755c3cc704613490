import type { Purpose } from '../domain/budget.ts';
import type { CallOptions } from '../domain/queries.ts';

/** Returns the options of a call, without members that are undefined. Without a purpose, it's a call that the user requested. */
export function callOptions(signal?: AbortSignal, purpose?: Purpose): CallOptions {
  return { ...(signal ? { signal } : {}), ...(purpose ? { purpose } : {}) };
}
