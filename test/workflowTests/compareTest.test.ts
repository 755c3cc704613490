// What counts as a difference: compared with a slow walk that looks at every field.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/base/json.ts';
import { compareTest, describeDifferences, patternTestBy } from '../../src/workflowTests/compareTest.ts';
import { decodeTest } from '../../src/workflowTests/testSpec.ts';
import { tries } from '../support/properties.ts';
import { createEvaluator } from '../support/ranExecution.ts';

const { signal } = new AbortController();
const find = (pattern: string, text: string) => Promise.resolve(new RegExp(pattern, 'u').test(text));

async function compare(output: JsonValue, actual: JsonValue, more: Readonly<Record<string, JsonValue>> = {}) {
  const test = { name: 'x', expected: { status: 'completed', output }, ...more };
  const spec = decodeTest(test) ?? assert.fail('It is no test.');
  const facts = { status: 'completed', error: null, output: actual, nodeRuns: [] } as const;
  return compareTest(spec, facts, find, signal);
}

const words = async (...given: Parameters<typeof compare>) =>
  describeDifferences((await compare(...given)).differences);

/** Whether the value is what is expected, by looking at everything. */
function isExpected(expected: JsonValue, actual: JsonValue | undefined, isPartial: boolean): boolean {
  if (actual === undefined) return false;
  if (isJsonObject(expected)) {
    const { $any, $type, $match, $near, within } = expected;
    if ($any !== undefined) return true;
    if ($type !== undefined)
      return $type === (actual === null ? 'null' : isJsonArray(actual) ? 'array' : typeof actual);
    if ($match !== undefined)
      return typeof actual === 'string' && typeof $match === 'string' && new RegExp($match, 'u').test(actual);
    if (typeof $near === 'number' && typeof within === 'number')
      return typeof actual === 'number' && actual >= $near - within && actual <= $near + within;
    if (!isJsonObject(actual)) return false;
    const hasMore = Object.keys(actual).some((name) => !Object.hasOwn(expected, name));
    return (
      (isPartial || !hasMore) &&
      Object.entries(expected).every(([name, member]) =>
        isExpected(member, Object.hasOwn(actual, name) ? actual[name] : undefined, isPartial),
      )
    );
  }
  if (isJsonArray(expected))
    return (
      isJsonArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, at) => isExpected(item, actual[at], isPartial))
    );
  return equalJson(expected, actual);
}

const leaves = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 0, 1, 1.05, 'a', 'ab', ''),
  fc.constantFrom<JsonValue>(
    { $any: true },
    { $type: 'string' },
    { $type: 'object' },
    { $type: 'null' },
    { $match: '^a' },
    { $near: 1, within: 0.125 },
  ),
);
const values = (leaf: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
  fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('value')),
    ),
  })).value;
const plain = values(fc.constantFrom<JsonValue>(null, true, 0, 1, 1.05, 'a', 'ab', ''));

