// A text while a template is filled: its position decides how a value is written into it.
import { parseJson, stringifyJson } from '../../base/json.ts';

/** Values are inserted unchanged. */
export class FilledText {
  #text = '';

  get text(): string {
    return this.#text;
  }

  /** Adds what the author wrote. */
  add(text: string): void {
    this.#text += text;
  }

  /** Adds the result of the expression, as JSON. */
  put(json: string, expression: string): void;
  put(json: string): void {
    this.add(textOf(json));
  }

  /** Throws a NodeError if no encoding keeps a value in its place. */
  check(): void {
    // Any value can be inserted here; of JSON, the code that sends it checks the whole.
  }
}

/**
 * A text that is JSON: a value inside quotation marks is escaped, and one outside is written as JSON, so that each stays one value
 * (contract section 10, "A text body").
 */
export class FilledJson extends FilledText {
  #isInString = false;

  override add(text: string): void {
    super.add(text);
    for (const [sign] of text.matchAll(/\\.|"/gs)) if (sign === '"') this.#isInString = !this.#isInString;
  }

  override put(json: string): void {
    super.add(this.#isInString ? stringifyJson(textOf(json)).slice(1, -1) : json);
  }
}

/** Returns a text as it is, and any other value as JSON. */
export function textOf(json: string): string {
  const value = json.startsWith('"') ? parseJson(json) : undefined;
  return typeof value === 'string' ? value : json;
}
