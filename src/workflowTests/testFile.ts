// The text of a file with tests: what they are, where they stand, and what is wrong with each.
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import schema from '../../media/workflow-test.schema.json' with { type: 'json' };
import type { JsonObject, JsonValue } from '../base/json.ts';
import { toSentence } from '../definition/definitionFault.ts';
import { schemaFaults } from '../definition/faults.ts';
import { findAt } from '../definition/jsonNodes.ts';
import { type JsonTextReading, readJsonText, readJsonValue } from '../definition/jsonText.ts';
import { locate, locateName } from '../definition/places.ts';
import { type Range, rangeOf } from '../definition/range.ts';
import { parseFieldPattern } from '../model/comparison/fieldPatterns.ts';
import { findMatcherFaults } from './matchers.ts';
import { decodeTest, type TestSpec } from './testSpec.ts';

/** How the names of files with tests end. */
export const testFileEnding = '.workflow-test.json';
/** In bytes. */
export const maximumTestFile = 10 * 1024 * 1024;

export interface TestProblem extends Range {
  readonly message: string;
}

/** One of `each`. */
interface TestRow {
  readonly name: string;
  readonly range: Range;
}

type CheckedTest = Pick<TestCase, 'spec' | 'problems'>;

/** A test as it stands in a file. It's checked on first access, since a view that lists thousands of names needs no more of them. */
export class TestCase {
  /** In `tests`. */
  readonly index: number;
  readonly name: string;
  readonly range: Range;
  /** Of its name. */
  readonly label: Range;
  readonly rows: readonly TestRow[];
  readonly #check: () => CheckedTest;
  #known: CheckedTest | undefined;

  constructor(
    { index, name, range, label, rows }: Pick<TestCase, 'index' | 'name' | 'range' | 'label' | 'rows'>,
    check: () => CheckedTest,
  ) {
    this.index = index;
    this.name = name;
    this.range = range;
    this.label = label;
    this.rows = rows;
    this.#check = check;
  }

  /** undefined: something is wrong with the test. */
  get spec(): TestSpec | undefined {
    return this.#checked.spec;
  }

  get problems(): readonly TestProblem[] {
    return this.#checked.problems;
  }

  get #checked(): CheckedTest {
    return (this.#known ??= this.#check());
  }
}

const { required, properties } = schema;
/** Of what stands around the tests. */
const fileSchema = {
  type: 'object',
  required,
  properties: { ...properties, tests: { type: 'array', maxItems: 10_000 } },
};
const testSchema = { $ref: '#/definitions/test', definitions: schema.definitions };

/** One text of such a file, which may be unfinished: parsed once, each part on first access. */
export class TestFile {
  readonly text: string;
  #knownReading: JsonTextReading | undefined;
  #knownTests: readonly TestCase[] | undefined;
  #knownProblems: readonly TestProblem[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The workflow that is tested; undefined if the file doesn't say. */
  get workflow(): string | undefined {
    const value: unknown = this.#find(['workflow'])?.value;
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** What is wrong with the file as a whole: none of its tests can run. */
  get problems(): readonly TestProblem[] {
    return (this.#knownProblems ??= this.#findProblems());
  }

  get tests(): readonly TestCase[] {
    return (this.#knownTests ??= this.#readTests());
  }

  /** The place of a path in the file; that of its nearest existing parent if it doesn't exist. `isName`: of the member's name. */
  locate(path: readonly (string | number)[], isName = false): Range {
    const { root } = this.#reading;
    if (root === undefined) return { offset: 0, length: 1 };
    const names = path.map(String);
    return isName ? locateName(this.text, root, names) : locate(this.text, root, names);
  }

  get #reading(): JsonTextReading {
    return (this.#knownReading ??= readJsonText(this.text.length > maximumTestFile ? '' : this.text));
  }

  #find(path: readonly string[]): Node | undefined {
    const { root } = this.#reading;
    return root && findAt(root, path);
  }

  #findProblems(): readonly TestProblem[] {
    if (this.text.length > maximumTestFile) return [{ offset: 0, length: 1, message: tooLarge() }];
    const { root, error } = this.#reading;
    if (error !== undefined) {
      const { offset, length, reason } = error;
      return [{ offset, length, message: l10n.t("The file isn't valid JSON: {0}.", reason) }];
    }
    // The tests are looked at one by one.
    const value = Object.fromEntries(
      (root.type === 'object' ? (root.children ?? []) : []).flatMap(({ children: [name, member] = [] }) =>
        name === undefined || member === undefined
          ? []
          : [
              [
                String(name.value),
                name.value === 'tests' ? shapeOf(member) : readJsonValue(this.text, member),
              ],
            ],
      ),
    );
    return this.#locateFaults(fileSchema, root.type === 'object' ? value : shapeOf(root), []);
  }

  #readTests(): readonly TestCase[] {
    const list = this.#find(['tests']);
    const nodes = list?.type === 'array' ? (list.children ?? []) : [];
    const names = new Set<string>();
    return nodes.map((node, index) => {
      const given: unknown = findAt(node, ['name'])?.value;
      const name = typeof given === 'string' && given !== '' ? given : l10n.t('Test {0}', index + 1);
      const isTwice = names.has(name);
      names.add(name);
      const label = this.locate(['tests', index, 'name']);
      return new TestCase({ index, name, range: rangeOf(node), label, rows: readRows(node) }, () => {
        if (this.#reading.error !== undefined) return { spec: undefined, problems: [] };
        const { spec, problems } = this.#checkTest(readJsonValue(this.text, node), index);
        const message = l10n.t('Another test has the name "{0}".', name);
        const all = isTwice ? [...problems, { ...label, message }] : problems;
        return { spec: all.length === 0 ? spec : undefined, problems: all };
      });
    });
  }

  #checkTest(value: JsonValue, index: number): CheckedTest {
    const place = ['tests', index];
    const bySchema = this.#locateFaults(testSchema, value, place);
    const spec = bySchema.length === 0 ? decodeTest(value) : undefined;
    if (spec === undefined) return { spec, problems: bySchema };
    const problems = findProblems(spec).map(({ path, isName, message }) => ({
      ...this.locate([...place, ...path], isName),
      message,
    }));
    return { spec, problems };
  }

