// Makes text from outside safe for the place where it's shown.
import type { BoundedJson } from './boundedJson.ts';

const joiner = String.raw`(?:\u200c|\u200d)`;
const variation = String.raw`[\ufe00-\ufe0f]`;
/**
 * Control characters, text-direction controls, halves of surrogate pairs, and what is invisible. Variation selectors stay, and joiners
 * except after the letters and signs that they don't change.
 */
const controlCharacters = new RegExp(
  [
    String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]`,
    String.raw`(?!${joiner}|${variation})\p{Default_Ignorable_Code_Point}`,
    String.raw`(?:(?<=[\p{ASCII}\p{Script=Latin}])|^)${joiner}`,
  ].join('|'),
  'gu',
);

/** What a terminal reads as commands: colours, links, titles. Of one that doesn't end, only the beginning is. */
const terminalSequences = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** Most text has nothing of this: then there's nothing to remove. */
const unusualCharacters = /[^ -~]| {2}/;

/** How much of a text is looked at for each character of it that's shown: cleaning a name of megabytes would hold the editor up. */
const lookedAt = 16;

/**
 * Returns one line of text from outside, without control characters, escapes or text-direction tricks, bounded in length. Of a long text
 * only the beginning is looked at.
 */
export function plainLine(text: string, maximum = 300): string {
  const begin = text.slice(0, lookedAt * maximum);
  const isUsual = !unusualCharacters.test(begin);
  const line = (
    isUsual ? begin : begin.replace(terminalSequences, '').replace(/\s+/g, ' ').replace(controlCharacters, '')
  ).trim();
  const isWhole = begin.length === text.length && line.length <= maximum;
  return isWhole ? line : `${beginningOf(line, maximum - 1)}…`;
}

/** Returns at most so many UTF-16 units from the beginning of a text, without half a character at the end. */
export function beginningOf(text: string, maximum: number): string {
  return text.length <= maximum ? text : text.slice(0, maximum).replace(/[\ud800-\udbff]$/, '');
}

/** Returns the text, or "…" behind its beginning of so many UTF-16 units. */
export function truncateText(text: string, maximum: number): string {
  return text.length <= maximum ? text : `${beginningOf(text, maximum)}…`;
}

/**
 * Returns a line of a text from outside, as harmless as a plain line, with its spaces and tabs as they are: a stack trace and a table
 * need them.
 */
export function plainText(line: string): string {
  if (!/[^\t -~]/.test(line)) return line;
  const spaced = line.replace(terminalSequences, '').replace(/[^\S\t\ufeff]/g, ' ');
  return spaced.replace(controlCharacters, (found) => (found === '\t' ? found : ''));
}

/** Characters that can't be seen, or look like others. What follows a pictogram chooses its look. */
const unseenCharacters = new RegExp(
  [
    String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]`,
    String.raw`(?! )\p{Zs}`,
    String.raw`(?!(?<=\p{Extended_Pictographic})${variation})\p{Default_Ignorable_Code_Point}`,
  ].join('|'),
  'gu',
);

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns JSON text with its unseen characters as escapes: what looks the same is the same. */
export function escapeUnseen(json: string): string {
  return json.replace(unseenCharacters, (character) => character.split('').map(escapeUnit).join(''));
}

/** Truncates JSON text at a length, between two characters. */
export function truncateJson(json: string, maximum: number): string {
  if (json.length <= maximum) return json;
  return `${json.slice(0, maximum - 1).replace(/(?:\\u?[0-9a-f]{0,3}|[\ud800-\udbff])$/, '')}…`;
}

/** Returns JSON text as one line in which every character of a value can be seen. It ends with "…" unless it's the whole text. */
export function jsonLine({ text, isTruncated }: BoundedJson, maximum: number): string {
  // A line end is white space between values, since a text in JSON has none.
  const begin = text.slice(0, 2 * maximum).replace(/[\t\n\r][\t\n\r ]*/g, ' ');
  const line = escapeUnseen(begin);
  const isWhole = !isTruncated && text.length <= 2 * maximum && line.length <= maximum;
  return isWhole ? line : truncateJson(`${line}…`, maximum);
}

/** Returns JSON text of several lines in which every character of a value can be seen. It ends with "…" unless it's the whole text. */
export function jsonLines({ text, isTruncated }: BoundedJson): string {
  const lines = text.split('\n').map(escapeUnseen).join('\n');
  return isTruncated ? `${lines}…` : lines;
}

/** Returns the message of a notification without links: "[text](command:…)" in a name from outside would become a link that runs a command. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Escapes "$(name)" in text from outside, which would be drawn as an icon. Elsewhere the escape would be seen. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, '\\$&');
}

/** For text from outside where both icons and links are drawn, such as what a box says below its field. */
export function withoutIconsAndLinks(text: string): string {
  return withoutLinks(withoutIcons(text));
}

/** Turns a name from outside into a file name, without the characters that are special in paths and file systems; may be empty. */
export function fileName(text: string, maximum = 80): string {
  return plainLine(text.slice(0, lookedAt * maximum).replace(/[\\/:*?"<>|]/g, ' '), maximum);
}

/** Joins the words that aren't empty. */
export function joined(words: readonly (string | undefined)[], separator: string): string {
  return words.filter((word) => word !== undefined && word !== '').join(separator);
}

/** Without the byte order mark that a file may begin with. */
export function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}
