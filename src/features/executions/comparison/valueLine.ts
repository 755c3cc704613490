// Values as JSON on one line, cut: what looks the same must be the same, and a long text is cut around its difference.
import * as l10n from '@vscode/l10n';
import { isJsonArray, type JsonValue } from '../../../base/json.ts';
import { escapeUnseen } from '../../../editor/format.ts';

const maximum = 160;
/** How much of a text is shown in front of its difference. */
const before = 40;
const block = 4096;

/** Yields the JSON in pieces, so that a large value costs only what is shown of it. */
function* piecesOf(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield JSON.stringify(value.slice(0, maximum + 1));
  else if (typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else if (isJsonArray(value)) {
    yield '[';
    for (const [at, item] of value.entries()) {
      if (at > 0) yield ',';
      yield* piecesOf(item);
    }
    yield ']';
  } else {
    yield '{';
    let separator = '';
    for (const name of Object.keys(value)) {
      yield `${separator}${JSON.stringify(name.slice(0, maximum + 1))}:`;
      yield* piecesOf(value[name] ?? null);
      separator = ',';
    }
    yield '}';
  }
}

function cutAt(text: string): string {
  return text.length > maximum ? `${text.slice(0, maximum - 1)}…` : text;
}

function renderValue(value: JsonValue | undefined): string {
  if (value === undefined) return l10n.t('(nothing)');
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length > maximum) break;
  }
  return escapeUnseen(cutAt(text));
}

/** How many characters are the same from the beginning. Blocks are compared as a whole, since texts may be very long. */
function countSame(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let same = 0;
  while (same + block < length && left.startsWith(right.slice(same, same + block), same)) same += block;
  while (same < length && left.charCodeAt(same) === right.charCodeAt(same)) same += 1;
  return same;
}

/** Where the shown part begins; 0 if both texts are short, or differ near their beginning. */
function findCut(left: string, right: string): number {
  if (Math.max(left.length, right.length) <= maximum - 2) return 0;
  const same = countSame(left, right);
  return same < before * 2 ? 0 : same - before;
}

function renderText(text: string, from: number): string {
  const json = JSON.stringify(text.slice(from, from + maximum));
  return escapeUnseen(cutAt(from === 0 ? json : `…${json}`));
}

/** Renders two values that differ. A side is undefined where there's no such field. */
export function renderValues(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): readonly [left: string, right: string] {
  if (typeof left !== 'string' || typeof right !== 'string') return [renderValue(left), renderValue(right)];
  const from = findCut(left, right);
  return [renderText(left, from), renderText(right, from)];
}
