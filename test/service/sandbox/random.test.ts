// No expression, however odd, ends the process or leaves a caller without a result: a few hundred random ones, made of dangerous parts.
import assert from 'node:assert/strict';
import { NodeError } from '../../../src/service/errors.ts';
import { createRandom } from '../../support/randomNumbers.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { type ExpressionScope, ScopeValue } from '../../../src/definition/expressionScope.ts';

const count = 400;
const atOnce = 4;

const leaves = [
  '1',
  '"é"',
  'input',
  'input.text',
  'nodes',
  'nodes.__proto__',
  '$',
  '$$',
  '/(a+)+$/',
  '[1..99999]',
  '1e308',
];
const more = [
  'null',
  'true',
  '-1',
  '0.1',
  '100000000',
  '30000000',
  '$sum',
  'function($x) { $x & $x }',
  'input.*',
  '**',
  '{}',
];
/** Each # is an expression of its own. */
const forms = [
  [
    '# & #',
    '[#, #]',
    '{ "a": #, "b": # }',
    '# ~> |**|{ "x": # }|',
    '#[#]',
    '#.#',
    '#{ $string($): # }',
    '# + #',
    '#^($)',
  ],
  [
    '( $v := #; [$v, $v, #] )',
    '( $f := function($n) { $n > 20 ? # : $f($n + 1) & # }; $f(1) )',
    '# ? # : #',
    '# in #',
  ],
  [
    '$pad(#, #)',
    '$join([#, #], #)',
    '$string(#, true)',
    '$split(#, #)',
    '$replace(#, #, #)',
    '$match(#, #)',
    '$length(#)',
  ],
  [
    '$map(#, #)',
    '$reduce([1..30], function($a) { $append($a, $a) }, #)',
    '$reduce([1..25], function($a) { $a & $a }, #)',
  ],
  [
    '$sort(#)',
    '$distinct(#)',
    '$merge([#, #])',
    '$spread(#)',
    '$zip(#, #)',
    '$eval(#)',
    '$clone(#)',
    '$keys(#)',
    '$each(#, #)',
  ],
  [
    '$now(#)',
    '$fromMillis(#, #)',
    '$formatNumber(#, #)',
    '$formatInteger(#, #)',
    '$formatBase(#, 2)',
    '$toMillis(#, #)',
  ],
  [
    '$base64encode(#)',
    '$encodeUrl(#)',
    '$error(#)',
    '$lookup(#, "constructor")',
    '$sift(#, #)',
    '$power(#, #)',
  ],
].flat();

function makeExpression(random: (below: number) => number, depth: number): string {
  const leaf = [...leaves, ...more];
  if (depth === 0 || random(4) === 0) return leaf[random(leaf.length)] ?? '1';
  const form = forms[random(forms.length)] ?? '#';
  return form.replaceAll('#', () => makeExpression(random, depth - 1));
}

describe('Random expressions', () => {
  it('each give a value of at most 1 MiB or fail with a clear error', async () => {
    const seed = Number(process.env['EXPRESSION_SEED'] ?? 20261122);
    const next = createRandom(seed);
    const random = (below: number): number => Math.floor(next() * below);
    const sandbox = createSandbox({ deadlineMs: 150, memoryMiB: 32 });
    const scope: ExpressionScope = {
      input: new ScopeValue(JSON.stringify({ text: 'a'.repeat(200), list: [1, 2, { n: 3 }] })),
      nodes: new Map([['__proto__', new ScopeValue('{"x":[1,2]}')]]),
      loop: null,
    };
    const { signal } = new AbortController();
    const seen = { values: 0, failures: 0 };
    const expressions = Array.from({ length: count }, () => makeExpression(random, 4));
    const work = async (): Promise<void> => {
      for (let each = expressions.pop(); each !== undefined; each = expressions.pop()) {
        try {
          const { text } = await sandbox.evaluate(each, scope, signal);
          assert.ok(text.length <= 1024 * 1024, each);
          JSON.parse(text);
          seen.values += 1;
        } catch (error) {
          assert.ok(error instanceof NodeError, `${seed}: ${each}: ${String(error)}`);
          assert.match(
            error.message,
            /^The expression "[^]*" (failed: [^]+|gave more than 1 MiB\.|gave JSON .*)$/,
          );
          assert.ok(error.message.length < 1000, error.message);
          assert.doesNotMatch(error.message, /its worker ended/);
          seen.failures += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await sandbox.dispose();
    assert.equal(seen.values + seen.failures, count);
    assert.ok(seen.values > 10 && seen.failures > 10, JSON.stringify(seen));
  });
});
