// The strings of a JSON text, joined to one: searching many small ones costs no more than searching a large one.
import { type DecodedText, escapedUnit } from './decodedText.ts';

/** Separates the strings. No searched value contains this unit, which isn't a character. */
export const separator = 0xffff;

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;
const smallU = 0x75;

export interface JsonTexts {
  /** The positions are those in the JSON text. */
  readonly texts: DecodedText;
  /** Where each name of a member begins and ends, in order. */
  readonly names: readonly number[];
}

/** `json`: valid. */
export function readTexts(json: string): JsonTexts {
  const units = new Uint16Array(json.length);
  const places = new Uint32Array(json.length + 1);
  const names: number[] = [];
  let length = 0;
  let index = json.indexOf('"');
  while (index !== -1) {
    const start = index + 1;
    index = start;
    for (let unit = json.charCodeAt(index); unit !== quote; unit = json.charCodeAt(index)) {
      places[length] = index;
      if (unit === backslash) {
        const isNumber = json.charCodeAt(index + 1) === smallU;
        units[length] = isNumber
          ? parseInt(json.slice(index + 2, index + 6), 16)
          : escapedUnit(json.charCodeAt(index + 1));
        index += isNumber ? 6 : 2;
      } else {
        units[length] = unit;
        index += 1;
      }
      length += 1;
      if (index >= json.length) throw new SyntaxError('The JSON text has no end.');
    }
    units[length] = separator;
    places[length] = index;
    length += 1;
    if (isBeforeColon(json, index + 1)) names.push(start, index);
    index = json.indexOf('"', index + 1);
  }
  places[length] = json.length;
  const at = (place: number): number => places[place] ?? json.length;
  return { texts: { units, length, isJoined: false, startOf: at, endOf: at }, names };
}

function isBeforeColon(json: string, start: number): boolean {
  let index = start;
  while (/\s/.test(json.charAt(index))) index += 1;
  return json.charCodeAt(index) === colon;
}
