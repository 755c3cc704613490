// Why: optional members may not be undefined on the api's face; this leaves out what was not given.
import type { CallOptions, Priority } from '../api/client.ts';

/** The options of a call; without a priority it is the user's own. */
export function callOptions(signal?: AbortSignal, priority?: Priority): CallOptions {
  return { ...(signal ? { signal } : {}), ...(priority ? { priority } : {}) };
}
