// Optional members may not be undefined on the api's face; this leaves out what was not given.
import type { Purpose } from '../domain/budget.ts';
import type { CallOptions } from '../domain/queries.ts';

/** The options of a call; without a purpose it is what a person asked for. */
export function callOptions(signal?: AbortSignal, purpose?: Purpose): CallOptions {
  return { ...(signal ? { signal } : {}), ...(purpose ? { purpose } : {}) };
}
