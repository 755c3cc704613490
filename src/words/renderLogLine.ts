import * as l10n from '@vscode/l10n';
import { plainLine, plainText } from '../base/format.ts';
import type { LogLines } from '../domain/logEntry.ts';
import type { NodeLog } from '../domain/nodeLog.ts';
import { formats } from './formats.ts';
import { shortId } from './names.ts';
import { hasTakenResult, originWord } from './nodeState.ts';
import { statusWord, wordOfStatus } from './status.ts';
import { formatDuration, renderTime } from './time.ts';

/** The longest message that is shown, in UTF-16 units. */
export const maximumMessage = 10_000;
/** How much is shown of a longer one: words that say so have room beside it, so that the result isn't truncated again. */
const roomForMessage = maximumMessage - 100;

/** The 1-based iterations of the loops around a node: " [2] [1]"; "" outside of loops. */
export function renderIteration(iteration: readonly number[]): string {
  return iteration.map((index) => ` [${index + 1}]`).join('');
}

/** The node with its iteration and attempt: "Add up [2] (attempt 2)". */
export function renderNodeName(log: Pick<NodeLog, 'nodeId' | 'nodeName' | 'iteration' | 'attempt'>): string {
  const name = plainLine(log.nodeName === '' ? log.nodeId : log.nodeName, 80);
  const attempt = log.attempt > 1 ? ` (${l10n.t('attempt {0}', log.attempt)})` : '';
  return name + renderIteration(log.iteration) + attempt;
}

/** True for a row that only says that its node run has started. */
function isBareStart({ message, status, error }: NodeLog): boolean {
  return status?.isTerminal === false && error === null && /^(node )?(started|running)?$/i.test(message);
}

/** True for a row that only says that its node run has started or completed, or where its result is from. */
export function isBareState(log: NodeLog): boolean {
  return isBareStart(log) || saysOnlyOrigin(log) || (log.status?.state === 'completed' && saysCompleted(log));
}

/** True for a row that only says that its node run didn't run, but took its result from a record or a pin. */
function saysOnlyOrigin(log: NodeLog): boolean {
  return hasTakenResult(log) && /^(reused from \S+|gave its pinned output\.?)$/i.test(log.message);
}

function saysCompleted({ message }: NodeLog): boolean {
  return /^(node )?completed$/i.test(message);
}

/** Why a node was skipped, as its row says; in our words where the local service says it. undefined if the row doesn't. */
export function reasonOfSkip({ message, status }: NodeLog): string | undefined {
  if (status?.state !== 'skipped') return undefined;
  const reason = /^skipped: *(.+)$/is.exec(message)?.[1];
  return reason === 'branch not taken' ? l10n.t('branch not taken') : reason;
}

/** The row's message; where it says no more than the state, in our words: that the node started, was skipped, completed, or was answered by a record. */
export function messageOf(log: NodeLog): string {
  const { message, status, durationMs } = log;
  if (isBareStart(log)) return l10n.t('started');
  const skipped = reasonOfSkip(log);
  if (skipped !== undefined) return `${statusWord('skipped')}: ${skipped}`;
  const origin = originWord(log);
  if (origin !== undefined && hasTakenResult(log)) return describeOrigin(log, origin);
  if (status?.state !== 'completed' || !saysCompleted(log)) return message;
  const word = wordOfStatus(status);
  const said = durationMs === null ? word : l10n.t('{0} in {1}', word, formatDuration(durationMs));
  return origin === undefined ? said : `${said} (${origin})`;
}

/** "completed (reused from 3f9a1c)", "completed (pinned)"; before a message that says more: "reused: …". */
function describeOrigin(log: NodeLog, origin: string): string {
  if (!saysOnlyOrigin(log)) return `${origin}: ${log.message}`;
  const { reusedFrom, isPinned, status } = log;
  const words = isPinned || reusedFrom === null ? origin : l10n.t('reused from {0}', shortId(reusedFrom));
  return `${statusWord(status?.state ?? 'unknown', status?.word)} (${words})`;
}

/** Returns the message as it's shown: of a long one the beginning, and how much more there is. */
export function shownMessage(message: string): string {
  if (message.length <= maximumMessage) return message;
  const shown = message.slice(0, roomForMessage);
  const more = formats.number(message.length - shown.length);
  // Joined, the text is a copy: a part of a text keeps the whole of it in memory.
  return [shown, l10n.t('... {0} more characters', more)].join(' ');
}

/**
 * Returns one or more lines without a trailing line end; further lines of the message are indented. title: what the node log
 * belongs to; '' if all of them belong to the same. What is added is ASCII: one character beyond Latin-1 doubles the memory that the editor
 * needs for the whole text.
 */
export function renderLogLine(title: string, log: NodeLog, timeOf = renderTime): string {
  return renderMessage(title, log, shownMessage(messageOf(log)), timeOf);
}

/** The lines of rows where they are shown for good: one that only says that a node started would double the lines. */
export function renderShownLines(rows: readonly NodeLog[]): readonly string[] {
  return rows.filter((row) => !isBareStart(row)).map((row) => renderLogLine('', row));
}

/** Puts a title into a line that has none. */
export function withTitle(title: string, line: string): string {
  const begin = nameBegin(line);
  return `${line.slice(0, begin)}${plainLine(title, 80)} > ${line.slice(begin)}`;
}

/** Where the node's name begins in its line. */
export function nameBegin(line: string): number {
  return line.indexOf('] ') + 2;
}

/** How rows become lines where they are kept. */
export const logLines: LogLines = {
  render: (row) => renderLogLine('', row),
  renderWhole: renderWholeLogLine,
  isBareStart,
};

/** The same with the whole message, however long it is. */
export function renderWholeLogLine(log: NodeLog): string {
  return renderMessage('', log, messageOf(log), renderTime);
}

/** The lines of a text, at least one. */
function splitLines(text: string): readonly string[] {
  return /[\r\n]/.test(text) ? text.split(/\r\n|\r|\n/) : [text];
}

function renderMessage(title: string, log: NodeLog, message: string, timeOf: typeof renderTime): string {
  const time = log.timestamp === null ? '' : `${timeOf(log.timestamp)} `;
  const lines = splitLines(message).map(plainText);
  const reason =
    log.error !== null && !message.includes(log.error.message)
      ? `: ${plainLine(log.error.message, 2000)}`
      : '';
  const owner = title === '' ? '' : `${plainLine(title, 80)} > `;
  return `${time}[${log.level}] ${owner}${renderNodeName(log)}: ${lines.join('\n    ')}${reason}`;
}
