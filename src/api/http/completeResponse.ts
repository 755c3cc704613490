// Reads a response's body within limits, and decodes it.
import { type JsonValue, readJson } from '../../base/json.ts';
import { ServiceError } from '../../domain/errors.ts';
import { charsetOf, decodeText, isJsonType, mediaTypeOf, readBytes } from '../../protocol/body.ts';
import type { HttpResponse } from './httpPort.ts';

/** The parts of a response that an error is read from. text: the whole body as received. */
export interface ErrorResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
  /** The body as JSON; undefined when it isn't JSON. */
  readonly body: JsonValue | undefined;
}

/** A complete response. body: parsed JSON; undefined when it's empty, not JSON, or nested too deep. */
export interface CompleteResponse extends ErrorResponse {
  /** True for JSON that's nested too deep to be read. */
  readonly isTooDeep: boolean;
  /** The media type in lower case without parameters; '' when there's none. */
  readonly mediaType: string;
  /** The response's address, after redirects. */
  readonly url: string;
  /** The connection that was called; null if the client belongs to none. */
  readonly connectionId: string | null;
}

export function toCompleteResponse(response: HttpResponse, url: string, text: string): CompleteResponse {
  const { status, statusText, headers } = response;
  const mediaType = mediaTypeOf(headers.get('content-type'));
  const reading = readJson(text);
  const body = reading.kind === 'value' ? reading.value : undefined;
  // Plain text may contain any number of brackets.
  const isTooDeep = reading.kind === 'tooDeep' && (isJsonType(mediaType) || mediaType === '');
  return { status, statusText, headers, text, body, isTooDeep, mediaType, url, connectionId: null };
}

/** Maximum size of a response in bytes: an execution's output, and everything else. */
export const bodyLimits = { output: 64 * 1024 * 1024, other: 16 * 1024 * 1024 } as const;

/**
 * Returns the body as text, in its charset. Rejects with "unreadable" when it's compressed or exceeds the limit. Bytes that aren't text are
 * refused with "unreadable" where the body is what was asked for, as `isWanted` says; else each of them becomes U+FFFD.
 */
export async function readBodyText(
  response: HttpResponse,
  maximumBytes: number,
  isWanted: boolean,
): Promise<string> {
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  if (!/^\s*(identity)?\s*$/i.test(encoding))
    throw new ServiceError(
      { kind: 'unreadable', cause: 'encoded' },
      'The response is compressed, which was not asked for.',
    );
  const bytes = await readBytes(response.body ?? [], maximumBytes);
  if (bytes === undefined) {
    const message = `The response is larger than ${Math.round(maximumBytes / 1024 / 1024)} MiB.`;
    throw new ServiceError({ kind: 'unreadable', cause: 'tooLarge' }, message);
  }
  const type = response.headers.get('content-type');
  const text = decodeText(bytes, charsetOf(type));
  if (text === undefined && isWanted)
    throw new ServiceError(
      { kind: 'unreadable', cause: 'notText' },
      `The response is ${bytes.byteLength} bytes that aren't text in ${charsetOf(type) ?? 'utf-8'}.`,
    );
  return text ?? new TextDecoder().decode(bytes);
}

const drainBytes = 64 * 1024;

/** Drops an unused body, so that its connection can be reused or closed. */
export async function discard(response: HttpResponse): Promise<void> {
  if (response.body === null) return;
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > drainBytes) break;
  }
}
