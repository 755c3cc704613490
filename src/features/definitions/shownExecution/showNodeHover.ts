// Shows the run of a node in the editor's hover, with links to all of it.
import * as vscode from 'vscode';
import { plainLine } from '../../../editor/format.ts';
import {
  codeBlock,
  commandLink,
  joinMarkdown,
  formatted,
  type Markdown,
  paragraphs,
  toMarkdownString,
} from '../../../editor/markdown.ts';
import { settings } from '../../../editor/settings.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { hasPinnableOutput } from '../../../ui/pinning.ts';
import type { DrawnExecution } from './drawnExecutions.ts';
import { explainNode, type NodeExplanation } from './nodeHover.ts';

const maximumParagraph = 500;

/** canPin: whether its service executes drafts, which use pins. */
export function explainRun(drawn: DrawnExecution, line: number, canPin: boolean): vscode.Hover | undefined {
  const { document, shown } = drawn;
  if (shown.kind !== 'execution' || !settings.showExecution()) return undefined;
  const { text } = document.lineAt(line);
  const start = document.offsetAt(new vscode.Position(line, 0));
  const found = explainNode(drawn, { offset: start, length: text.length });
  if (found === undefined) return undefined;
  return new vscode.Hover(renderHover(found, shown.target, canPin), document.lineAt(line).range);
}

export function renderHover(
  found: NodeExplanation,
  target: ExecutionTarget,
  canPin: boolean,
): vscode.MarkdownString {
  return toMarkdownString(
    paragraphs([
      formatted`**${found.title}**`,
      ...found.words.map((each) => plainLine(each, maximumParagraph)),
      joinMarkdown(linksOf(found, target, canPin), ' · '),
      ...found.values.flatMap(({ title, code, language }) => [title, codeBlock(code, language)]),
    ]),
  );
}

function linksOf({ run }: NodeExplanation, target: ExecutionTarget, canPin: boolean): readonly Markdown[] {
  if (run === undefined) return [commandLink('execution.openLog', target, vscode.l10n.t('Open Log'))];
  const open = vscode.l10n.t('Open Node Run');
  const inLog = vscode.l10n.t('Show in Log');
  return [
    commandLink('nodeRun.open', { ...target, nodeRunKey: run.key }, open),
    commandLink('nodeRun.openLog', { ...target, nodeRunKey: run.key }, inLog),
    ...(canPin && hasPinnableOutput(run)
      ? [commandLink('nodeRun.pinOutput', { ...target, nodeRunKey: run.key }, vscode.l10n.t('Pin Output'))]
      : []),
  ];
}
