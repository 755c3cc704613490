// An answer is read piece by piece, so that one without end cannot fill the memory.
import { ServiceError } from '../../domain/serviceError.ts';
import type { HttpResponse } from '../http/httpPort.ts';

/** Most bytes of an answer: an execution's output, and everything else. */
export const bodyLimits = { output: 64 * 1024 * 1024, other: 16 * 1024 * 1024 } as const;

function tooLarge(maximumBytes: number): ServiceError {
  const message = `The answer is larger than ${Math.round(maximumBytes / 1024 / 1024)} MiB.`;
  return new ServiceError({ kind: 'unreadable', cause: 'tooLarge' }, message);
}

/** The body as UTF-8 text. Throws "unreadable" beyond the limit; the connection is let go of in any case. */
export async function readText(response: HttpResponse, maximumBytes: number): Promise<string> {
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  if (!/^\s*(identity)?\s*$/i.test(encoding))
    throw new ServiceError(
      { kind: 'unreadable', cause: 'encoded' },
      'The answer is compressed, which was not asked for.',
    );
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maximumBytes) throw tooLarge(maximumBytes);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

const drainBytes = 64 * 1024;

/** Lets go of a body that nobody wants, so that its connection can be used again or closed. */
export async function discard(response: HttpResponse): Promise<void> {
  if (response.body === null) return;
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > drainBytes) break;
  }
}
