import assert from 'node:assert/strict';
import { truncateJson, escapeUnseen, jsonLine, plainLine, plainText } from '../../src/base/format.ts';
import { formatsOf } from '../../src/words/formats.ts';
import { formatAge, formatDuration } from '../../src/words/time.ts';

const now = Date.parse('2026-01-05T12:00:00.000Z');
const escape = '\u001b[31m';

describe('words for time', () => {
  for (const [milliseconds, words] of [
    [0, '0 ms'],
    [999, '999 ms'],
    [999.6, '1.0 s'],
    [2400, '2.4 s'],
    [9949, '9.9 s'],
    [9960, '10 s'],
    [59_000, '59 s'],
    [59_600, '1 min 0 s'],
    [185_000, '3 min 5 s'],
    [3_599_600, '1 h 0 min'],
    [7_800_000, '2 h 10 min'],
  ] as const) {
    it(`${milliseconds} ms is "${words}"`, () => assert.equal(formatDuration(milliseconds), words));
  }

  for (const [minutes, words] of [
    [0, 'just now'],
    [5, '5 min ago'],
    [120, '2 h ago'],
    [1500, 'yesterday'],
    [4500, '3 days ago'],
  ] as const) {
    it(`${minutes} minutes ago is "${words}"`, () =>
      assert.equal(formatAge(new Date(now - minutes * 60_000), now), words));
  }
});

describe('numbers and dates', () => {
  const date = new Date(2026, 10, 23, 12, 56, 48);
  const spoken = (language: string) => {
    const formats = formatsOf(language);
    const shown = [formats.number(12_345), formats.tenths(1.5), formats.date(date), formats.time(date)];
    return shown.map((words) => words.replaceAll(/\s/g, ' '));
  };
  const english = ['12,345', '1.5', 'Nov 23, 2026', 'Nov 23, 2026, 12:56:48 PM'];

  for (const [language, words] of [
    ['en', english],
    ['de', ['12.345', '1,5', '23.11.2026', '23.11.2026, 12:56:48']],
    ['zh-cn', ['12,345', '1.5', '2026年11月23日', '2026年11月23日 12:56:48']],
    ['qps-ploc', english],
    ['tlh', english],
    ['not a language', english],
    ['', english],
  ] as const)
    it(`read as in the language "${language}"`, () => assert.deepEqual(spoken(language), words));

  it('take one byte for each character in a log, also in French', () =>
    assert.equal(formatsOf('fr').number(12_345), '12\u00a0345'));
});

describe('text from outside', () => {
  it('loses control characters, escapes, line ends and direction tricks', () => {
    assert.equal(plainLine(`a${escape}b\r\nc\u202ed\u0007`), 'ab cd');
    assert.equal(plainLine('x'.repeat(400)).length, 300);
  });

  it('is looked at only as far as it can be shown', () => {
    const mebibyte = 2 ** 20;
    assert.equal(plainLine('x'.repeat(mebibyte)), `${'x'.repeat(299)}…`);
    // What comes after so much that isn't shown is left out, so it wasn't looked at.
    assert.equal(plainLine(`a${'\u200b'.repeat(mebibyte)}b`), 'a…');
    assert.equal(plainLine(`a${' '.repeat(mebibyte)}b`, 80), 'a…');
    assert.equal(plainLine(`a${'\u200b'.repeat(200)}b`, 20), 'ab');
  });

  for (const [what, text, plain] of [
    ['a zero-width space', 'pass\u200bword', 'password'],
    ['joiners between letters that they do not change', 'a\u200db\u200cc', 'abc'],
    ['invisible tags', `a${String.fromCodePoint(0xe0041)}b`, 'ab'],
    ['a lone surrogate', 'a\ud800b\udc00c', 'abc'],
    ['direction marks', '\u2067a\u200fb\u061c', 'ab'],
    ['a control sequence of one character', 'a\u009b31mb', 'ab'],
  ] as const)
    it(`loses ${what}`, () => assert.equal(plainLine(text), plain));

  it('keeps joiners and selectors where they change what is drawn', () => {
    for (const text of ['👩\u200d💻', 'می\u200cخواهم', '❤\ufe0f', '😀']) assert.equal(plainLine(text), text);
  });

  it('keeps spaces and tabs in a line of a log, and is harmless there too', () => {
    assert.equal(plainText('  at  f\t(x)  '), '  at  f\t(x)  ');
    assert.equal(plainText(`\ta${escape}b\u00a0\u2028c\u202ed\u200b\u0007  e`), '\tab  cd  e');
  });
});

describe('JSON from outside', () => {
  for (const [what, json, shown] of [
    ['spaces', '"a  b"', '"a  b"'],
    ['spaces of other kinds', '"a\u00a0b\u3000"', String.raw`"a\u00a0b\u3000"`],
    ['direction tricks', '"\u202ea"', String.raw`"\u202ea"`],
    ['invisible characters', '"a\u200bb\u3164\ufe0f"', String.raw`"a\u200bb\u3164\ufe0f"`],
    ['invisible tags', `"${String.fromCodePoint(0xe0041)}"`, String.raw`"\udb40\udc41"`],
    ['halves of characters', '"\ud800"', String.raw`"\ud800"`],
    ['pictograms', '"❤\ufe0f 😀"', '"❤\ufe0f 😀"'],
  ] as const)
    it(`shows ${what}, and reads as what it was`, () => {
      assert.equal(escapeUnseen(json), shown);
      assert.equal(JSON.parse(shown), JSON.parse(json));
    });

  it('is cut between two characters', () => {
    assert.equal(truncateJson('"abcd"', 5), '"abc…');
    assert.equal(truncateJson(String.raw`"ab\u200bc"`, 9), '"ab…');
    assert.equal(truncateJson('"ab😀c"', 5), '"ab…');
    assert.equal(truncateJson('"abc"', 5), '"abc"');
  });

  it('is one line', () => {
    assert.equal(jsonLine({ text: '{\n\t"a": 1\r\n}', isTruncated: false }, 60), '{ "a": 1 }');
    assert.equal(jsonLine({ text: `[${'\n'.repeat(500)}1]`, isTruncated: false }, 60), '[ …');
  });
});
