// Masks short texts at once and long ones on a thread of their own.
import { isAbortError } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { hiddenValue } from '../../domain/secret.ts';
import { MaskThread, type TextKind } from './maskThread.ts';
import type { SecretMask } from './secretMask.ts';

/** In UTF-16 units: masking this many takes a few milliseconds, whatever they are. */
const longestAtOnce = 32 * 1024;

/** A long text could not be searched for secrets. */
export class MaskError extends Error {
  override readonly name = 'MaskError';
}

/** Rejects with a MaskError where a text can't be masked: for what an execution starts with, which must not be another value. */
export type StrictMasking = Masking['strict'];

/** Hides the values of secrets. A long text that can't be masked is `***` as a whole. */
export class Masking implements Disposable {
  /** For texts that can't wait, such as those of a log. */
  readonly mask: SecretMask;
  readonly #logger: Logger;
  #thread: MaskThread | undefined;
  #values: readonly string[] = [];

  constructor(mask: SecretMask, logger: Logger) {
    this.mask = mask;
    this.#logger = logger;
  }

  /** Replaces the values. */
  update(values: readonly string[]): void {
    this.#values = values;
    this.mask.update(values);
    this.#thread?.update(values);
  }

  readonly strict = {
    /** Masks a text. */
    text: async (text: string): Promise<string> =>
      this.#isShort(text) ? this.mask.text(text) : this.#maskLong('text', text),
    /** Masks a JSON text, which keeps its structure. */
    json: async (json: string): Promise<string> =>
      this.#isShort(json) ? this.mask.json(json) : this.#maskLong('json', json),
  };

  /** Masks a text. */
  readonly text = (text: string): Promise<string> => this.strict.text(text).catch(insteadOf(hiddenValue));

  /** Masks a JSON text, which keeps its structure. */
  readonly json = (json: string): Promise<string> =>
    this.strict.json(json).catch(insteadOf(stringifyJson(hiddenValue)));

  /** Masks an object. Returns the same one where there's nothing to mask. */
  readonly object = async (value: JsonObject): Promise<JsonObject> => {
    if (this.mask.isEmpty) return value;
    const text = stringifyJson(value);
    const masked = await this.json(text);
    if (masked === text) return value;
    const parsed = parseJson(masked);
    return parsed !== undefined && isJsonObject(parsed) ? parsed : { [hiddenValue]: hiddenValue };
  };

  dispose(): void {
    this.#thread?.end(new DOMException('The service stops.', 'AbortError'));
  }

  #isShort(text: string): boolean {
    return this.mask.isEmpty || text.length <= longestAtOnce;
  }

  async #maskLong(kind: TextKind, text: string): Promise<string> {
    const thread = (this.#thread ??= new MaskThread(this.#values));
    try {
      return await thread.mask(kind, text);
    } catch (error) {
      if (isAbortError(error)) throw error;
      this.#logger.error('A long text could not be searched for secrets.', error);
      throw new MaskError('A long text could not be searched for secrets.', { cause: error });
    }
  }
}

function insteadOf(hidden: string): (error: unknown) => string {
  return (error) => {
    if (error instanceof MaskError) return hidden;
    throw error;
  };
}
