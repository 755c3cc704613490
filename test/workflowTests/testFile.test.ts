// A file with tests is written by hand: what is wrong is said at its place, and the other tests run.
import assert from 'node:assert/strict';
import { stringifyJson } from '../../src/base/json.ts';
import { maximumTestFile, TestFile } from '../../src/workflowTests/testFile.ts';

const sound = { name: 'sound', expected: { status: 'completed' } };

function fileOf(...tests: readonly unknown[]): TestFile {
  return new TestFile(stringifyJson({ workflow: 'Orders', tests }, 2));
}

/** The problems of the second test of three, each with the text that it's about. */
function problemsOf(test: unknown): readonly string[] {
  const file = fileOf(sound, test, { ...sound, name: 'also sound' });
  assert.deepEqual(file.problems, []);
  const [first, second, third] = file.tests;
  assert.ok(first?.spec && third?.spec, 'The other tests can run.');
  assert.equal(second?.spec, undefined);
  return (second?.problems ?? []).map(
    ({ offset, length, message }) => `${file.text.slice(offset, offset + length)} ${message}`,
  );
}

describe('a file with tests', () => {
  it('has the tests in their order, each with its place, its rows and what it says', () => {
    const each = [
      { name: 'one', input: { a: 1 } },
      { name: 'two', input: { a: 2 } },
    ];
    const file = fileOf(
      { ...sound, match: 'partial', ignore: ['output.id'] },
      { ...sound, name: 'rows', each },
    );
    assert.equal(file.workflow, 'Orders');
    const [first, second] = file.tests;
    assert.ok(first && second);
    assert.equal(file.text.slice(first.label.offset, first.label.offset + first.label.length), '"sound"');
    assert.deepEqual(first.spec, {
      ...sound,
      pinned: {},
      answers: {},
      expected: { status: 'completed', nodes: {} },
      match: 'partial',
      ignore: ['output.id'],
      each: [],
      timeoutMs: 60_000,
    });
    assert.deepEqual(
      second.rows.map(({ name }) => name),
      ['one', 'two'],
    );
  });

  for (const [test, problem] of [
    [{ name: 'x' }, '{ "expected" is missing.'],
    [{ ...sound, name: 7 }, '7 "name" must be of type string, not number.'],
    [{ ...sound, name: 'x', expcted: {} }, '"expcted" "expcted" isn\'t allowed here.'],
    [
      { name: 'x', expected: { status: 'done' } },
      '"done" "status" must be one of "completed", "failed", "cancelled".',
    ],
    [
      { name: 'x', expected: { status: 'completed', output: { a: { $match: '(' } } } },
      '"a" "$match" isn\'t a valid regular expression.',
    ],
    [
      { name: 'x', expected: { status: 'completed', nodes: { n: { output: { $near: 1 } } } } },
      '"output" "$near" and "within" must be numbers, and "within" at least 0.',
    ],
    [
      { name: 'x', expected: { status: 'completed', output: { $any: true, more: 1 } } },
      '"output" A matcher has no other members than "$any".',
    ],
    [{ ...sound, name: 'x', answers: { call: [{}] } }, ''],
    [{ ...sound, name: 'x', input: {}, preset: 'a' }, '"preset" A test has either an "input" or a "preset".'],
    [
      { ...sound, name: 'x', ignore: ['.a'] },
      '".a" This isn\'t a field. An example is "output.items[*].id".',
    ],
    [{ ...sound }, '"sound" Another test has the name "sound".'],
  ] as const) {
    it(`says at its place what is wrong with ${stringifyJson(test)}`, () => {
      const problems = problemsOf(test);
      assert.equal(problems.length, 1, problems.join('\n'));
      if (problem !== '') assert.equal(problems[0], problem);
    });
  }

  it('keeps the names of its tests while its text is no JSON, and runs none', () => {
    const file = new TestFile('{"workflow": "Orders", "tests": [{"name": "first"}, {"name": "second",}');
    assert.deepEqual(
      file.tests.map(({ name, spec }) => [name, spec]),
      [
        ['first', undefined],
        ['second', undefined],
      ],
    );
    assert.equal(file.problems.length, 1);
    assert.match(file.problems[0]?.message ?? '', /^The file isn't valid JSON: /);
  });

  it('says that it names no workflow, and that it is too large', () => {
    assert.equal(new TestFile('{"tests": []}').problems[0]?.message, '"workflow" is missing.');
    assert.equal(new TestFile('[]').problems.length, 1);
    const large = new TestFile(`{"workflow": "${'x'.repeat(maximumTestFile)}"}`);
    assert.equal(large.problems[0]?.message, 'The file is too large. The maximum for tests is 10 MB.');
    assert.deepEqual(large.tests, []);
  });
});
