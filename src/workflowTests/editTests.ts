// Changes of a file's text that leave everything else as it stands.
import { applyEdits } from 'jsonc-parser';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../base/json.ts';
import { appendValue, type Edit, removeChildren, setMember } from '../definition/jsonEdits.ts';
import { findAt, membersOf } from '../definition/jsonNodes.ts';
import { readJsonText, readJsonValue } from '../definition/jsonText.ts';
import type { Range } from '../definition/range.ts';
import { type FieldPath, renameInField } from '../model/comparison/fieldPatterns.ts';
import type { Difference } from '../model/comparison/jsonDifferences.ts';
import { escapeMatchers } from './matchers.ts';

/** Returns the text in which a test expects what came. Matchers that held, and all that didn't differ, stay. */
export function updateExpected(text: string, testIndex: number, differences: readonly Difference[]): string {
  // From the end, so that items that are removed don't move others.
  return differences.toReversed().reduce((before, { path, right }) => {
    const place = writtenPath(before, ['tests', testIndex, 'expected', ...path]);
    return setValue(before, place, right === undefined ? undefined : escapeMatchers(right));
  }, text);
}

/** Returns the text with one more test at its end. */
export function appendTest(text: string, test: JsonObject): string {
  const { root } = readJsonText(text);
  const tests = root && findAt(root, ['tests']);
  const count = tests?.type === 'array' ? (tests.children ?? []).length : undefined;
  return count === undefined ? setValue(text, ['tests'], [test]) : setValue(text, ['tests', count], test);
}

export function renderTests(workflow: string, tests: readonly JsonObject[]): string {
  return `${stringifyJson({ workflow, tests }, 2)}\n`;
}

/** The edits that give a node another id in all tests of a text. */
export function renameNode(text: string, from: string, to: string): readonly Edit[] {
  const { root } = readJsonText(text);
  const tests = root && findAt(root, ['tests']);
  const places = ['pinned', 'answers', 'expected.nodes'].map((place) => place.split('.'));
  return (tests?.type === 'array' ? (tests.children ?? []) : []).flatMap((test) => {
    const names = places
      .flatMap((place) => membersOf(findAt(test, place)))
      .flatMap(([name]) => (name.value === from ? [{ ...rangeOf(name), content: stringifyJson(to) }] : []));
    const nodeId = findAt(test, ['expected', 'error', 'nodeId']);
    const failed = nodeId?.value === from ? [{ ...rangeOf(nodeId), content: stringifyJson(to) }] : [];
    const ignored = (findAt(test, ['ignore'])?.children ?? []).flatMap((item) => {
      const field = typeof item.value === 'string' ? renameInField(item.value, from, to) : undefined;
      return field === undefined ? [] : [{ ...rangeOf(item), content: stringifyJson(field) }];
    });
    return [...names, ...failed, ...ignored];
  });
}

/** Headers are compared without their case, so a path may have another one than the text. */
function writtenPath(text: string, path: FieldPath): FieldPath {
  const at = path.lastIndexOf('headers');
  const name = path[at + 1];
  if (at === -1 || !path.includes('requests') || typeof name !== 'string') return path;
  const { root } = readJsonText(text);
  const headers = root && findAt(root, path.slice(0, at + 1).map(String));
  const value = headers && readJsonValue(text, headers);
  const written = Object.keys(isJsonObject(value) ? value : {}).find((each) => each.toLowerCase() === name);
  return written === undefined ? path : path.with(at + 1, written);
}

/** Sets the value at a path, or removes it. */
function setValue(text: string, path: FieldPath, value: JsonValue | undefined): string {
  const { root } = readJsonText(text);
  const [segment, above] = [path.at(-1), path.slice(0, -1)];
  const parent = root && findAt(root, above.map(String));
  if (segment === undefined || root === undefined) return text;
  if (parent?.type !== 'object' && parent?.type !== 'array')
    return value === undefined ? text : setValue(text, above, { [segment]: value });
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
  const isLaidOut = /[\r\n]/.test(text.slice(parent.offset, parent.offset + parent.length));
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

const rangeOf = ({ offset, length }: Range): Range => ({ offset, length });
