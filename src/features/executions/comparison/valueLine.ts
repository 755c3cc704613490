// Values as JSON on one line, truncated: what looks the same must be the same, and a long text is truncated around its difference.
import * as l10n from '@vscode/l10n';
import { writeJson } from '../../../base/boundedJson.ts';
import type { JsonValue } from '../../../base/json.ts';
import { jsonLine } from '../../../editor/format.ts';

const maximum = 160;
/** How much of a text is shown in front of its difference. */
const before = 40;
const block = 4096;

function renderValue(value: JsonValue | undefined): string {
  return value === undefined ? l10n.t('(nothing)') : jsonLine(writeJson(value, maximum), maximum);
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
  if (from === 0) return renderValue(text);
  return `…${jsonLine(writeJson(text.slice(from), maximum), maximum - 1)}`;
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
