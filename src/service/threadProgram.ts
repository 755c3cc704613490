import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Returns the program of a thread: the source beside the file that starts it, whose `import.meta.url` is `from`, or the bundle beside the
 * service's. Throws when it's missing.
 */
export function threadProgram(from: string, source: string, bundle: string): URL {
  const program = new URL(from.endsWith('.ts') ? source : bundle, from);
  if (!existsSync(program))
    throw new Error(`The file ${fileURLToPath(program)} is missing; install the extension again.`);
  return program;
}
