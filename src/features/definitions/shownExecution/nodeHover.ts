// What a hover over a node's name says of its run. Pure.
import * as l10n from '@vscode/l10n';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { Range } from '../../../definition/range.ts';
import { readExchange } from '../../../domain/httpExchange.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { joined, plainLine } from '../../../base/format.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { renderIterationPlace } from './renderExecutionLenses.ts';
import {
  attemptWord,
  describeAttempt,
  explainAnswered,
  explainHandled,
  errorOfRun,
} from '../../../words/nodeState.ts';
import { messageOf } from '../../../words/renderLogLine.ts';
import { changeWords, type InlineFacts, markedState, renderLineEnds } from './renderInline.ts';
import { renderShortJson } from './shortJson.ts';
import * as vscode from 'vscode';
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
import { hasAnswerableRequest, hasPinnableOutput } from '../../../ui/pinning.ts';
import type { DrawnExecution } from './drawnExecutions.ts';

/** Plain texts, which may come from outside. */
export interface NodeExplanation {
  readonly title: string;
  /** Paragraphs. */
  readonly words: readonly string[];
  readonly values: readonly {
    readonly title: string;
    readonly code: string;
    readonly language: 'json' | 'log';
  }[];
  /** The run that is shown; undefined if there is none. */
  readonly run: NodeRun | undefined;
}

const maximumLogLines = 5;
const maximumLogLine = 160;
const maximumReason = 400;

/** `line`: the part of the line that the pointer is on. undefined if neither the node's name nor its id begins there. */
export function explainNode(facts: InlineFacts, line: Range): NodeExplanation | undefined {
  if (facts.shown.kind !== 'execution') return undefined;
  const named = facts.positions.filter((each) => isOn(line, each.label) || isOn(line, each.idRange));
  const [position, ...others] = named;
  if (position === undefined || others.length > 0) return undefined;
  const node = facts.nodes.get(position.id);
  if (node?.run !== undefined) return describeRun(facts, position, node, node.run);
  const [end] = renderLineEnds({ ...facts, positions: [position] });
  if (end === undefined) return undefined;
  const words = [end.text, placeOf(node)];
  return { title: titleOf(position, ''), words, values: [], run: undefined };
}

function isOn(line: Range, { offset }: Range): boolean {
  return line.offset <= offset && offset <= line.offset + line.length;
}

function titleOf({ id: nodeId }: DefinitionNode, name: string): string {
  return joined([plainLine(name, 80), name === nodeId ? '' : plainLine(nodeId, 80)], ' · ');
}

function describeRun(
  { changes }: InlineFacts,
  position: DefinitionNode,
  node: NodeView,
  run: NodeRun,
): NodeExplanation {
  const { id: nodeId } = position;
  const words = [
    joined([markedState(run), describeAttempt(run), placeOf(node)], ' · '),
    changeWords(changes.get(nodeId)) ?? '',
    ...earlierAttempts(node),
    errorOfRun(run, maximumReason) ?? '',
    explainHandled(run) ?? '',
    explainAnswered(run) ?? '',
  ];
  return {
    title: titleOf(position, run.nodeName),
    words,
    values: valuesOf(run),
    run,
  };
}

/** "Iteration 2 of 3"; '' outside of loops. */
function placeOf(node: NodeView | undefined): string {
  return node === undefined ? '' : renderIterationPlace(node);
}

/** Why the attempts before this one failed. */
function earlierAttempts({ earlier }: NodeView): readonly string[] {
  return earlier
    .slice(-maximumLogLines)
    .map((each) => joined([attemptWord(each.attempt), markedState(each), errorOfRun(each, 300)], ' · '));
}

function valuesOf({ status, input, output, exchange, logs }: NodeRun): NodeExplanation['values'] {
  const { request, response } = readExchange(exchange) ?? {};
  const value = (title: string, given: NodeRun['input']) =>
    given === undefined || status?.state === 'skipped'
      ? []
      : [{ title, code: renderShortJson(given), language: 'json' as const }];
  const tail = logs
    .slice(-maximumLogLines)
    .map((log) => plainLine(`[${log.level}] ${messageOf(log)}`, maximumLogLine));
  return [
    ...value(l10n.t('Input'), input),
    ...value(l10n.t('Output'), output ?? undefined),
    ...value(l10n.t('Request'), request),
    // The response is also the output of a run that completed.
    ...value(l10n.t('Response'), (output ?? null) === null ? response : undefined),
    ...(tail.length === 0
      ? []
      : [{ title: l10n.t('Last log lines'), code: tail.join('\n'), language: 'log' as const }]),
  ];
}

const maximumParagraph = 500;

/** What a service takes with drafts. */
export interface DraftOffers {
  readonly canPin: boolean;
  readonly canAnswer: boolean;
}

export function explainRun(
  drawn: DrawnExecution,
  line: number,
  offers: DraftOffers,
): vscode.Hover | undefined {
  const { document, shown } = drawn;
  if (shown.kind !== 'execution' || !settings.showExecution()) return undefined;
  const { text } = document.lineAt(line);
  const start = document.offsetAt(new vscode.Position(line, 0));
  const found = explainNode(drawn, { offset: start, length: text.length });
  if (found === undefined) return undefined;
  return new vscode.Hover(renderNodeHover(found, shown.target, offers), document.lineAt(line).range);
}

export function renderNodeHover(
  found: NodeExplanation,
  target: ExecutionTarget,
  offers: DraftOffers,
): vscode.MarkdownString {
  return toMarkdownString(
    paragraphs([
      formatted`**${found.title}**`,
      ...found.words.map((each) => plainLine(each, maximumParagraph)),
      joinMarkdown(linksOf(found, target, offers), ' · '),
      ...found.values.flatMap(({ title, code, language }) => [title, codeBlock(code, language)]),
    ]),
  );
}

function linksOf(
  { run }: NodeExplanation,
  target: ExecutionTarget,
  { canPin, canAnswer }: DraftOffers,
): readonly Markdown[] {
  if (run === undefined) return [commandLink('execution.openLog', target, vscode.l10n.t('Open Log'))];
  const open = vscode.l10n.t('Open Node Run');
  const inLog = vscode.l10n.t('Show in Log');
  const argument = { ...target, nodeRunKey: run.key };
  return [
    commandLink('nodeRun.open', argument, open),
    commandLink('nodeRun.openLog', argument, inLog),
    ...(canPin && hasPinnableOutput(run)
      ? [commandLink('nodeRun.pinOutput', argument, vscode.l10n.t('Pin Output'))]
      : []),
    ...(canAnswer && hasAnswerableRequest(run)
      ? [commandLink('nodeRun.answerRequest', argument, vscode.l10n.t('Answer Request…'))]
      : []),
  ];
}
