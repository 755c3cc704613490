// Changes of a file's text that leave everything else as it stands.
import { isJsonObject, type JsonObject, stringifyJson } from '../base/json.ts';
import type { Edit } from '../definition/jsonEdits.ts';
import { findAt, membersOf } from '../definition/jsonNodes.ts';
import { readJsonText, readJsonValue } from '../definition/jsonText.ts';
import { rangeOf } from '../definition/range.ts';
import { setJsonValue } from '../definition/setJsonValue.ts';
import type { FieldPath } from '../base/fieldPath.ts';
import { renameInField } from '../model/comparison/fieldPatterns.ts';
import type { Difference } from '../model/comparison/jsonDifferences.ts';
import { escapeMatchers } from './matchers.ts';

/** Returns the text in which a test expects what came. Matchers that held, and all that didn't differ, stay. */
export function updateExpected(text: string, testIndex: number, differences: readonly Difference[]): string {
  // In order, so that each item that is new is appended at its place; then from the end, so that items that are removed don't move others.
  const set = differences.filter(({ right }) => right !== undefined);
  const removed = differences.filter(({ right }) => right === undefined).toReversed();
  return [...set, ...removed].reduce((before, { path, right }) => {
    const place = writtenPath(before, ['tests', testIndex, 'expected', ...path]);
    return setJsonValue(before, place, right === undefined ? undefined : escapeMatchers(right));
  }, text);
}

/**
 * Returns the edit of what stands between what both texts begin and end with. It neither begins nor ends inside a character: the editor
 * widens such a range, and what it replaces of the character beyond is lost.
 */
export function editBetween(before: string, after: string): Edit {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  if (/[\ud800-\udbff]/.test(before.charAt(start - 1))) start -= 1;
  let same = 0;
  while (same < shortest - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  if (/[\udc00-\udfff]/.test(before.charAt(before.length - same))) same -= 1;
  return {
    offset: start,
    length: before.length - same - start,
    content: after.slice(start, after.length - same),
  };
}

/** Returns the text with one more test at its end. */
export function appendTest(text: string, test: JsonObject): string {
  const { root } = readJsonText(text);
  const tests = root && findAt(root, ['tests']);
  const count = tests?.type === 'array' ? (tests.children ?? []).length : undefined;
  return count === undefined
    ? setJsonValue(text, ['tests'], [test])
    : setJsonValue(text, ['tests', count], test);
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