  #locateFaults(
    by: JsonObject,
    value: JsonValue,
    above: readonly (string | number)[],
  ): readonly TestProblem[] {
    return schemaFaults(by, '7', value).faults.map(({ path, message }) => ({
      ...this.locate([...above, ...path]),
      message: sentenceOf(path, message),
    }));
  }
}

function readRows(test: Node): readonly TestRow[] {
  return (findAt(test, ['each'])?.children ?? []).map((row, at): TestRow => {
    const name: unknown = findAt(row, ['name'])?.value;
    return {
      name: typeof name === 'string' && name !== '' ? name : String(at + 1),
      range: rangeOf(row),
    };
  });
}

/** Names where it is, except at the top. */
function sentenceOf(path: readonly string[], message: string): string {
  const last = path.at(-1);
  return toSentence(last === undefined ? message : `"${last}" ${message}`);
}

interface FoundProblem {
  readonly path: readonly (string | number)[];
  readonly isName?: boolean;
  readonly message: string;
}

/** What the schema doesn't say. */
function findProblems({ expected, input, preset, ignore, each }: TestSpec): readonly FoundProblem[] {
  const { output: value = null, error = null } = expected;
  const nodes = Object.entries(expected.nodes).flatMap(([nodeId, { output = null, requests = [] }]) =>
    findMatcherFaults({ output, requests }, ['nodes', nodeId]),
  );
  const names = each.map(({ name }) => name);
  return [
    ...[...findMatcherFaults({ output: value, error }), ...nodes].map(({ path, fault }) => ({
      path: ['expected', ...path],
      message: toSentence(fault),
    })),
    ...(input !== undefined && preset !== undefined
      ? [
          {
            path: ['preset'],
            isName: true,
            message: l10n.t('A test has either an "input" or a "preset".'),
          },
        ]
      : []),
    ...ignore.flatMap((pattern, at) =>
      parseFieldPattern(pattern) === undefined
        ? [
            {
              path: ['ignore', at],
              message: l10n.t('This isn\'t a field. An example is "output.items[*].id".'),
            },
          ]
        : [],
    ),
    ...names.flatMap((name, at) =>
      names.indexOf(name) < at
        ? [{ path: ['each', at, 'name'], message: l10n.t('Another row has the name "{0}".', name) }]
        : [],
    ),
  ];
}

export function tooLarge(): string {
  return l10n.t('The file is too large. The maximum for tests is 10 MB.');
}

/** A value of the same type, without its content. */
function shapeOf({ type, value }: Node): JsonValue {
  if (type === 'array') return [];
  if (type === 'object') return {};
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
