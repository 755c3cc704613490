// A value as short JSON, as a debugger shows it: what lies deep or far behind is folded. For reading only.
import * as l10n from '@vscode/l10n';
import {
  type ExactNumber,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../base/json.ts';
import { truncateJson, escapeUnseen, jsonLine } from '../../../base/format.ts';
import { truncatedValue } from '../../../protocol/truncatedValue.ts';

const maximumDepth = 2;
const maximumMembers = 8;
const maximumText = 100;
const maximumName = 40;
/** A value that fits is written on one line. */
const maximumLine = 60;

/** At most about 70 lines of 150 characters, whatever the value. Only what is shown is looked at. */
export function renderShortJson(value: JsonValue): string {
  const truncated = truncatedValue(value);
  if (truncated !== undefined) return jsonLine({ text: truncated.preview, isTruncated: true }, maximumText);
  return linesOf(value, '', 0).join('\n');
}

function linesOf(value: JsonValue, indent: string, depth: number): readonly string[] {
  if (!isJsonArray(value) && !isJsonObject(value)) return [renderScalar(value)];
  const [open, close] = isJsonArray(value) ? ['[', ']'] : ['{', '}'];
  const count = isJsonArray(value) ? value.length : Object.keys(value).length;
  if (count === 0) return [`${open}${close}`];
  if (depth === maximumDepth) return [`${open}… ${count}${close}`];
  const inner = `${indent}  `;
  const members = isJsonArray(value)
    ? value.slice(0, maximumMembers).map((item) => ['', item] as const)
    : membersOf(value);
  const left = count - members.length;
  const lines = members.flatMap(([name, member], at) => {
    const [first = '', ...rest] = linesOf(member, inner, depth + 1);
    const all = [`${inner}${name}${first}`, ...rest];
    return at + 1 < members.length || left > 0 ? [...all.slice(0, -1), `${all.at(-1) ?? ''},`] : all;
  });
  if (left > 0) lines.push(`${inner}… ${l10n.t('{0} more', left)}`);
  const line = `${open} ${lines.map((each) => each.trim()).join(' ')} ${close}`;
  return line.length <= maximumLine ? [line] : [open, ...lines, `${indent}${close}`];
}

function membersOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .slice(0, maximumMembers)
    .map((name) => [`${quote(name, maximumName)}: `, value[name] ?? null]);
}

function renderScalar(value: string | number | boolean | null | ExactNumber): string {
  return typeof value === 'string'
    ? quote(value, maximumText)
    : truncateJson(stringifyJson(value), maximumText);
}

/** A text of a value may have any characters, also such as reverse the direction of what follows. */
function quote(text: string, maximum: number): string {
  const json = escapeUnseen(stringifyJson(text.slice(0, maximum + 1)));
  return json.length <= maximum + 2 ? json : `${truncateJson(json, maximum + 1)}"`;
}
