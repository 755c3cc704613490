// How many lines a row of a log has, so that lines can be counted without rendering them.
import type { NodeLog } from '../../domain/nodeLog.ts';

/** The longest message that is shown, in UTF-16 units. */
export const maximumMessage = 10_000;

/** The lines of a message as it's shown, at least one. */
export function messageLines(message: string): readonly string[] {
  const shown = message.slice(0, maximumMessage);
  return /[\r\n]/.test(shown) ? shown.split(/\r\n|\r|\n/) : [shown];
}

/** True for a row that only says that its node run has started. */
export function saysOnlyStart({ message, status, error }: NodeLog): boolean {
  return status?.isTerminal === false && error === null && /^(node )?(started|running)?$/i.test(message);
}

/** How many lines the row's message has. */
export function countMessageLines({ message }: NodeLog): number {
  return messageLines(message).length;
}
