// What is offered at the mark of a text, in its order.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import type { Offer } from '../../../../src/ui/expressions/offer.ts';
import { findOffers } from '../../../../src/features/definitions/completion/offers.ts';
import { atMark, shownValues } from './order.ts';

export function offersIn(marked: string, values = shownValues, trigger?: string): readonly Offer[] {
  const { text, offset } = atMark(marked);
  return findOffers(new DefinitionText(text), offset, values, trigger).toSorted(
    (one, other) => one.rank - other.rank,
  );
}

/** The labels in their order, without those of functions. */
export const labels = (marked: string, values = shownValues): readonly string[] =>
  offersIn(marked, values).flatMap(({ kind, label }) => (kind === 'function' ? [] : [label]));

/** The text after taking an offer. */
export function take(marked: string, label: string): string {
  const { text } = atMark(marked);
  const found = offersIn(marked).find((each) => each.label === label);
  assert.ok(found, label);
  return text.slice(0, found.span.start) + found.before + found.after + text.slice(found.span.end);
}
