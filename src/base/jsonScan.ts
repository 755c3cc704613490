// Looks at JSON text without parsing it, so hostile JSON costs no memory and no stack.
import { isLossless } from './jsonNumbers.ts';

/** The maximum depth of JSON from outside or from an expression. */
export const maximumJsonDepth = 200;

const quote = 0x22;
const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const largeE = 0x45;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const smallE = 0x65;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** True when JSON text has more levels than the maximum. */
export function isTooDeep(text: string, maximumDepth = maximumJsonDepth): boolean {
  if (text.length <= maximumDepth) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) {
      index = endOfString(text, index);
    } else if (character === openBrace || character === openBracket) {
      depth += 1;
      if (depth > maximumDepth) return true;
    } else if (character === closeBrace || character === closeBracket) {
      depth -= 1;
    }
  }
  return false;
}

/** True when JSON text has a number whose value JavaScript's own numbers can't hold. */
export function losesDigits(text: string): boolean {
  return someNumber(text, (number) => !isLossless(number));
}

/** Calls `test` with each number of JSON text, as it's written, and its place, until it returns true. Returns whether it did. */
export function someNumber(text: string, test: (number: string, start: number) => boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) {
      index = endOfString(text, index);
    } else if (character === minus || (character >= zero && character <= nine)) {
      const end = endOfNumber(text, index);
      if (test(text.slice(index, end), index)) return true;
      index = end - 1;
    }
  }
  return false;
}

/** Returns the index behind the number starting at `start`. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isInNumber(text.charCodeAt(end))) end += 1;
  return end;
}

/** Returns the index of the quote that ends the string starting at `start`, or the text's length when there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** A digit, a sign, a point or the sign of an exponent. NaN, behind the end, isn't one. */
function isInNumber(character: number): boolean {
  return (
    (character >= zero && character <= nine) ||
    character === minus ||
    character === plus ||
    character === point ||
    character === smallE ||
    character === largeE
  );
}
