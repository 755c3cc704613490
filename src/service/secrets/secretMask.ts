// Hides the values of secrets in everything that is kept or sent. All masking of them is here.
import { stringifyJson } from '../../base/json.ts';
import { someNumber } from '../../base/jsonScan.ts';
import { countBefore } from '../../base/sorted.ts';
import { hiddenValue } from '../../domain/secret.ts';
import { type DecodedText, lookThrough, unitsOf } from './decodedText.ts';
import { readTexts, separator } from './jsonTexts.ts';
import { TextSearch } from './textSearch.ts';

const base64Sign = /[\w+/=-]/;

/** A part of a text, in UTF-16 units, and its replacement. */
interface MaskSpan {
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

/**
 * Hides values of 6 characters or more, the longer lines of those that have several, and their forms in base64, hex, a URL, a string and
 * HTML. The time that it takes grows with the text alone. Masking a masked text changes nothing.
 */
export class SecretMask {
  #search: TextSearch<SecretForm> | undefined;
  /** The values that are JSON numbers: a number is masked as a whole. */
  #numbers: ReadonlySet<string> = new Set();

  constructor(values: Iterable<string> = []) {
    this.update(values);
  }

  get isEmpty(): boolean {
    return this.#search === undefined;
  }

  /** Replaces the values. */
  update(values: Iterable<string>): void {
    const forms = formsOf(values);
    this.#search = forms.length > 0 ? new TextSearch(forms) : undefined;
    this.#numbers = new Set(forms.map(({ text }) => text).filter((text) => /^-?\d[\d.eE+-]*$/.test(text)));
  }

