// All Markdown comes from here. What is handed in as a string is text, also from outside; only what this file makes is Markdown.
import * as vscode from 'vscode';
import { stringifyJson } from '../base/json.ts';
import { offerCommand } from './commands.ts';
import type { OfferedArgument } from './commands/types.ts';
import { plainLine } from '../base/format.ts';
import { commandId, type CommandName } from './commands/names.ts';

/** The only commands that a link may run. */
type LinkedCommand = Extract<
  CommandName,
  | 'comparison.ignoreField'
  | 'execution.openLog'
  | 'nodeRun.answerRequest'
  | 'nodeRun.open'
  | 'nodeRun.openLog'
  | 'nodeRun.pinOutput'
  | 'nodeTypes.open'
>;

/**
 * What would be a mark: in a link, HTML, a table, a formula; where a list begins; in an address of the web or of mail, which would become a
 * link. Numbers, times and sentences stay readable where the Markdown itself is read.
 */
const marks = /[\\`*_{}[\]()#!|<>~&@$]|^[-+=]|:(?=\/)|(?<=^\d+)\.(?!\d)|(?<!\d)\.(?=\S)|\.(?=\p{L})/gu;
/** In UTF-16 units. Callers that want less must shorten the text first. */
const maximumText = 2000;

class Markdown {
  readonly source: string;
  /** What its links run. */
  readonly commands: readonly LinkedCommand[];

  constructor(source: string, commands: readonly LinkedCommand[] = []) {
    this.source = source;
    this.commands = commands;
  }
}
export type { Markdown };

/** Markdown, or a text that is shown literally. */
export type MarkdownPart = Markdown | string | number;

function toMarkdown(part: MarkdownPart): Markdown {
  if (part instanceof Markdown) return part;
  return new Markdown(plainLine(String(part), maximumText).replace(marks, '\\$&'));
}

/** Only the template itself is Markdown: `` formatted`**${name}**` `` is the name in bold, whatever the name is. */
export function formatted(template: TemplateStringsArray, ...values: readonly MarkdownPart[]): Markdown {
  const parts = values.map(toMarkdown);
  const source = template.map((literal, index) => literal + (parts[index]?.source ?? '')).join('');
  return new Markdown(
    source,
    parts.flatMap(({ commands }) => commands),
  );
}

/** Joins the parts that aren't empty. */
export function joinMarkdown(parts: readonly (MarkdownPart | undefined)[], separator: string): Markdown {
  const shown = parts
    .filter((part) => part !== undefined)
    .map(toMarkdown)
    .filter(({ source }) => source !== '');
  return new Markdown(
    shown.map(({ source }) => source).join(separator),
    shown.flatMap(({ commands }) => commands),
  );
}

/** A paragraph for each part that isn't empty. */
export function paragraphs(parts: readonly (MarkdownPart | undefined)[]): Markdown {
  return joinMarkdown(parts, '\n\n');
}

/** A block of code with a fence that the code can't close. */
export function codeBlock(code: string, language: 'json' | 'log' | 'plaintext' | 'text'): Markdown {
  const longest = [...code.matchAll(/`+/g)].reduce((length, [run]) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return new Markdown(`${fence}${language}\n${code}\n${fence}`);
}

/** A link that runs a command for the user. */
export function commandLink<N extends LinkedCommand>(
  name: N,
  argument: OfferedArgument<N>,
  title: string,
): Markdown {
  const { command, arguments: given } = offerCommand(name, argument, { title });
  // A parenthesis in an id would end the link.
  const query = encodeURIComponent(stringifyJson(given)).replaceAll('(', '%28').replaceAll(')', '%29');
  return new Markdown(`[${toMarkdown(title).source}](command:${command}?${query})`, [name]);
}

/** Trusted for the commands of its own links alone. */
export function toMarkdownString({ source, commands }: Markdown): vscode.MarkdownString {
  const shown = new vscode.MarkdownString(source);
  if (commands.length > 0) shown.isTrusted = { enabledCommands: commands.map(commandId) };
  return shown;
}

/** A title, then a paragraph for each row that isn't empty. */
export function tooltip(title: string, rows: readonly (MarkdownPart | undefined)[]): vscode.MarkdownString {
  return toMarkdownString(paragraphs([formatted`**${plainLine(title)}**`, ...rows]));
}
