// Text from outside, made safe for where it is shown.
import * as vscode from 'vscode';

const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** One line of text from outside, without control characters, escapes or text-direction tricks, bounded in length. */
export function plainLine(text: string, maximum = 300): string {
  const line = text.replace(/\s+/g, ' ').replace(controlCharacters, '').trim();
  return line.length > maximum ? `${line.slice(0, maximum - 1)}…` : line;
}

/** A message for a notification, which would turn "[text](command:…)" in names from outside into a link that runs something. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Text from outside where "$(name)" would be drawn as an icon: it is shown as text. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

const markdownCharacters = /[\\`*_{}[\]()#+\-.!|<>~&]/g;

/** Text from outside as Markdown that shows it literally. */
export function escapeMarkdown(text: string, maximum = 300): string {
  return plainLine(text, maximum).replace(markdownCharacters, '\\$&');
}

/** A name from outside as the name of a file, without what paths and file systems mean something by; may be empty. */
export function fileName(text: string, maximum = 80): string {
  return plainLine(text.replace(/[\\/:*?"<>|]/g, ' '), maximum);
}

/** Untrusted Markdown: a title from outside, then a paragraph for each row that there is, as Markdown. */
export function tooltip(title: string, rows: readonly (string | undefined)[]): vscode.MarkdownString {
  const shown = rows.filter((row) => row !== undefined && row !== '');
  return new vscode.MarkdownString([`**${escapeMarkdown(title)}**`, ...shown].join('\n\n'));
}

/** The words that there are, with a separator between them. */
export function joined(words: readonly (string | undefined)[], separator: string): string {
  return words.filter((word) => word !== undefined && word !== '').join(separator);
}