  /** Masks a text. */
  text(text: string): string {
    if (this.#search === undefined || text === '') return text;
    return replace(
      text,
      findSpans(this.#search, unitsOf(text), () => false),
    );
  }

  /**
   * Masks the texts, the numbers and the names of members in a JSON text, which stays JSON with the same structure. A number is masked
   * only where it is a value, and a part of a longer word or number in a name isn't.
   */
  json(json: string): string {
    if (this.#search === undefined) return json;
    const { texts, names } = readTexts(json);
    const isInName = (place: number): boolean => countBefore(names, (each) => each <= place) % 2 === 1;
    const found = [...findSpans(this.#search, texts, isInName), ...this.#findNumbers(json)];
    return replace(
      json,
      found.sort((one, other) => one.start - other.start),
    );
  }

  #findNumbers(json: string): readonly MaskSpan[] {
    const found: MaskSpan[] = [];
    if (this.#numbers.size > 0)
      someNumber(json, (number, start) => {
        if (this.#numbers.has(number))
          found.push({ start, end: start + number.length, instead: stringifyJson(hiddenValue) });
        return false;
      });
    return found;
  }
}

function replace(text: string, spans: readonly MaskSpan[]): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let rest = 0;
  for (const { start, end, instead } of spans) {
    pieces.push(text.slice(rest, start), instead);
    rest = end;
  }
  return pieces.join('') + text.slice(rest);
}

/** Returns the parts to mask, in order and without overlaps. */
function findSpans(
  search: TextSearch<SecretForm>,
  text: DecodedText,
  isInName: (place: number) => boolean,
): readonly MaskSpan[] {
  const found: FoundForms[] = [];
  lookThrough(text, (view) => {
    const spans = new FoundForms(view);
    search.search(view, (form, index) => {
      if (view.isJoined && form.canBreak !== true) return;
      const end = index + form.text.length;
      if (form.isWord === true && isInName(view.startOf(index)) && !isWhole(view, index, end)) return;
      const left = form.sharesLeadingCharacter === true && isSign(view, index - 1, base64Sign) ? 1 : 0;
      const right = form.sharesTrailingCharacter === true && isSign(view, end, base64Sign) ? 1 : 0;
      spans.add(index - left, end + right);
    });
    found.push(spans);
  });
  return join(found.flatMap((spans) => spans.toSpans()));
}

/** Parts of a text, which are added roughly in order: parts that touch become one, however many there are. */
class FoundForms {
  readonly #view: DecodedText;
  readonly #parts: { start: number; end: number }[] = [];

  constructor(view: DecodedText) {
    this.#view = view;
  }

  add(start: number, end: number): void {
    const last = this.#parts.at(-1);
    if (!last || start > last.end) this.#parts.push({ start, end });
    else {
      last.start = Math.min(last.start, start);
      last.end = Math.max(last.end, end);
    }
  }

  toSpans(): readonly MaskSpan[] {
    const { startOf, endOf } = this.#view;
    return this.#parts.map(({ start, end }) => ({
      start: startOf(start),
      end: endOf(end),
      instead: hiddenValue,
    }));
  }
}

function join(spans: readonly MaskSpan[]): readonly MaskSpan[] {
  const joined: MaskSpan[] = [];
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) joined.splice(-1, 1, { ...last, end: Math.max(last.end, span.end) });
    else joined.push(span);
  }
  return joined;
}

/** Whether the part isn't inside a longer word or number. */
function isWhole(view: DecodedText, start: number, end: number): boolean {
  return !isSign(view, start - 1, /[\p{L}\p{N}]/u) && !isSign(view, end, /[\p{L}\p{N}]/u);
}

function isSign({ units, length }: DecodedText, index: number, signs: RegExp): boolean {
  return index >= 0 && index < length && signs.test(String.fromCharCode(units[index] ?? 0));
}

/** Shorter values occur in too many other texts. */
const shortestMasked = 6;
/** Shorter lines of a value do, too. */
const shortestLine = 8;

interface SecretForm {
  readonly text: string;
  /** Whether the character before or after it contains bits of the value: in base64, three bytes are four characters. */
  readonly sharesLeadingCharacter?: boolean;
  readonly sharesTrailingCharacter?: boolean;
  /** Whether it's also found with line breaks inside, as long base64 has them. */
  readonly canBreak?: boolean;
  /** Whether it's a word or a number, which also occur as names of members. */
  readonly isWord?: boolean;
}

/** Returns all forms of the values that are masked: those of 6 characters or more. */
function formsOf(values: Iterable<string>): readonly SecretForm[] {
  const forms = new Map<string, SecretForm>();
  for (const value of values)
    if (countCharacters(value) >= shortestMasked)
      for (const form of [...writtenForms(value), ...encodedForms(value)])
        if (form.text.length >= shortestMasked && !form.text.includes(String.fromCharCode(separator)))
          forms.set(form.text, form);
  return [...forms.values()];
}

/** The value as other programs write it, and each of its lines. */
function writtenForms(value: string): readonly SecretForm[] {
  const isWord = /^(?:\p{L}+|\p{N}+)$/u.test(value);
  const written = [
    value,
    value.trim(),
    // Without the characters that a URL or a header drops.
    value.replace(/[\t\n\r]/g, ''),
    value.replace(/\r\n?|\n/g, '\n'),
    value.replace(/\r\n?|\n/g, '\r\n'),
    value.replace(/\s+/g, ' '),
    value.replaceAll('\\', '/'),
    value.replaceAll(' ', '+'),
    // As the host of a URL.
    value.toLowerCase(),
    value.toUpperCase(),
    value.normalize('NFC'),
    value.normalize('NFD'),
  ];
  const lines = value
    .split(/[\n\r\uffff]/)
    .map((line) => line.trim())
    .filter((line) => line !== value && countCharacters(line) >= shortestLine);
  return [...written.map((text) => ({ text, isWord })), ...lines.map((text) => ({ text }))];
}

function encodedForms(value: string): readonly SecretForm[] {
  // JSONata encodes the bytes of Latin-1, everything else those of UTF-8.
  const bytes = [Buffer.from(value), Buffer.from(value, 'latin1')];
  return bytes.flatMap((each) => {
    const hex = each.toString('hex');
    return [
      ...[0, 1, 2].flatMap((before) => base64Forms(each, before)),
      { text: hex, canBreak: true },
      { text: hex.toUpperCase(), canBreak: true },
    ];
  });
}

/** `before`: how many bytes come before the value in its group of three. Without the characters that other bytes have a part in. */
function base64Forms(bytes: Buffer, before: number): readonly SecretForm[] {
  const first = before * 8;
  const last = first + bytes.length * 8;
  const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const text = whole.slice(Math.ceil(first / 6), Math.floor(last / 6));
  const traits = {
    sharesLeadingCharacter: first % 6 !== 0,
    sharesTrailingCharacter: last % 6 !== 0,
    canBreak: true,
  };
  return [
    { text, ...traits },
    { text: text.replaceAll('+', '-').replaceAll('/', '_'), ...traits },
  ];
}

function countCharacters(text: string): number {
  return Array.from(text).length;
}
