// Shows the run of a node in the editor's hover, with links to all of it.
import * as vscode from 'vscode';
import { commandLink } from '../../../editor/commandLink.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { escapeMarkdown } from '../../../editor/format.ts';
import { commandId, type CommandName } from '../../../editor/ids.ts';
import { settings } from '../../../editor/settings.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { LastRun } from '../lastRun/lastRuns.ts';
import { explainNode, type NodeExplanation } from './nodeHover.ts';

/** The only commands that links in the hover may run. */
const linked: readonly CommandName[] = ['nodeRun.open', 'nodeRun.openLog', 'execution.openLog'];
const maximumParagraph = 500;

export function explainRun(lastRun: LastRun, line: number): vscode.Hover | undefined {
  const { document, shown } = lastRun;
  if (shown.kind !== 'execution' || !settings.showExecution()) return undefined;
  const { text } = document.lineAt(line);
  const start = document.offsetAt(new vscode.Position(line, 0));
  const found = explainNode(lastRun, { offset: start, length: text.length });
  if (found === undefined) return undefined;
  return new vscode.Hover(renderHover(found, shown.target), document.lineAt(line).range);
}

function renderHover(found: NodeExplanation, target: ExecutionTarget): vscode.MarkdownString {
  const hover = new vscode.MarkdownString();
  hover.isTrusted = { enabledCommands: linked.map(commandId) };
  hover.appendMarkdown(`**${escapeMarkdown(found.title)}**\n\n`);
  for (const paragraph of found.words.filter((each) => each !== ''))
    hover.appendMarkdown(`${escapeMarkdown(paragraph, maximumParagraph)}\n\n`);
  hover.appendMarkdown(`${linksOf(found, target).join(' · ')}\n\n`);
  for (const { title, code, language } of found.values) {
    hover.appendMarkdown(`${escapeMarkdown(title)}\n\n`);
    hover.appendCodeblock(code, language);
  }
  return hover;
}

function linksOf({ run }: NodeExplanation, target: ExecutionTarget): readonly string[] {
  const log = vscode.l10n.t('Open Log');
  if (run === undefined) return [commandLink(offerCommand('execution.openLog', target, { title: log }))];
  const open = vscode.l10n.t('Open Node Run with Whole Input and Output');
  const inLog = vscode.l10n.t('Show in Log');
  return [
    commandLink(offerCommand('nodeRun.open', { ...target, nodeRunKey: run.key }, { title: open })),
    commandLink(offerCommand('nodeRun.openLog', { ...target, nodeRunKey: run.key }, { title: inLog })),
  ];
}
