// Numbers as JSON writes them, and whether JavaScript's own numbers hold their values.

/** JavaScript's numbers hold each number with this many digits, unless it has an exponent. */
const safeDigits = 15;

/** Longer than any number without an exponent that's lossless for sure. Written out, since the engine skips ahead in such a pattern only. */
const longNumber = new RegExp('[\\d.]'.repeat(safeDigits + 1));
/** With a shorter exponent, a number of few digits is lossless. */
const longExponent = /\d[eE][-+]?\d\d\d/;

/** False when all numbers of a JSON text are certainly lossless, which is found far faster than by reading the text. */
export function mayLoseDigits(text: string): boolean {
  return longNumber.test(text) || longExponent.test(text);
}

/** True when a JavaScript number has the same value, and a whole number the same digits. `-0` counts as 0. */
export function isLossless(text: string): boolean {
  if (text.length <= safeDigits && !/e/i.test(text)) return true;
  const number = Number(text);
  const written = String(number);
  if (written === text) return true;
  // A whole number may be an ID, so it isn't written with an exponent.
  if (!Number.isFinite(number) || /^-?[1-9]\d*$/.test(text)) return false;
  return equalNumbers(written, text);
}

/** True when two JSON numbers have the same value, however they are written. */
export function equalNumbers(one: string, other: string): boolean {
  return one === other || normalForm(one) === normalForm(other);
}

/** True when a JSON number has no fraction, however it's written. */
export function isWhole(text: string): boolean {
  return !/e-/i.test(normalForm(text));
}

/** The same text for all ways to write a value: its sign, its digits without zeros around them, and its exponent. */
function normalForm(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutEndingZeros(digits);
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  // Exponents that no value needs are compared as they are written.
  return Number.isSafeInteger(power) ? `${sign}${significant}e${power}` : text;
}

/** In one pass: a regular expression would start again at each of many zeros. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
