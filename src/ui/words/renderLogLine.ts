import { plainLine } from '../../editor/format.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import { renderTime } from './time.ts';

const maximumMessage = 10_000;

/** The 1-based turns of the loops around a node: " [2] [1]"; "" outside of loops. */
export function renderTurn(iteration: readonly number[]): string {
  return iteration.map((index) => ` [${index + 1}]`).join('');
}

/** The node with its turn and attempt: "Add up [2] (attempt 2)". */
export function renderNodeName(log: Pick<NodeLog, 'nodeId' | 'nodeName' | 'iteration' | 'attempt'>): string {
  const name = plainLine(log.nodeName === '' ? log.nodeId : log.nodeName, 80);
  return `${name}${renderTurn(log.iteration)}${log.attempt > 1 ? ` (attempt ${log.attempt})` : ''}`;
}

/**
 * Returns one or more lines without a trailing line end; further lines of the message are indented. title: what the node log
 * belongs to; '' if all of them belong to the same.
 */
export function renderLogLine(title: string, log: NodeLog, timeOf = renderTime): string {
  const time = log.timestamp === null ? '' : `${timeOf(log.timestamp)} `;
  const [first = '', ...rest] = log.message
    .slice(0, maximumMessage)
    .split(/\r\n|\r|\n/)
    .map((line) => plainLine(line, maximumMessage));
  const reason =
    log.error !== null && !log.message.includes(log.error.message)
      ? `: ${plainLine(log.error.message, 2000)}`
      : '';
  const owner = title === '' ? '' : `${plainLine(title, 80)} › `;
  const head = `${time}[${log.level}] ${owner}${renderNodeName(log)}: ${first}`;
  return [head, ...rest.map((line) => `    ${line}`)].join('\n') + reason;
}
