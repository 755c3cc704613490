// Text that isn't JSON is reported by what it is.
import assert from 'node:assert/strict';
import { readJsonText } from '../../src/definition/jsonText.ts';

describe('A text that is not JSON', () => {
  for (const [text, reason] of [
    ['{"a": NaN}', 'JSON has no NaN or Infinity; use null or text'],
    ['{"a": -Infinity}', 'JSON has no NaN or Infinity; use null or text'],
    ['{"a": True}', 'true and false are written in lowercase'],
    ['[None]', 'use null instead'],
    ['[undefined]', 'use null instead'],
    ['0x1F', 'numbers must be decimal'],
    ['[01]', "a number can't begin with 0"],
    ['[+1]', "a number can't begin with +"],
    ['[.5]', 'a digit is missing before the point'],
    ['{“a”: 1}', 'text must be in straight quotes: "'],
    ["{'a': 1}", 'text must be in double quotes: "'],
    ['{"a":\u00a01}', "this kind of space isn't allowed"],
    ['\u200b{}', "this kind of space isn't allowed"],
    ['{a: 1}', 'text must be in "quotes"'],
    ['[1 2]', 'a comma is missing'],
    ['[10 0]', 'a comma is missing'],
  ] as const)
    it(`${JSON.stringify(text)}: ${reason}`, () => assert.equal(readJsonText(text).error?.reason, reason));
});
