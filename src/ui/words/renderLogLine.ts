// How one node log reads in the channel and in documents; pure, one row in, whole lines out.
import { plainLine } from '../../editor/format.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';

const messageLimit = 10_000;

function pad(value: number, length = 2): string {
  return String(value).padStart(length, '0');
}

/** Local time to the millisecond, in the form that the log language colours. */
export function renderTime(time: Date): string {
  const date = `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${date} ${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${pad(time.getMilliseconds(), 3)}`;
}

/** The node with its turn and attempt: "Add up [2] (attempt 2)". Turns are counted from 1. */
export function renderNodeName(log: Pick<NodeLog, 'nodeId' | 'nodeName' | 'iteration' | 'attempt'>): string {
  const name = plainLine(log.nodeName === '' ? log.nodeId : log.nodeName, 80);
  const turn = log.iteration.map((index) => ` [${index + 1}]`).join('');
  return `${name}${turn}${log.attempt > 1 ? ` (attempt ${log.attempt})` : ''}`;
}

/** A row as one or more lines without a line end; further lines of a message are indented. title: whose row it is, '' where only one execution is shown. */
export function renderLogLine(title: string, log: NodeLog): string {
  const time = log.timestamp === null ? '' : `${renderTime(log.timestamp)} `;
  const lines = log.message.slice(0, messageLimit).split(/\r\n|\r|\n/);
  const [first = '', ...rest] = lines.map((line) => plainLine(line, messageLimit));
  const reason =
    log.error !== null && !log.message.includes(log.error.message)
      ? `: ${plainLine(log.error.message, 2000)}`
      : '';
  const owner = title === '' ? '' : `${plainLine(title, 80)} › `;
  const head = `${time}[${log.level}] ${owner}${renderNodeName(log)}: ${first}`;
  return [head + (rest.length === 0 ? reason : ''), ...rest.map((line) => `    ${line}`)].join('\n');
}
