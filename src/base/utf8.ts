/** Returns the text of the bytes, without its byte order mark unless `keepsMark`; undefined for bytes that aren't UTF-8: they would become other characters. */
export function decodeUtf8(bytes: Uint8Array, { keepsMark = false } = {}): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes);
  } catch {
    return undefined;
  }
}
