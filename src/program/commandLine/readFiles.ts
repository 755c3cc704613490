import { readFile, stat } from 'node:fs/promises';
import { unlessAborted } from '../../base/async.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { codeOf } from '../../base/reason.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { readBytes } from '../../protocol/body.ts';
import { UsageError } from './given.ts';

/** Definitions and inputs are at most as large as what a service takes, in bytes. */
const maximumBytes = 5 * 1024 * 1024;

export function describeFailure(error: unknown): string {
  switch (codeOf(error)) {
    case 'EISDIR':
      return "it's a folder";
    case 'EACCES':
    case 'EPERM':
      return "it isn't allowed";
    default:
      return 'it failed';
  }
}

/** undefined: it's too large. */
async function readAtMost(path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  if (path === '-') return unlessAborted(readBytes(process.stdin, maximumBytes), signal);
  return (await stat(path)).size > maximumBytes ? undefined : readFile(path);
}

/**
 * Reads a file, or stdin for "-", without its byte order mark; undefined if there's none. Throws a UsageError if that fails, for more than 5 MiB,
 * and for what isn't UTF-8: other text would change. Rejects with the signal's reason while it waits for stdin.
 */
export async function readTextIfThere(path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const bytes = await readAtMost(path, signal);
    if (bytes === undefined) throw new UsageError(`${path} is too large. The maximum is 5 MiB.`);
    const text = decodeUtf8(bytes);
    if (text === undefined) throw new UsageError(`Can't read ${path}: it isn't UTF-8 text.`);
    return text;
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error;
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new UsageError(`Can't read ${path}: ${describeFailure(error)}.`);
  }
}

/** The same for a file that must be there. */
export async function readText(path: string, signal: AbortSignal): Promise<string> {
  const text = await readTextIfThere(path, signal);
  if (text === undefined) throw new UsageError(`Can't read ${path}: there is no such file.`);
  return text;
}

/** Throws a UsageError for anything but a JSON object. what: begins the message, such as "The input". */
export function toObject(text: string, what: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new UsageError(`${what} isn't a JSON object. Nothing was sent.`);
  return value;
}
