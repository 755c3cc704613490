// A sandbox whose workers start in a third of the time.
import { Sandbox, type SandboxOptions } from '../../src/service/sandbox/sandbox.ts';

/** A worker has no environment, so it wouldn't find what Node made of the sources earlier. */
export const workerProgram = new URL('./compiledWorker.ts', import.meta.url);

export const createSandbox = (options: SandboxOptions = {}): Sandbox =>
  new Sandbox({ program: workerProgram, ...options });
