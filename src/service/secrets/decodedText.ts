// A text as others may have written it: percent-encoded, as in a URL, with the escapes of a string, as in JSON, or with those of HTML.

/** UTF-16 units that a text represents, and where each comes from. */
export interface DecodedText {
  readonly units: Uint16Array;
  readonly length: number;
  /** Whether line breaks were left out. */
  readonly isJoined: boolean;
  /** Returns the place in the original where a part begins. */
  readonly startOf: (index: number) => number;
  /** Returns the place in the original where a part ends, whose last unit is before the index. */
  readonly endOf: (index: number) => number;
}

/** Values are also found in JSON inside JSON, or a URL inside a URL, but no deeper. */
const maximumDepth = 2;

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const numberSign = 0x23;
const percentSign = 0x25;
const ampersand = 0x26;
const semicolon = 0x3b;
const backslash = 0x5c;
const smallU = 0x75;

/** Calls `look` with the text itself first, then with its form without each encoding that it may have. */
export function lookThrough(text: DecodedText, look: (text: DecodedText) => void): void {
  lookDeeper(text, maximumDepth, look);
}

function lookDeeper(text: DecodedText, depth: number, look: (text: DecodedText) => void): void {
  look(text);
  const joined = join(text);
  if (joined) look(joined);
  if (depth === 0) return;
  for (const encoding of encodings) {
    const decoded = decode(text, encoding);
    if (decoded) lookDeeper(decoded, depth - 1, look);
  }
}

/** Returns the units of a text from outside of JSON. */
export function unitsOf(text: string): DecodedText {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index += 1) units[index] = text.charCodeAt(index);
  const same = (index: number): number => index;
  return { units, length: text.length, isJoined: false, startOf: same, endOf: same };
}

/** Decodes an escape: calls `emit` with each unit that it represents. Returns the index behind it, or 0 if there's none. */
type ReadEscape = (
  units: Uint16Array,
  length: number,
  index: number,
  emit: (unit: number, from: number) => void,
) => number;

interface Encoding {
  /** The unit that each escape begins with. */
  readonly sign: number;
  readonly read: ReadEscape;
}

const encodings: readonly Encoding[] = [
  { sign: percentSign, read: readPercents },
  { sign: backslash, read: readEscape },
  { sign: ampersand, read: readReference },
];

/** Returns undefined when nothing has this encoding. */
function decode(text: DecodedText, { sign, read }: Encoding): DecodedText | undefined {
  const { units: given, length: end } = text;
  let index = indexOfUnit(text, sign, 0);
  if (index === -1) return undefined;
  const units = new Uint16Array(end);
  const places = new Uint32Array(end + 1);
  let length = 0;
  let hasDecoded = false;
  const emit = (unit: number, from: number): void => {
    units[length] = unit;
    places[length] = from;
    length += 1;
  };
  for (let at = 0; at < index; at += 1) emit(given[at] ?? 0, at);
  while (index < end) {
    const unit = given[index] ?? 0;
    const next = unit === sign ? read(given, end, index, emit) : 0;
    if (next > 0) {
      hasDecoded = true;
      index = next;
    } else {
      emit(unit, index);
      index += 1;
    }
  }
  if (!hasDecoded) return undefined;
  places[length] = end;
  const { startOf, endOf } = text;
  return {
    units,
    length,
    isJoined: false,
    startOf: (place) => startOf(places[place] ?? 0),
    endOf: (place) => endOf(places[place] ?? 0),
  };
}

/** Drops line breaks and the blanks after them: long base64 is written in lines. Returns undefined when there are none. */
function join(text: DecodedText): DecodedText | undefined {
  const { units: given, length: end } = text;
  if (indexOfUnit(text, lineFeed, 0) === -1 && indexOfUnit(text, carriageReturn, 0) === -1) return undefined;
  const units = new Uint16Array(end);
  const places = new Uint32Array(end);
  let length = 0;
  let isAfterBreak = false;
  for (let index = 0; index < end; index += 1) {
    const unit = given[index] ?? 0;
    if (unit === lineFeed || unit === carriageReturn) isAfterBreak = true;
    else if (!isAfterBreak || (unit !== space && unit !== tab)) {
      isAfterBreak = false;
      units[length] = unit;
      places[length] = index;
      length += 1;
    }
  }
  const { startOf, endOf } = text;
  return {
    units,
    length,
    isJoined: true,
    startOf: (place) => startOf(places[place] ?? 0),
    endOf: (place) => endOf((places[place - 1] ?? 0) + 1),
  };
}

