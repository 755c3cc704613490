import type * as vscode from 'vscode';
import { escapeMarkdown } from './format.ts';

/** A link in Markdown that runs an offered command; the Markdown must be trusted to run it. A parenthesis in an id from outside would end the link. */
export function commandLink({ title, command, arguments: given }: vscode.Command): string {
  const query = encodeURIComponent(JSON.stringify(given)).replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${escapeMarkdown(title)}](command:${command}?${query})`;
}
