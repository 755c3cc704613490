import { setImmediate } from 'node:timers/promises';

/** Does the work, and returns the errors that nobody caught meanwhile, such as those of listeners. */
export async function catchUncaught(work: () => unknown): Promise<readonly unknown[]> {
  const caught: unknown[] = [];
  process.setUncaughtExceptionCaptureCallback((error) => caught.push(error));
  try {
    await work();
    await setImmediate();
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
  return caught;
}
