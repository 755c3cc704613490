// How times, durations and names read on screen; pure, so that tables can test them.
import * as vscode from 'vscode';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** "340 ms", "2.4 s", "3 min 5 s", "2 h 10 min". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < second) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < 10 * second) return `${(milliseconds / second).toFixed(1)} s`;
  if (milliseconds < minute) return `${Math.round(milliseconds / second)} s`;
  if (milliseconds < hour) {
    return `${Math.floor(milliseconds / minute)} min ${Math.floor((milliseconds % minute) / second)} s`;
  }
  return `${Math.floor(milliseconds / hour)} h ${Math.floor((milliseconds % hour) / minute)} min`;
}

/** "now", "5 min ago", "3 h ago", "2 days ago". */
export function formatAge(date: Date, now: number): string {
  const age = now - date.getTime();
  if (age < minute) return vscode.l10n.t('now');
  if (age < hour) return vscode.l10n.t('{0} min ago', Math.floor(age / minute));
  if (age < day) return vscode.l10n.t('{0} h ago', Math.floor(age / hour));
  if (age < 2 * day) return vscode.l10n.t('yesterday');
  return vscode.l10n.t('{0} days ago', Math.floor(age / day));
}

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
