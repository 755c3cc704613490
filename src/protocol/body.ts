// How both sides read a body: which content types are JSON, and how much of it is taken (contract section 1).

/** Returns the media type in lower case without parameters; '' when there's none. */
export function mediaTypeOf(contentType: string | null | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** True for media types that stand for a single JSON value. */
export function isJsonType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/** Returns the chunks as UTF-8 text; undefined when there are more bytes than the maximum. The rest isn't read then. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maximumBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maximumBytes) return undefined;
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}
