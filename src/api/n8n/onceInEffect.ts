import { type Clock, wait } from '../../base/time.ts';

/** How long n8n may not act on it yet: 2 seconds in all, in pauses of so many milliseconds. */
const maximumRetries = 20;
const retryMs = 100;

/** Calls again only where nothing was done: while n8n, which has responded that the workflow is deployed, or is not, doesn't act on it yet. */
export async function onceInEffect<T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
  call: () => Promise<T>,
  isTooEarly: (error: unknown) => boolean,
): Promise<T> {
  for (let retries = 0; ; retries += 1)
    try {
      return await call();
    } catch (error) {
      if (!isTooEarly(error) || retries === maximumRetries) throw error;
      await wait(clock, retryMs, signal);
    }
}
