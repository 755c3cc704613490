// Sets or removes one value in JSON text, which leaves everything else as it stands.
import { applyEdits } from 'jsonc-parser';
import { type JsonValue, stringifyJson } from '../base/json.ts';
import { appendValue, type Edit, removeChildren, setMember } from './jsonEdits.ts';
import { findAt } from './jsonNodes.ts';
import { readJsonText } from './jsonText.ts';
import { endOf, type Range, rangeOf } from './range.ts';

/** Sets the value at a path, with the objects around it that are missing, or removes it. A text that isn't JSON stays as it is. */
export function setJsonValue(
  text: string,
  path: readonly (string | number)[],
  value: JsonValue | undefined,
): string {
  const { root } = readJsonText(text);
  const [segment, above] = [path.at(-1), path.slice(0, -1)];
  const parent = root && findAt(root, above.map(String));
  if (segment === undefined || root === undefined) return text;
  const isEmptyMember = parent?.type === 'object' && parent.children?.length === 0 && above.length > 0;
  if (isEmptyMember || (parent?.type !== 'object' && parent?.type !== 'array'))
    return value === undefined ? text : setJsonValue(text, above, { [segment]: value });
  const known = findAt(parent, [String(segment)]);
  if (value === undefined) {
    const gone = parent.type === 'array' ? known : known?.parent;
    return gone === undefined ? text : apply(text, removeChildren(parent, new Set([gone])));
  }
  const write = writerFor(text, parent);
  if (known !== undefined) return apply(text, [{ ...rangeOf(known), content: write(value) }]);
  return apply(text, [
    parent.type === 'array'
      ? appendValue(text, parent, write(value))
      : setMember(text, parent, String(segment), value, write),
  ]);
}

const apply = (text: string, edits: readonly Edit[]): string => applyEdits(text, [...edits]);

/** Writes a value over several lines where what it's in has several, indented as the text is. */
function writerFor(text: string, parent: Range): (value: JsonValue) => string {
  const isLaidOut = /[\r\n]/.test(text.slice(parent.offset, endOf(parent)));
  if (!isLaidOut) return stringifyJson;
  const [, unit = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  const line = indentAt(text, parent.offset);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return (value) => stringifyJson(value, unit).replaceAll('\n', `${eol}${line}${unit}`);
}

/** The white space that the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
