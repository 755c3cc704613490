// JSON of many megabytes as text, without blocking the extension host: piece by piece, in few lines.
import { isJsonArray, type JsonObject, type JsonValue } from '../../../../base/json.ts';

/** From about this many characters on a value is large. */
const largeSize = 1_000_000;
/** In a large value, what fits in this many characters stands on one line. */
const lineLength = 160;
/** How long the host is held up at a time. */
const sliceMs = 10;
const linesBetweenLooks = 200;

/** What is left of a number of characters after the value, about; negative as soon as it does not fit. */
function leftAfter(value: JsonValue, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 5;
  let left = room - 2;
  if (isJsonArray(value)) {
    for (const item of value) {
      left = leftAfter(item, left - 1);
      if (left < 0) return left;
    }
    return left;
  }
  for (const name of Object.keys(value)) {
    left = leftAfter(value[name] ?? null, left - name.length - 4);
    if (left < 0) return left;
  }
  return left;
}

/** The value's lines without line ends. before: what precedes it on its first line. */
function* linesOf(value: JsonValue, indent: string, before: string, after: string): Generator<string> {
  const isShort = typeof value !== 'object' || value === null || leftAfter(value, lineLength) >= 0;
  if (isShort) {
    yield `${indent}${before}${JSON.stringify(value)}${after}`;
    return;
  }
  const [open, close] = isJsonArray(value) ? '[]' : '{}';
  yield `${indent}${before}${open}`;
  yield* isJsonArray(value) ? itemLines(value, `${indent}  `) : memberLines(value, `${indent}  `);
  yield `${indent}${close}${after}`;
}

function* itemLines(items: readonly JsonValue[], indent: string): Generator<string> {
  for (const [at, item] of items.entries())
    yield* linesOf(item, indent, '', at + 1 < items.length ? ',' : '');
}

function* memberLines(value: JsonObject, indent: string): Generator<string> {
  const names = Object.keys(value);
  for (const [at, name] of names.entries()) {
    const after = at + 1 < names.length ? ',' : '';
    yield* linesOf(value[name] ?? null, indent, `${JSON.stringify(name)}: `, after);
  }
}

/** True for what stands in few lines by itself. */
export function isLarge(value: JsonValue): boolean {
  return leftAfter(value, largeSize) < 0;
}

/** Indented JSON with a line end; compact: each part that is small on a line of its own. Rejects with the signal's reason. */
export async function renderJson(
  value: JsonValue,
  signal: AbortSignal,
  isCompact = isLarge(value),
): Promise<string> {
  if (!isCompact) return `${JSON.stringify(value, null, 2)}\n`;
  const lines: string[] = [];
  let begin = performance.now();
  for (const line of linesOf(value, '', '', '')) {
    lines.push(line);
    if (lines.length % linesBetweenLooks > 0 || performance.now() - begin < sliceMs) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    begin = performance.now();
  }
  lines.push('');
  const text = lines.join('\n');
  // Handing it over takes a while too, so that is a piece of its own.
  await new Promise<void>((resolve) => setImmediate(resolve));
  return text;
}
