// Makes text from outside safe for the place where it's shown.
import * as vscode from 'vscode';

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

/** Most text has nothing of this: then there's nothing to remove. */
const unusualCharacters = /[^ -~]| {2}/;

/** Returns one line of text from outside, without control characters, escapes or text-direction tricks, bounded in length. */
export function plainLine(text: string, maximum = 300): string {
  const isUsual = !unusualCharacters.test(text);
  const line = (isUsual ? text : text.replace(/\s+/g, ' ').replace(controlCharacters, '')).trim();
  return line.length > maximum ? `${line.slice(0, maximum - 1)}…` : line;
}

/** Returns the message of a notification without links: "[text](command:…)" in a name from outside would become a link that runs a command. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Escapes "$(name)" in text from outside, which would be drawn as an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

const markdownCharacters = /[\\`*_{}[\]()#+\-.!|<>~&]/g;

/** Returns Markdown that shows text from outside literally. */
export function escapeMarkdown(text: string, maximum = 300): string {
  return plainLine(text, maximum).replace(markdownCharacters, '\\$&');
}

/** Turns a name from outside into a file name, without the characters that are special in paths and file systems; may be empty. */
export function fileName(text: string, maximum = 80): string {
  return plainLine(text.replace(/[\\/:*?"<>|]/g, ' '), maximum);
}

/** Untrusted Markdown: a title from outside, then a paragraph for each row that isn't empty. The rows are Markdown. */
export function tooltip(title: string, rows: readonly (string | undefined)[]): vscode.MarkdownString {
  const shown = rows.filter((row) => row !== undefined && row !== '');
  return new vscode.MarkdownString([`**${escapeMarkdown(title)}**`, ...shown].join('\n\n'));
}

/** Joins the words that aren't empty. */
export function joined(words: readonly (string | undefined)[], separator: string): string {
  return words.filter((word) => word !== undefined && word !== '').join(separator);
}
