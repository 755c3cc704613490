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
