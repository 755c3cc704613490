// Renders one execution as Markdown for a ticket. Text from the service is escaped and bounded, and API keys are masked.
import * as l10n from '@vscode/l10n';
import { type JsonValue, stringifyJson } from '../../../base/json.ts';
import { isServiceError, type ServiceError } from '../../../domain/errors.ts';
import { joined, plainLine } from '../../../base/format.ts';
import { hideKeys } from '../../../editor/hideKeys.ts';
import {
  codeBlock,
  joinMarkdown,
  type MarkdownPart,
  formatted,
  type Markdown,
  paragraphs,
} from '../../../editor/markdown.ts';
import { draftWord } from '../../../words/executionWords.ts';
import { renderLogLine } from '../../../words/renderLogLine.ts';
import { wordOfStatus } from '../../../words/status.ts';
import { findFailure } from '../../../model/failures/findFailure.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import type { RunTree } from '../../../model/runs/runTree.ts';
import type { Execution, Output } from '../../../domain/execution.ts';
import { type HttpExchange, readExchange } from '../../../domain/httpExchange.ts';
import type { NodeLog } from '../../../domain/nodeLog.ts';
import { formatDuration } from '../../../words/time.ts';

export interface ReportFacts {
  readonly workflowName: string;
  readonly execution: Execution;
  /** `rows`: oldest first. The error if they couldn't be read. */
  readonly logs: Pick<LogFeed, 'rows' | 'runTree'> | ServiceError;
  readonly output: Output | ServiceError;
}

const shownCharacters = 4000;
const shownLogLines = 20;
const shownLineLength = 500;

/** Removes control characters from text of several lines, and limits its length. */
function bounded(text: string): string {
  const lines = text
    .slice(0, shownCharacters)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' '));
  const rest = text.length - shownCharacters;
  return [...lines, ...(rest > 0 ? [l10n.t('… {0} more characters', rest)] : [])].join('\n');
}

/** Masks keys before the text is truncated, because a key that was truncated isn't recognized. */
function renderData(value: JsonValue | undefined): MarkdownPart {
  if (value === undefined) return l10n.t("The service doesn't report it.");
  return codeBlock(bounded(hideKeys(stringifyJson(value, 2))), 'json');
}

function renderOutput(output: ReportFacts['output']): MarkdownPart {
  if (isServiceError(output)) return unreadable(output);
  switch (output.kind) {
    case 'ready':
      return renderData(output.output);
    case 'text':
      return codeBlock(bounded(hideKeys(output.text)), 'text');
    case 'notReady':
      return l10n.t('None yet.');
  }
}

function unreadable(error: ServiceError): string {
  return l10n.t("It couldn't be read: {0}", hideKeys(error.message));
}

/** A node log on one line, with its time in UTC because readers of a ticket may be in another time zone. */
function renderRow(log: NodeLog): string {
  const line = renderLogLine('', log, (time) => time.toISOString());
  return plainLine(hideKeys(line), shownLineLength);
}

interface ShownFailure {
  readonly message: string | undefined;
  /** Its name; '' if it isn't known. */
  readonly node: string;
  /** What an HTTP request node sent and received. */
  readonly exchange: HttpExchange | undefined;
  /** The last node logs of the failed node, or else of all nodes. */
  readonly logs: readonly NodeLog[];
}

function shownFailure({ execution, logs }: ReportFacts): ShownFailure {
  const feed = isServiceError(logs) ? undefined : logs;
  const { node, message } = findFailure(execution, feed) ?? {};
  const rows = feed?.rows ?? [];
  const own = rows.filter(({ nodeId }) => nodeId === node?.nodeId);
  return {
    message,
    node: own.at(-1)?.nodeName ?? node?.nodeId ?? '',
    exchange: readExchange(node?.run?.exchange),
    logs: (own.length === 0 ? rows : own).slice(-shownLogLines),
  };
}

/** "Read invoices, Pay ×3": the nodes that failed although the execution went on. */
function nameHandled(runTree: RunTree): string {
  const names = Array.from(runTree.summaries().values(), ({ iterations }) => {
    const [first, ...others] = iterations.filter(({ isHandled }) => isHandled);
    return first && (others.length === 0 ? first.nodeName : `${first.nodeName} ×${others.length + 1}`);
  });
  return plainLine(joined(names, ', '), shownLineLength);
}

function renderFacts({ workflowName, execution, logs }: ReportFacts): Markdown {
  const { workflowId, eventIds, status, startedAt, createdAt, completedAt, durationMs } = execution;
  const began = startedAt ?? createdAt;
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    [l10n.t('Workflow'), workflowName],
    [l10n.t('Workflow ID'), workflowId],
    [l10n.t('Execution ID'), execution.id],
    [l10n.t('Event IDs'), eventIds.join(', ')],
    [l10n.t('Retry of'), execution.retryOf],
    [l10n.t('Status'), joined([wordOfStatus(status), draftWord(execution)], ', ')],
    [l10n.t('Started'), began?.toISOString()],
    [l10n.t('Ended'), completedAt?.toISOString()],
    [l10n.t('Duration'), durationMs === null ? undefined : formatDuration(durationMs)],
    [l10n.t('Handled failures'), isServiceError(logs) ? undefined : nameHandled(logs.runTree)],
  ];
  const shown = rows.flatMap(([name, value]) => (value ? [formatted`| ${name} | ${hideKeys(value)} |`] : []));
  return joinMarkdown([formatted`| | |`, formatted`| --- | --- |`, ...shown], '\n');
}

function renderFailure({ message, node, exchange }: ShownFailure): readonly MarkdownPart[] {
  if (message === undefined) return [];
  const title = node === '' ? l10n.t('Error') : l10n.t('Failed at {0}', hideKeys(node));
  return [
    formatted`### ${title}`,
    codeBlock(bounded(hideKeys(message)), 'text'),
    ...renderMessage(l10n.t('Request'), exchange?.request),
    ...renderMessage(l10n.t('Response'), exchange?.response),
  ];
}

function renderMessage(title: string, message: HttpExchange[keyof HttpExchange]): readonly MarkdownPart[] {
  return message === undefined ? [] : [formatted`### ${title}`, renderData(message)];
}

export function renderReport(facts: ReportFacts): string {
  const { execution, logs } = facts;
  const word = wordOfStatus(execution.status);
  const failure = shownFailure(facts);
  const lines = failure.logs.map(renderRow);
  const logTitle = formatted`### ${l10n.t('Last log lines')}`;
  const report = paragraphs([
    formatted`## ${hideKeys(`${facts.workflowName}: ${word}`)}`,
    renderFacts(facts),
    ...renderFailure(failure),
    ...(lines.length > 0 ? [logTitle, codeBlock(lines.join('\n'), 'text')] : []),
    ...(isServiceError(logs) ? [logTitle, unreadable(logs)] : []),
    formatted`### ${l10n.t('Input')}`,
    renderData(execution.input),
    formatted`### ${l10n.t('Output')}`,
    renderOutput(facts.output),
  ]);
  return `${report.source}\n`;
}
