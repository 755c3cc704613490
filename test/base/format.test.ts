// Text from outside is shown without what a terminal would read as commands.
import assert from 'node:assert/strict';
import { fileName, plainLine, plainText, truncateText } from '../../src/base/format.ts';

describe('Text from outside', () => {
  for (const [text, shown] of [
    ['\x1b[31mFAILED\x1b[0m 3 of 4', 'FAILED 3 of 4'],
    ['\x1b[38;2;1;2;3mcolour\x1b[m', 'colour'],
    ['\x9b31mred', 'red'],
    ['\x1b[2Kdone\x1b[?25l', 'done'],
    ['see \x1b]8;;https://a.b\x07the link\x1b]8;;\x07 here', 'see the link here'],
    ['see \x1b]8;;https://a.b\x1b\\the link\x1b]8;;\x1b\\ here', 'see the link here'],
    ['\x9d0;title\x9cx', 'x'],
    ['\x1bP1;2q data\x1b\\z\x1b_hidden\x1b\\', 'z'],
    ['\x1b(Bx\x1b7a\x1b8', 'xa'],
    ['\x1b]0;a title without an end', '0;a title without an end'],
    ['[31m is text', '[31m is text'],
    ['ends with \x1b', 'ends with'],
  ] as const)
    it(`has no terminal sequences: ${JSON.stringify(text)}`, () => {
      assert.equal(plainLine(text), shown);
      assert.equal(plainText(text).trim(), shown);
    });

  it('has whole characters where it is cut, so that it can be in an address', () => {
    for (const before of [77, 78, 79, 80]) {
      const text = `${'a'.repeat(before)}😀 and more`;
      for (const line of [plainLine(text, 80), fileName(text), plainLine(text.repeat(40), 80)])
        assert.ok(line.endsWith('…') && line.length <= 80 && encodeURIComponent(line) !== '', line);
    }
  });

  it('is whole, or says that it goes on, without half a character before that', () => {
    assert.deepEqual(
      ['abc', 'abcd', 'ab😀', 'ab😀d'].map((text) => truncateText(text, 3)),
      ['abc', 'abc…', 'ab…', 'ab…'],
    );
  });

  it('is cleaned in a time that grows with it alone', () => {
    const began = performance.now();
    for (const part of ['\x1b]', '\x9d', '\x1b[', '\x1b]8;;']) plainText(part.repeat(200_000));
    assert.ok(performance.now() - began < 5000);
  });
});
