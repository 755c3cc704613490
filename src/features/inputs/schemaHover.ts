// What a hover shows of an input's schema.
import type * as vscode from 'vscode';
import { paragraphs, toMarkdownString } from '../../editor/markdown.ts';

/**
 * `escaped`: from the language service, which escapes what it takes from a schema, but not addresses, which would become links. Its
 * escapes are taken back. A bounded schema has no Markdown of its own.
 */
export function toHoverText(escaped: string): vscode.MarkdownString {
  const text = escaped.replaceAll('&nbsp;', ' ').replace(/\\([\\`*_{}[\]()<>#+\-.!\n])/g, '$1');
  return toMarkdownString(paragraphs(text.split('\n\n')));
}
