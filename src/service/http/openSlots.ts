// How many responses or streams each key may have open at once in this process.
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { limits, tooManyStreams } from '../../protocol/operations.ts';
import { HttpError } from './httpError.ts';

interface OpenSlotsOptions {
  readonly perKey: number;
  /** The refusal: its code, its message, and after how many seconds to retry. */
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds: number;
}

export class OpenSlots {
  readonly #options: OpenSlotsOptions;
  /** By key id. */
  readonly #counts = new Map<string, number>();

  constructor(options: OpenSlotsOptions) {
    this.#options = options;
  }

  /** Of all keys. */
  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Throws 429 when the key has no slot left. */
  check(keyId: string): void {
    const { perKey, code, message, retryAfterSeconds } = this.#options;
    if (this.#of(keyId) < perKey) return;
    throw new HttpError(429, code, message, {
      details: { retryAfterSeconds },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }

  /** Takes a slot until it's disposed of, also when none is left. */
  take(keyId: string): Disposable {
    this.#counts.set(keyId, this.#of(keyId) + 1);
    return toDisposable(() => {
      const left = this.#of(keyId) - 1;
      if (left === 0) this.#counts.delete(keyId);
      else this.#counts.set(keyId, left);
    });
  }

  #of(keyId: string): number {
    return this.#counts.get(keyId) ?? 0;
  }
}

/** For the responses that their clients haven't read. Each may have 8 MiB. */
export function createResponseSlots(perKey: number = limits.responsesPerKey): OpenSlots {
  return new OpenSlots({
    perKey,
    code: 'too_many_answers',
    message: `This API key already has ${perKey} unread responses, the maximum; read them, or close their connections.`,
    retryAfterSeconds: 1,
  });
}

export function createStreamSlots(perKey: number = limits.streamsPerKey): OpenSlots {
  return new OpenSlots({
    perKey,
    code: tooManyStreams,
    message: `This API key already has ${perKey} open streams, the maximum; close one, use another key, or read without a stream.`,
    retryAfterSeconds: 30,
  });
}
