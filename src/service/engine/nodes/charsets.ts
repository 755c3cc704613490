// Text as bytes in the charset that a Content-Type names.
import { decodeText } from '../../../protocol/body.ts';

/** Returns undefined when the text can't be written in the charset, or the charset isn't supported. `charset`: in lower case. */
export function encodeText(text: string, charset: string): Buffer | undefined {
  const encoding = encodingOf(charset);
  // Half a character would be written as another one.
  if (encoding === undefined || /\p{Surrogate}/u.test(text)) return undefined;
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-16le':
      // Other names don't say which byte comes first: a mark does.
      return Buffer.from(charset === encoding ? text : `\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    default:
      return encodeEach(text, bytesOf(charset, encoding));
  }
}

function encodingOf(charset: string): string | undefined {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}

const singleByte = /^(?:windows-|iso-8859-|koi8-|ibm|macintosh$|x-mac-)/;
const ascii: ReadonlySet<string> = new Set(['ascii', 'us-ascii', 'ansi_x3.4-1968']);
/** Names of charsets that have characters in 0x80 to 0x9f. */
const windows = /^(?:windows-|(?:x-)?cp125)/;

/**
 * The byte of each character. Texts are read more generously than they're written: what is called ISO 8859-1 or ASCII is read as
 * windows-1252, which has more characters. Of a charset of several bytes a character, only ASCII is written.
 */
function bytesOf(charset: string, encoding: string): ReadonlyMap<string, number> {
  const isAscii = ascii.has(charset) || !singleByte.test(encoding);
  const isLarger = encoding.startsWith('windows-') && !windows.test(charset);
  const found = new Map<string, number>();
  for (let byte = 0; byte <= (isAscii ? 0x7f : 0xff); byte += 1) {
    if (isLarger && byte >= 0x80 && byte <= 0x9f) continue;
    const character = decodeText(Uint8Array.of(byte), charset);
    if (character !== undefined && character !== '') found.set(character, byte);
  }
  return found;
}

function encodeEach(text: string, bytes: ReadonlyMap<string, number>): Buffer | undefined {
  const encoded = Buffer.alloc(text.length);
  let at = 0;
  for (const character of text) {
    const byte = bytes.get(character);
    if (byte === undefined) return undefined;
    encoded[at] = byte;
    at += 1;
  }
  return encoded.subarray(0, at);
}
