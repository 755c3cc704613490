import assert from 'node:assert/strict';
import { asJson, inMemory, sizeOf, writeTruncatedJson } from '../../src/base/boundedJson.ts';
import type { JsonValue } from '../../src/base/json.ts';

const values: readonly JsonValue[] = [
  ...[null, true, -0, 1.5e300, '', 'a "b"\n\u2028\ud83d', [], {}],
  [[], {}, [1, [null]]],
  { a: { 'b "c"': [{}, { d: 'e' }] }, '': [false] },
];
/** A value that ends any code that reads all of it. */
const huge: JsonValue = Array.from({ length: 100 }, (_, at) =>
  at < 50
    ? 'x'.repeat(100)
    : new Proxy([], { get: () => assert.fail('more was looked at than was asked for') }),
);

describe('JSON that is bounded', () => {
  for (const value of values)
    it(`is that of ${JSON.stringify(value)} where it fits, and else its beginning`, () => {
      for (const indent of ['', '  ']) {
        const whole = JSON.stringify(value, null, indent);
        for (let maximum = 0; maximum <= whole.length + 1; maximum += 1)
          assert.deepEqual(writeTruncatedJson(value, maximum, indent), {
            text: whole.slice(0, maximum),
            isTruncated: maximum < whole.length,
          });
      }
    });

  it('costs no more than what is asked for', () => {
    assert.equal(writeTruncatedJson(huge, 4000).text.length, 4000);
    assert.equal(writeTruncatedJson('x'.repeat(1_000_000), 10).text, '"xxxxxxxxx');
    assert.ok(sizeOf(huge, asJson, 4000) > 4000);
  });
});

describe('the size of a value', () => {
  it('is about that of its JSON', () => {
    for (const value of values) {
      const { length } = JSON.stringify(value);
      assert.ok(Math.abs(sizeOf(value, asJson) - length) <= 12, `${JSON.stringify(value)}: ${length}`);
    }
  });

  it('in memory has what its parts take beside their text', () => {
    assert.equal(sizeOf('abc', inMemory), 30);
    assert.equal(sizeOf([1, 'abc', {}], inMemory), 32 + 8 + 30 + 32);
    assert.equal(sizeOf(undefined, inMemory), 8);
  });
});
