// Edits of JSON text that leave everything else as it stands; what is new is laid out like what stands beside it. Pure.
import { modify, type Node } from 'jsonc-parser';
import { type JsonObject, type JsonValue, stringifyJson } from '../base/json.ts';
import { findAt } from './jsonNodes.ts';
import { endOf, type Range, rangeOf } from './range.ts';

/** What replaces a part of a text. */
export interface Edit extends Range {
  readonly content: string;
}

/** Sets a member of an object, as its last one if it's new. `write`: default: in one line. */
export function setMember(
  text: string,
  object: Node,
  name: string,
  value: JsonValue,
  write: (value: JsonValue) => string = stringifyJson,
): Edit {
  const found = findAt(object, [name]);
  if (found !== undefined) return { ...rangeOf(found), content: write(value) };
  const { before, colon } = layoutOf(text, object);
  return append(object, before, `${stringifyJson(name)}${colon}${write(value)}`);
}

/** Appends a value, which is written as JSON, to a list. */
export function appendValue(text: string, list: Node, content: string): Edit {
  return append(list, layoutOf(text, list).before, content);
}

/** Appends an object to a list of the root, laid out like the last one there. */
export function appendItem(text: string, root: Node, list: string, item: JsonObject): readonly Edit[] {
  const array = findAt(root, [list]);
  const last = array?.children?.at(-1);
  if (array === undefined || last?.type !== 'object')
    return modify(text, [list], [item], {
      formattingOptions: { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' },
    });
  const { before, colon, after } = layoutOf(text, last);
  const members = Object.entries(item).map(
    ([name, value]) => `${before}${stringifyJson(name)}${colon}${stringifyJson(value)}`,
  );
  return [append(array, layoutOf(text, array).before, `{${members.join(',')}${after}}`)];
}

/** Removes items of a list, or members of an object, with their commas. */
export function removeChildren({ offset, length, children = [] }: Node, gone: ReadonlySet<Node>): Edit[] {
  const firstKept = children.findIndex((child) => !gone.has(child));
  if (firstKept === -1) return [{ offset: offset + 1, length: length - 2, content: '' }];
  return children.flatMap((child, index) => {
    if (!gone.has(child)) return [];
    const next = children[index + 1];
    const start = index < firstKept ? child.offset : endOf(children[index - 1] ?? child);
    const end = index < firstKept && next !== undefined ? next.offset : endOf(child);
    return [{ offset: start, length: end - start, content: '' }];
  });
}

/** The space that stands in a list or an object, as its first child shows it. */
function layoutOf(text: string, { offset, length, children = [] }: Node) {
  const [first] = children;
  const last = children.at(-1);
  if (first === undefined || last === undefined) return { before: ' ', colon: ': ', after: ' ' };
  const [name, value] = first.children ?? [];
  const isMember = first.type === 'property' && name !== undefined && value !== undefined;
  return {
    before: text.slice(offset + 1, first.offset),
    colon: isMember ? text.slice(endOf(name), value.offset) : ': ',
    after: text.slice(endOf(last), offset + length - 1),
  };
}

function append({ offset, length, children = [] }: Node, before: string, content: string): Edit {
  const last = children.at(-1);
  return last === undefined
    ? { offset: offset + 1, length: length - 2, content: `${before}${content}${before}` }
    : { offset: endOf(last), length: 0, content: `,${before}${content}` };
}
