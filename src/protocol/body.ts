// How both sides read a body: which content types are JSON, how much of it is accepted, and its charset (contract section 1).

/** Returns the media type in lower case without parameters; '' when there's none. */
export function mediaTypeOf(contentType: string | null | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Returns the charset that a content type names, in lower case; undefined when it names none. */
export function charsetOf(contentType: string | null | undefined): string | undefined {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType ?? '') ?? [];
  const charset = (quoted ?? plain ?? '').trim().toLowerCase();
  return charset === '' ? undefined : charset;
}

/** True for media types that stand for a single JSON value. */
export function isJsonType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/** Returns all bytes; undefined when there are more than the maximum. The rest isn't read then. */
export async function readBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maximumBytes: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maximumBytes) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts, size);
}

/**
 * Returns the bytes decoded by a charset, UTF-8 by default; a byte order mark takes precedence. Undefined when they aren't valid text, or
 * the charset is unknown.
 */
export function decodeText(bytes: Uint8Array, charset = 'utf-8'): string | undefined {
  try {
    const decoder = new TextDecoder(charsetOfMark(bytes) ?? charset, { fatal: true });
    return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What windows-1252 has in 0x80 to 0x9f. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Node 22 reads windows-1252 as ISO 8859-1, which has no characters there. */
function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80));
}

function charsetOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
