// The fields that a comparison ignores are written by hand, so each form is read as it looks, and a mistake is found.
import assert from 'node:assert/strict';
import { type FieldPath, formatField } from '../../../src/base/fieldPath.ts';
import {
  defaultIgnoredFields,
  matchesField,
  parseFieldPattern,
  parseFieldPatterns,
  patternOf,
} from '../../../src/model/comparison/fieldPatterns.ts';
import { manifestText } from '../../support/manifest.ts';

const matches = (text: string, path: FieldPath): boolean =>
  matchesField(parseFieldPattern(text) ?? assert.fail(`${text} is no pattern`), path);

describe('a pattern of fields', () => {
  const date = ['nodes', 'fetch', 'output', 'headers', 'date'];
  const itemId = ['output', 'items', 2, 'id'];
  for (const [text, path, expected] of [
    ['nodes.fetch.output.headers.date', date, true],
    ['nodes.other.output.headers.date', date, false],
    ['nodes.*.output.headers.date', date, true],
    ['nodes.fetch.output', date, true],
    ['nodes.fetch.output.headers.date.more', date, false],
    ['**.date', date, true],
    ['**.dat', date, false],
    ['**.da*', date, true],
    ['**.*te', date, true],
    ['**.d*t*', date, true],
    ['**.d*x*', date, false],
    ['nodes.**.date', date, true],
    ['nodes.**.fetch.**', date, true],
    ['**', date, true],
    ['output.items[2].id', itemId, true],
    ['output.items[1].id', itemId, false],
    ['output.items[*].id', itemId, true],
    ['output.items.*.id', itemId, true],
    ['output.items.2.id', itemId, true],
    ['**.id', ['id'], true],
    ['**.id', ['output', 'order', 'id', 'left'], true],
    ['output["a.b"].c', ['output', 'a.b', 'c'], true],
    ['output["*"]', ['output', 'x'], false],
    ['output.straße', ['output', 'straße'], true],
    ['date', date, false],
  ] as const)
    it(`${text} ${expected ? 'matches' : "doesn't match"} ${formatField(path)}`, () =>
      assert.equal(matches(text, path), expected));

  for (const text of [
    '',
    '.a',
    'a..b',
    'a[',
    'a[x]',
    'a["x]',
    'a["\\q"]',
    'a]b',
    '[1]b',
    'a"b',
    'x'.repeat(501),
  ])
    it(`isn't ${JSON.stringify(text.slice(0, 20))}`, () => assert.equal(parseFieldPattern(text), undefined));

  it('costs no more where it could match in very many ways', () => {
    const path = Array.from({ length: 200 }, () => 'a');
    assert.equal(matches('**.a.'.repeat(40) + 'b', path), false);
    assert.equal(matches('a*'.repeat(200) + 'b', ['a'.repeat(5000)]), false);
  });

  it('is written for each field, and matches it in every item', () => {
    for (const path of [itemId, date, ['output', 'a.b', 'c "d"'], ['nodes', 'über*', 'output', '']]) {
      assert.ok(matches(patternOf(path), path), patternOf(path));
      assert.ok(matches(formatField(path), path), formatField(path));
    }
    assert.equal(patternOf(itemId), 'output.items[*].id');
    assert.equal(formatField(itemId), 'output.items[2].id');
  });
});

describe('the list of patterns', () => {
  it('names those that are none, and those beyond its bound', () => {
    const { patterns, mistakes } = parseFieldPatterns(['**.id', 'a[', 'output.x']);
    assert.deepEqual(
      patterns.map(({ text }) => text),
      ['**.id', 'output.x'],
    );
    assert.deepEqual(mistakes, ['a[']);
    const many = parseFieldPatterns(Array.from({ length: 300 }, (_, at) => `f${at}`));
    assert.equal(many.patterns.length, 200);
    assert.equal(many.mistakes.length, 100);
  });

  it('is in package.json what it is by default', () => {
    const settings: unknown = JSON.parse(manifestText);
    assert.ok(JSON.stringify(settings).includes(`"default":${JSON.stringify(defaultIgnoredFields)}`));
  });
});
