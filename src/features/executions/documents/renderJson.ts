// Renders large JSON as text without blocking the extension host.
import { asJson, sizeOf } from '../../../base/boundedJson.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../base/json.ts';
import { Slices } from '../../../base/slices.ts';

/** A value is large from about this many characters. */
const largeSize = 1_000_000;
/** In a large value, a part that fits in this many characters is written on one line. */
const lineLength = 160;
const linesBetweenLooks = 200;

/** True if the value has about this many characters or fewer. */
function isWithin(value: JsonValue, characters: number): boolean {
  return sizeOf(value, asJson, characters) <= characters;
}

/** Yields the value's lines without line ends. before: the text in front of the value on its first line. */
function* linesOf(value: JsonValue, indent: string, before: string, after: string): Generator<string> {
  const isContainer = isJsonArray(value) || isJsonObject(value);
  if (!isContainer || isWithin(value, lineLength)) {
    yield `${indent}${before}${stringifyJson(value)}${after}`;
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
    yield* linesOf(value[name] ?? null, indent, `${stringifyJson(name)}: `, after);
  }
}

/** True if the value is written in the compact layout by default. */
export function isLarge(value: JsonValue): boolean {
  return !isWithin(value, largeSize);
}

/** Returns indented JSON with a trailing line end. isCompact: writes each small part on one line. Rejects with the signal's reason. */
export async function renderJson(
  value: JsonValue,
  signal: AbortSignal,
  isCompact = isLarge(value),
): Promise<string> {
  if (!isCompact) return `${stringifyJson(value, 2)}\n`;
  const lines: string[] = [];
  const slices = new Slices(signal);
  for (const line of linesOf(value, '', '', '')) {
    lines.push(line);
    if (lines.length % linesBetweenLooks === 0 && slices.isOver) await slices.next();
  }
  lines.push('');
  const text = lines.join('\n');
  // The editor takes a while to take over the text, so yield first.
  await slices.next();
  return text;
}
