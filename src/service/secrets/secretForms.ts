// The forms in which the value of a secret can appear elsewhere.
import { separator } from './jsonTexts.ts';

/** Shorter values occur in too many other texts. */
const shortestMasked = 6;
/** Shorter lines of a value do, too. */
const shortestLine = 8;

export interface SecretForm {
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
export function formsOf(values: Iterable<string>): readonly SecretForm[] {
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
