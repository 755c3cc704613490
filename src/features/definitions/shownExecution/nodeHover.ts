// What a hover over a node's name says of its run. Pure.
import * as l10n from '@vscode/l10n';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { Range } from '../../../definition/range.ts';
import { readExchange } from '../../../domain/httpExchange.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { joined, plainLine } from '../../../editor/format.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { renderIterationPlace } from './renderExecutionLenses.ts';
import {
  attemptWord,
  describeAttempt,
  explainAnswered,
  explainHandled,
  reasonOf,
} from '../../../ui/words/nodeState.ts';
import { messageOf } from '../../../ui/words/renderLogLine.ts';
import { changeWords, type InlineFacts, markedState, renderLineEnds } from './renderInline.ts';
import { renderShortJson } from './shortJson.ts';

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
  if (node?.run !== undefined) return explainRun(facts, position, node, node.run);
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

function explainRun(
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
    reasonOf(run, maximumReason) ?? '',
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
    .map((each) => joined([attemptWord(each.attempt), markedState(each), reasonOf(each, 300)], ' · '));
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
