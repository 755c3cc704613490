// An expression in a template ends where the expression ends.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stringifyJson } from '../../src/base/json.ts';
import { readTemplate, endOfExpression } from '../../src/definition/templates.ts';
import { tries } from '../support/properties.ts';

describe('The end of an expression', () => {
  const templates: readonly (readonly [string, readonly string[]])[] = [
    ['{{ input.name }}', [' input.name ']],
    ['a {{ 1 }} b {{ 2 }}', [' 1 ', ' 2 ']],
    [`{{ {'sum': {'net': 5}} }}`, [` {'sum': {'net': 5}} `]],
    [`{{{'sum': {'net': 5}}}}`, [`{'sum': {'net': 5}}`]],
    [`{{ 'a}}b' }} c`, [` 'a}}b' `]],
    [`{{ "a\\"}}b" & \`odd}}name\` }}`, [` "a\\"}}b" & \`odd}}name\` `]],
    ['{{ $replace(a, /}}"/, "") & 6 / 3 / 1 }}"{{ 1 }}', [' $replace(a, /}}"/, "") & 6 / 3 / 1 ', ' 1 ']],
    ['{{ a /* }} */ }}', [' a /* }} */ ']],
    [`{{ items[name = "x"]{ "a": $sum(b) } }}`, [` items[name = "x"]{ "a": $sum(b) } `]],
    // What doesn't end goes to the next mark.
    [`{{ isn't }} and {{ 2 }}`, [" isn't ", ' 2 ']],
    ['{{ { }} {{ 1 }}', [' { ', ' 1 ']],
    ['{{}} {{ 1 }}', ['}} {{ 1 ']],
    ['{{ 1', []],
    ['no marks }}', []],
  ];
  for (const [text, expressions] of templates)
    it(`of ${text}`, () => assert.deepEqual(readTemplate(text).expressions, expressions));

  it('comes after any text and any object of texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.string()), (text, object) => {
        for (const expression of [stringifyJson(text), stringifyJson({ object, text })]) {
          assert.equal(endOfExpression(`${expression}}} "{{`, 0, '}}'), expression.length);
          assert.equal(endOfExpression(`${expression}} {`, 0, '}'), expression.length);
        }
      }),
      tries(500),
    );
  });

  it('is found in linear time', () => {
    const began = performance.now();
    assert.equal(readTemplate('{{ { }}'.repeat(150_000)).expressions.length, 150_000);
    assert.ok(performance.now() - began < 5000);
  });
});
