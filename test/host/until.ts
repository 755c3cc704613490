// What is drawn or stored follows later; a test asks again until it is so, and says what it last saw when it never is.

const limitMilliseconds = 60_000;
const pauseMilliseconds = 50;

/** Reads until the value is as wanted; rejects with the last value after 60 s. */
export async function until<T>(read: () => T | PromiseLike<T>, isWanted: (value: T) => boolean): Promise<T> {
  const end = performance.now() + limitMilliseconds;
  while (true) {
    const value = await read();
    if (isWanted(value)) return value;
    if (performance.now() > end) throw new Error(`Still not so: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  }
}

/** How long a person waits before doing it again: longer than a slow machine takes, since what comes late would come twice. */
const patienceMilliseconds = 10_000;

/**
 * Does what is lost where something is being drawn anew, such as a click, and does it again while it has brought nothing within 10 s. So it must
 * be something that may happen twice. act: returns false when it couldn't be done yet.
 */
export async function actUntil(
  act: () => Promise<unknown>,
  isBrought: () => boolean | PromiseLike<boolean>,
): Promise<void> {
  let actedAt = -Infinity;
  await until(async () => {
    const isDue = performance.now() - actedAt > patienceMilliseconds;
    if (isDue && (await act()) !== false) actedAt = performance.now();
    return isBrought();
  }, Boolean);
}
