// How many lines a row of a log has, so that lines can be counted without rendering them.
import type { NodeLog } from '../../domain/nodeLog.ts';

/** The longest message that is shown, in UTF-16 units. */
export const maximumMessage = 10_000;
/** How much is shown of a longer one: words that say so have room beside it, so that the result isn't cut again. */
const cutMessage = maximumMessage - 100;

/** The message, or the part of a longer one that is shown. */
export function shownPart(message: string): string {
  return message.length > maximumMessage ? message.slice(0, cutMessage) : message;
}

/** The lines of a text, at least one. */
export function splitLines(text: string): readonly string[] {
  return /[\r\n]/.test(text) ? text.split(/\r\n|\r|\n/) : [text];
}

/** True for a row that only says that its node run has started. */
export function saysOnlyStart({ message, status, error }: NodeLog): boolean {
  return status?.isTerminal === false && error === null && /^(node )?(started|running)?$/i.test(message);
}

/** How many lines the row's message has as it's shown. */
export function countMessageLines({ message }: NodeLog): number {
  return splitLines(shownPart(message)).length;
}
