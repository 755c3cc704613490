import { readFile, stat } from 'node:fs/promises';
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { UsageError } from './given.ts';

/** Definitions and inputs are at most as large as what a service takes, in bytes. */
const maximumBytes = 5 * 1024 * 1024;

function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EISDIR':
      return "it's a folder";
    case 'EACCES':
    case 'EPERM':
      return "it isn't allowed";
    default:
      return 'it failed';
  }
}

/** Reads a file, or stdin for "-". Throws a UsageError if that fails, and for more than 5 MiB. */
export async function readText(path: string): Promise<string> {
  const tooLarge = new UsageError(`${path} is too large. The maximum is 5 MiB.`);
  if (path === '-') {
    let text = '';
    process.stdin.setEncoding('utf8');
    for await (const chunk of process.stdin) {
      text += String(chunk);
      if (text.length > maximumBytes) throw tooLarge;
    }
    return text;
  }
  try {
    if ((await stat(path)).size > maximumBytes) throw tooLarge;
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Can't read ${path}: ${describeFailure(error)}.`);
  }
}

/** Throws a UsageError for anything but a JSON object. what: begins the message, such as "The input". */
export function toObject(text: string, what: string): JsonObject {
  const value = parseJson(text.replace(/^\ufeff/, ''));
  if (!isJsonObject(value)) throw new UsageError(`${what} isn't a JSON object. Nothing was sent.`);
  return value;
}