describe('what a test expects', () => {
  it('finds a difference exactly where looking at every field does', async () => {
    await fc.assert(
      fc.asyncProperty(values(leaves), plain, fc.boolean(), async (expected, actual, isPartial) => {
        const { differences } = await compare(expected, actual, { match: isPartial ? 'partial' : 'exact' });
        assert.equal(differences.length === 0, isExpected(expected, actual, isPartial));
      }),
      tries(2000),
    );
  });

  it('says the first field that differs, and how many more do', async () => {
    assert.equal(await words({ total: 5 }, { total: 4 }), 'output.total: 5 is expected, but 4 came.');
    assert.equal(
      await words({ a: [1, { b: 'x' }] }, { a: [1, {}], c: 1 }),
      'output.a[1].b: "x" is expected, but nothing came. One more field differs.',
    );
  });

  it('compares numbers by their value, and members in any order', async () => {
    assert.equal(await words({ a: 1, b: 2 }, { b: 2, a: 1.0 }), '');
  });

  for (const [near, within, number, isSame] of [
    [1.5, 0.1, 1.6, true],
    [1.5, 0.1, 1.4, true],
    [1.5, 0.1, 1.61, false],
    [1000, 0.1, 1000.1, true],
    [1000, 0.1, 1000.101, false],
    [-0.3, 0.1, -0.2, true],
    [7, 0, 8, false],
  ] as const)
    it(`takes ${number} for a number ${isSame ? '' : 'not '}within ${within} of ${near}, as a person computes`, async () => {
      assert.equal((await words({ $near: near, within }, number)) === '', isSame);
    });

  it('leaves out the fields that it ignores, with all that is below them', async () => {
    const ignore = ['output.items[*].id', '**.at'];
    const expected = { items: [{ id: 1, name: 'a', at: { x: 1 } }] };
    assert.equal(await words(expected, { items: [{ id: 2, name: 'a', at: { x: 2 } }] }, { ignore }), '');
    assert.equal(
      await words(expected, { items: [{ id: 2, name: 'b' }] }, { ignore }),
      'output.items[0].name: "a" is expected, but "b" came.',
    );
  });

  it('shows both sides whole, and different only where they differ', async () => {
    const { expected, actual } = await compare(
      { id: { $type: 'string' }, total: 5, gone: true, list: [1, 2, 3] },
      { id: 'x1', total: 4, more: 1, list: [1, 2] },
    );
    assert.deepEqual(actual, { status: 'completed', output: { id: 'x1', total: 4, more: 1, list: [1, 2] } });
    assert.deepEqual(expected, {
      status: 'completed',
      output: { id: 'x1', total: 5, gone: true, list: [1, 2, 3] },
    });
  });

  it('keeps the answers and expectations of nodes with any id', () => {
    const ids = '{"constructor": 0, "__proto__": 0, "prototype": 0}';
    const answers = parseJson(ids.replaceAll('0', '[{"status": 200}]')) ?? null;
    const nodes = parseJson(ids.replaceAll('0', '{"runs": 1}')) ?? null;
    const spec = decodeTest({ name: 'x', answers, expected: { status: 'completed', nodes } });
    assert.deepEqual([spec?.answers, spec?.expected.nodes], [answers, nodes]);
  });

  it('shows the error of an execution that was expected to complete', async () => {
    const spec = decodeTest({ name: 'x', expected: { status: 'completed', output: 1 } }) ?? assert.fail();
    const error = { code: 'node_failed', message: 'No stock.', nodeId: 'check' };
    const facts = { status: 'failed', error, output: undefined, nodeRuns: [] } as const;
    const { actual, differences } = await compareTest(spec, facts, find, signal);
    assert.deepEqual(actual, { status: 'failed', error: { ...error } });
    assert.deepEqual(
      differences.map(({ path }) => path.join('.')),
      ['status', 'error', 'output'],
    );
  });

  for (const [error, isSame] of [
    ['No stock.', true],
    ['Other.', false],
    [{ $match: 'stock' }, true],
    [{ code: 'node_failed' }, true],
    [{ message: { $match: '^No' }, nodeId: 'check' }, true],
    [{ nodeId: 'other' }, false],
  ] as const) {
    it(`takes ${stringifyJson(error)} for the expected error: ${isSame ? 'the same' : 'another one'}`, async () => {
      const spec = decodeTest({ name: 'x', expected: { status: 'failed', error } }) ?? assert.fail();
      const came = { code: 'node_failed', message: 'No stock.', nodeId: 'check' };
      const facts = { status: 'failed', error: came, output: undefined, nodeRuns: [] } as const;
      const { differences } = await compareTest(spec, facts, find, signal);
      assert.equal(differences.length === 0, isSame);
    });
  }
});

describe('the pattern of a matcher', () => {
  for (const [pattern, text, isFound] of [
    ['^a', 'abc', true],
    ['^b', 'abc', false],
    ['\\p{Lu}', 'aÄ', true],
    ['^$', '', true],
    ['z$', `${'a'.repeat(2_000_000)}z`, true],
  ] as const)
    it(`${pattern} ${isFound ? 'is' : "isn't"} found in "${text.slice(0, 10)}", where windows and programs try it`, async () => {
      const evaluator = createEvaluator();
      assert.equal(await patternTestBy(evaluator)(pattern, text, signal), isFound);
      evaluator.dispose();
    });
});