function indexOfUnit({ units, length }: DecodedText, unit: number, from: number): number {
  const index = units.indexOf(unit, from);
  return index < length ? index : -1;
}

/** Bytes in a row can form one character. Those of another encoding than UTF-8 may each be a character. */
function readPercents(
  units: Uint16Array,
  length: number,
  index: number,
  emit: (unit: number, from: number) => void,
): number {
  const first = readByte(units, length, index);
  if (first === -1) return 0;
  const count = sequenceLength(first);
  let point = count === 1 ? first : first & (0xff >> (count + 1));
  for (let at = 1; at < count; at += 1) {
    const byte = readByte(units, length, index + 3 * at);
    if (byte === -1 || (byte & 0xc0) !== 0x80) {
      emit(first, index);
      return index + 3;
    }
    point = (point << 6) | (byte & 0x3f);
  }
  emitPoint(point > 0x10ffff ? first : point, index, emit);
  return index + (point > 0x10ffff ? 3 : 3 * count);
}

/** The number of bytes of a UTF-8 character that begins with this one; 1 if no character does. */
function sequenceLength(first: number): number {
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 1;
}

/** Returns the byte of `%XX`, or -1. */
function readByte(units: Uint16Array, length: number, index: number): number {
  return index + 3 <= length && units[index] === percentSign ? readHex(units, index + 1, index + 3) : -1;
}

/** Returns -1 if one of the units isn't a digit. */
function readHex(units: Uint16Array, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) {
    const digit = hexDigit(units[index] ?? 0);
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

const controls: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, lineFeed],
  [0x72, carriageReturn],
  [0x74, tab],
]);

/** Returns what a unit after a backslash represents. */
export function escapedUnit(unit: number): number {
  return controls.get(unit) ?? unit;
}

function readEscape(
  units: Uint16Array,
  length: number,
  index: number,
  emit: (unit: number, from: number) => void,
): number {
  if (index + 1 >= length) return 0;
  const unit = units[index + 1] ?? 0;
  if (unit === smallU) {
    const value = index + 6 <= length ? readHex(units, index + 2, index + 6) : -1;
    if (value === -1) return 0;
    emit(value, index);
    return index + 6;
  }
  emit(escapedUnit(unit), index);
  return index + 2;
}

/** The references that every library that escapes HTML writes; others are written as numbers. */
const references: ReadonlyMap<string, number> = new Map([
  ['amp', ampersand],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
]);
const longestReference = 10;

function readReference(
  units: Uint16Array,
  length: number,
  index: number,
  emit: (unit: number, from: number) => void,
): number {
  const last = Math.min(length, index + longestReference);
  let end = index + 1;
  while (end < last && units[end] !== semicolon) end += 1;
  if (end >= last) return 0;
  const name = String.fromCharCode(...units.subarray(index + 1, end));
  const point = units[index + 1] === numberSign ? readNumber(name.slice(1)) : references.get(name);
  if (point === undefined) return 0;
  emitPoint(point, index, emit);
  return end + 1;
}

/** Returns the code point of a reference by number, without its signs. */
function readNumber(text: string): number | undefined {
  const isHex = /^x[0-9A-F]{1,6}$/i.test(text);
  if (!isHex && !/^\d{1,7}$/.test(text)) return undefined;
  const point = isHex ? parseInt(text.slice(1), 16) : Number(text);
  return point <= 0x10ffff ? point : undefined;
}

function emitPoint(point: number, from: number, emit: (unit: number, from: number) => void): void {
  if (point <= 0xffff) emit(point, from);
  else {
    emit(0xd7c0 + (point >> 10), from);
    emit(0xdc00 | (point & 0x3ff), from);
  }
}
