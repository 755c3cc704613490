import assert from 'node:assert/strict';
import {
  renderInFull,
  renderInText,
  toShown,
} from '../../../../src/features/definitions/expressions/renderValue.ts';

describe('a value behind an expression', () => {
  const sixty = `"${'x'.repeat(58)}"`;
  for (const [what, json, expected] of [
    ['is JSON', '{"a":1}', '→ {"a":1}'],
    ['is whole up to 60 characters', sixty, `→ ${sixty}`],
    ['is cut beyond', `"x${sixty.slice(1)}`, `→ "${'x'.repeat(58)}…`],
    ['is cut where it is very long', `"${'x'.repeat(50_000)}"`, `→ "${'x'.repeat(58)}…`],
    ['is one plain line', '"a\u202eb \u2028 c\u009b1m"', '→ "ab c1m"'],
  ] as const)
    it(what, () => assert.equal(renderInText('→', toShown(json)), expected));

  it('says where it was cut before', () => {
    assert.equal(renderInText('→', { kind: 'value', text: '{"a":', isWhole: false }), '→ {"a":…');
  });

  it('says in words why there is none', () => {
    assert.equal(
      renderInText('=', { kind: 'failed', message: 'it took\n longer.', isOfUnknown: false }),
      '= failed: it took longer.',
    );
  });

  it('is laid out in full, in plain lines', () => {
    assert.equal(renderInFull(toShown('{"a":[1,"\u202ex"]}')), '{\n  "a": [\n    1,\n    "x"\n  ]\n}');
    assert.equal(renderInFull({ kind: 'value', text: '{"a":', isWhole: false }), '{"a":…');
  });

  it('is never shown beyond 10,000 characters', () => {
    const shown = toShown(JSON.stringify('x'.repeat(50_000)));
    assert.deepEqual([shown.text.length, shown.isWhole], [10_000, false]);
  });
});
