// What a log shows of anything that was thrown or printed.

const unreadable = 'a value that cannot be read';
const deepestCause = 4;
/** In UTF-16 units: the longest text in a log line, and the most that is searched for keys. */
const longestText = 16_384;

/**
 * Describes a value for a log: an error by its stack and its causes, everything else as text. Never throws and always ends, also for a
 * value whose getters throw.
 */
export function reasonOf(value: unknown): string {
  return describe(value, 0);
}

/** Returns the text, or its beginning and its length if it's too long for a log. `length`: of the whole text, if only its beginning is given. */
export function truncateForLog(text: string, length = text.length): string {
  return length <= longestText ? text : `${text.slice(0, longestText)}… (${length} characters)`;
}

function describe(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (tried(() => value instanceof Error) !== true) return tried(() => toText(value)) ?? unreadable;
  const own = readText(value, 'stack') ?? readText(value, 'message') ?? unreadable;
  const cause = depth < deepestCause ? read(value, 'cause') : undefined;
  return cause === undefined ? own : `${own}\nCaused by: ${describe(cause, depth + 1)}`;
}

function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const asJson = tried(() => JSON.stringify(value, (_name, member: unknown) => toJsonMember(member)));
  return asJson ?? Object.prototype.toString.call(value);
}

function toJsonMember(member: unknown): unknown {
  if (typeof member === 'bigint' || typeof member === 'symbol') return String(member);
  return member instanceof Error ? describe(member, deepestCause) : member;
}

function readText(value: unknown, name: string): string | undefined {
  const found = read(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function read(value: unknown, name: string): unknown {
  return tried((): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
  );
}

/** Returns the code that Node's errors and those of many libraries have, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** Returns a text that an error has; undefined for other values. */
export function textOf(error: unknown, name: string): string | undefined {
  return tried(() => error instanceof Error) === true ? readText(error, name) : undefined;
}

/** Returns what was thrown if it's an Error, or else one that says it. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns the message of whatever was thrown: some libraries throw plain objects. */
export function messageOf(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null && 'message' in error;
  return isObject && typeof error.message === 'string' ? error.message : String(error);
}

/** Returns undefined if reading throws. */
export function tried<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}
