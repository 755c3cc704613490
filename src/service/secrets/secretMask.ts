// Hides the values of secrets in everything that is kept or sent. All masking of them is here.
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  numberText,
  parseJson,
  stringifyJson,
} from '../../base/json.ts';
import type { Hide } from '../../base/secrets.ts';
import { hiddenValue } from '../../domain/secret.ts';
import { viewsOf } from './decodedViews.ts';
import { ManySearch, type Needle } from './manySearch.ts';

/** Shorter values stand in too many other texts. */
const shortestMasked = 6;

interface Form extends Needle {
  /** Whether the characters beside it contain bits of the value: in base64, three bytes are four characters. */
  readonly bleedsLeft?: boolean;
  readonly bleedsRight?: boolean;
}

/** A part of a text, in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Hides values of 6 characters or more, also in base64, percent-encoded, and inside JSON. What was masked stays the same. */
export class SecretMask {
  #search: ManySearch<Form> | undefined;

  constructor(values: Iterable<string> = []) {
    this.update(values);
  }

  /** Replaces the values. */
  update(values: Iterable<string>): void {
    const forms = new Map<string, Form>();
    for (const value of values)
      if (Array.from(value).length >= shortestMasked)
        for (const form of formsOf(value)) if (form.text.length >= shortestMasked) forms.set(form.text, form);
    this.#search = forms.size > 0 ? new ManySearch([...forms.values()]) : undefined;
  }

  /** Masks a text. */
  readonly text: Hide = (text) => {
    const search = this.#search;
    if (search === undefined) return text;
    const spans = findSpans(search, text);
    if (spans.length === 0) return text;
    let masked = '';
    let rest = 0;
    for (const { start, end } of spans) {
      masked += text.slice(rest, start) + hiddenValue;
      rest = end;
    }
    return masked + text.slice(rest);
  };

  /** Masks a JSON text, which stays JSON. Where a value is spread over several of its parts, all of it's masked. */
  json(text: string): string {
    if (!this.#isIn(text)) return text;
    const value = parseJson(text);
    const masked = value === undefined ? undefined : stringifyJson(this.#walk(value));
    return masked === undefined || this.#isIn(masked) ? stringifyJson(hiddenValue) : masked;
  }

  /** Masks the texts, names and numbers of an object. */
  object(value: JsonObject): JsonObject {
    if (this.#search === undefined) return value;
    const text = stringifyJson(value);
    const masked = this.json(text);
    if (masked === text) return value;
    const parsed = parseJson(masked);
    return parsed !== undefined && isJsonObject(parsed) ? parsed : { masked: hiddenValue };
  }

  #isIn(text: string): boolean {
    const search = this.#search;
    if (search === undefined) return false;
    for (const view of viewsOf(text)) if (search.search(view.text, () => true)) return true;
    return false;
  }

  #walk(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    const number = numberText(value);
    if (number !== undefined) return this.#isIn(number) ? hiddenValue : value;
    if (isJsonArray(value)) return value.map((item) => this.#walk(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.text(name), this.#walk(member)]),
    );
  }
}

/** Returns the parts to mask, in order and without overlaps. */
function findSpans(search: ManySearch<Form>, text: string): readonly Span[] {
  const found: Span[] = [];
  for (const view of viewsOf(text))
    search.search(view.text, (form, start) => {
      const end = start + form.text.length;
      const left = form.bleedsLeft === true && isBase64(view.text, start - 1) ? 1 : 0;
      const right = form.bleedsRight === true && isBase64(view.text, end) ? 1 : 0;
      found.push({ start: view.at(start - left), end: view.at(end + right) });
      return false;
    });
  found.sort((one, other) => one.start - other.start);
  const spans: Span[] = [];
  for (const { start, end } of found) {
    const last = spans.at(-1);
    if (last && start <= last.end) spans.splice(-1, 1, { start: last.start, end: Math.max(last.end, end) });
    else spans.push({ start, end });
  }
  return spans;
}

function isBase64(text: string, index: number): boolean {
  return /^[\w+/=-]$/.test(text.charAt(index));
}

/** What the value is on its way: as it is, without what a URL or a header leaves out, and in base64. */
function formsOf(value: string): readonly Form[] {
  const written = [
    value,
    value.trim(),
    value.replace(/[\t\n\r]/g, ''),
    value.replaceAll('\\', '/'),
    value.replaceAll(' ', '+'),
    // As the host of a URL.
    value.toLowerCase(),
  ];
  // JSONata writes the bytes of Latin-1, everybody else those of UTF-8.
  const bytes = [Buffer.from(value), Buffer.from(value, 'latin1')];
  return [
    ...written.map((text) => ({ text })),
    ...bytes.flatMap((each) => [0, 1, 2].flatMap((before) => base64Forms(each, before))),
  ];
}

/** `before`: how many bytes stand before the value in its group of three. Without the characters that others have a part in. */
function base64Forms(bytes: Buffer, before: number): readonly Form[] {
  const first = before * 8;
  const last = first + bytes.length * 8;
  const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const text = whole.slice(Math.ceil(first / 6), Math.floor(last / 6));
  const bleeds = { bleedsLeft: first % 6 !== 0, bleedsRight: last % 6 !== 0 };
  return [
    { text, ...bleeds },
    { text: text.replaceAll('+', '-').replaceAll('/', '_'), ...bleeds },
  ];
}
