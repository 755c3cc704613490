// What the Debug Console offers while an expression is typed, in the terms of the protocol.
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Offer } from '../../ui/expressions/offer.ts';
import type { Complete } from './protocol.ts';

/** Returns the index of the cursor in the text. */
export function cursorIn({ text, line, column }: Complete): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((length, each) => length + each.length + 1, column - 1);
}

const completionTypes: Readonly<Record<Offer['kind'], DebugProtocol.CompletionItemType>> = {
  node: 'reference',
  branch: 'enum',
  name: 'field',
  variable: 'variable',
  function: 'function',
  operator: 'keyword',
  snippet: 'snippet',
};

/** `cursor`: an index in the text. The offers come in the order of their indexes. */
export function toCompletion(
  { kind, label, description, detail, before, span, rank }: Offer,
  cursor: number,
  index: number,
): DebugProtocol.CompletionItem {
  return {
    label,
    text: before,
    type: completionTypes[kind],
    detail: detail || description,
    sortText: `${rank}${String(index).padStart(5, '0')}`,
    start: span.start,
    length: cursor - span.start,
  };
}
