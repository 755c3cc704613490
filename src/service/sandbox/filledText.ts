// A text while a template is filled: its position decides how a value is written into it.
import { parseJson, stringifyJson } from '../../base/json.ts';

export interface FilledText {
  readonly text: string;
  /** Adds what the author wrote. */
  add(text: string): void;
  /** Adds the result of the expression, as JSON. */
  put(json: string, expression: string): void;
  /** Throws a NodeError if no encoding keeps a value in its place. */
  check(): void;
}

/** Values are inserted unchanged. */
export class PlainText implements FilledText {
  #text = '';

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#text += text;
  }

  put(json: string): void {
    this.#text += textOf(json);
  }

  check(): void {
    // Any value can be inserted here.
  }
}

/**
 * A text that is JSON: a value inside quotation marks is escaped, and one outside is written as JSON, so that each stays one value
 * (contract section 10, "A text body").
 */
export class FilledJson implements FilledText {
  #text = '';
  #isInString = false;

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#text += text;
    for (const [sign] of text.matchAll(/\\.|"/gs)) if (sign === '"') this.#isInString = !this.#isInString;
  }

  put(json: string): void {
    this.#text += this.#isInString ? stringifyJson(textOf(json)).slice(1, -1) : json;
  }

  check(): void {
    // The code that sends it checks that the whole is JSON.
  }
}

/** Returns a text as it is, and any other value as JSON. */
export function textOf(json: string): string {
  const value = json.startsWith('"') ? parseJson(json) : undefined;
  return typeof value === 'string' ? value : json;
}
