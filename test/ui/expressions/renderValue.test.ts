import assert from 'node:assert/strict';
import { renderInFull, renderInText, toShown } from '../../../src/ui/expressions/renderValue.ts';

describe('a value behind an expression', () => {
  const sixty = `"${'x'.repeat(58)}"`;
  for (const [what, json, expected] of [
    ['is JSON', '{"a":1}', '→ {"a":1}'],
    ['is whole up to 60 characters', sixty, `→ ${sixty}`],
    ['is cut beyond', `"x${sixty.slice(1)}`, `→ "${'x'.repeat(58)}…`],
    ['is cut where it is very long', `"${'x'.repeat(50_000)}"`, `→ "${'x'.repeat(58)}…`],
    ['has every space', '"a  b"', '→ "a  b"'],
    ['shows what is unseen', '"a\u202eb\u200b\u2028\u009b1m"', String.raw`→ "a\u202eb\u200b\u2028\u009b1m"`],
    ['is cut between two characters', `"${'x'.repeat(56)}\u200bx"`, `→ "${'x'.repeat(56)}…`],
  ] as const)
    it(what, () => assert.equal(renderInText('→', toShown(json)), expected));

  it('says where it was cut before', () => {
    assert.equal(renderInText('→', { kind: 'value', text: '{"a":', isTruncated: true }), '→ {"a":…');
  });

  it('says in words why there is none', () => {
    assert.equal(
      renderInText('=', { kind: 'failed', message: 'it took\n longer.', isOfUnknown: false }),
      '= failed: it took longer.',
    );
  });

  it('is laid out in full, as it was recorded', () => {
    assert.equal(
      renderInFull(toShown('{"a":[1,"\u202ex","b  c"]}')),
      '{\n  "a": [\n    1,\n    "\\u202ex",\n    "b  c"\n  ]\n}',
    );
    assert.equal(renderInFull({ kind: 'value', text: '{"a":\n  "b  c', isTruncated: true }), '{"a": "b  c…');
  });

  it('is never shown beyond 10,000 characters', () => {
    const shown = toShown(JSON.stringify('x'.repeat(50_000)));
    assert.deepEqual([shown.text.length, shown.isTruncated], [10_000, true]);
  });
});
