// Text as bytes in the charset that a Content-Type names.

/** Bytes of each character, for charsets in which each byte is one. */
type SingleBytes = ReadonlyMap<string, number>;

/** Returns undefined when the text can't be written in the charset, or nobody here can write it. Any label of a charset counts. */
export function encodeText(text: string, charset: string): Buffer | undefined {
  const decoder = decoderOf(charset);
  if (decoder === undefined) return undefined;
  switch (decoder.encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    default:
      return encodeEach(text, singleBytes(decoder));
  }
}

function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}

/** In a charset of several bytes a character, only those of one byte are found, which are all that can be written then. */
function singleBytes(decoder: TextDecoder): SingleBytes {
  const found = new Map<string, number>();
  for (let byte = 0xff; byte >= 0; byte -= 1) {
    try {
      const character = decoder.decode(Uint8Array.of(byte));
      if (character !== '') found.set(character, byte);
    } catch {
      continue;
    }
  }
  return found;
}

function encodeEach(text: string, bytes: SingleBytes): Buffer | undefined {
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
