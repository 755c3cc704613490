// How tests are named where the editor has one text for each.
import { isJsonArray, parseJson, stringifyJson } from '../base/json.ts';

/** Names a file, a test of it, or a row of that. */
export interface TestName {
  readonly uri: string;
  readonly name?: string | undefined;
  readonly row?: string | undefined;
}

/** The id of its item in the editor's view of tests. */
export function idOf({ uri, name, row }: TestName): string {
  if (name === undefined) return uri;
  return stringifyJson(row === undefined ? [uri, name] : [uri, name, row]);
}

/** What the id of an item names. */
export function testNameOf(id: string): TestName {
  const parts = parseJson(id);
  if (!isJsonArray(parts)) return { uri: id };
  const [uri, name, row] = parts.map((part) => (typeof part === 'string' ? part : undefined));
  return { uri: uri ?? '', name, row };
}
