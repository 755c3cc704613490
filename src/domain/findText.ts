// Finds a text in values, as the service's search (contract section 9) and the client's own do.
import { formatField } from '../base/fieldPath.ts';
import { visitValues } from '../base/jsonValues.ts';

/** A text or a number in which a text was found. */
export interface FoundValue {
  /** `body.items[2].id`; empty for the whole value. */
  readonly path: string;
  /** What stands around the text that was found, with "…" where something is left out. */
  readonly excerpt: string;
}

/** Of an excerpt, in UTF-16 units; one of a longer text is as long as that text. */
const excerptLength = 80;
const lengthBefore = 24;

/**
 * Returns the text with one form for all cases of each letter. It has the same length, and each unit its place, so that a text is found in
 * part of another.
 */
export function foldText(text: string): string {
  // The only letters whose small form depends on their neighbours, or is longer.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('ς', 'σ');
}

/** Returns what stands around the first place of a folded text in another; undefined where there's none. */
export function findInText(text: string, folded: string): string | undefined {
  const start = foldText(text).indexOf(folded);
  return start === -1 ? undefined : excerptOf(text, start, start + folded.length);
}

/** Returns up to `limit` texts and numbers of JSON text that have a folded text in them, without looking at names of members. */
export function findInJson(json: string, folded: string, limit: number): readonly FoundValue[] {
  const found: FoundValue[] = [];
  visitValues(json, (value, readPath) => {
    const excerpt = findInText(value, folded);
    if (excerpt !== undefined) found.push({ path: formatField(readPath()), excerpt });
    return found.length >= limit;
  });
  return found;
}

function excerptOf(text: string, start: number, end: number): string {
  const first = wholeCharacter(text, Math.max(0, start - lengthBefore));
  const last = wholeCharacter(text, Math.min(text.length, Math.max(end, first + excerptLength)));
  return `${first > 0 ? '…' : ''}${text.slice(first, last)}${last < text.length ? '…' : ''}`;
}

/** Returns the index, or the one before it if that is inside a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const isInside = index > 0 && index < text.length && (text.codePointAt(index - 1) ?? 0) > 0xffff;
  return isInside ? index - 1 : index;
}
