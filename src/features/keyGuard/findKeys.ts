// Why: what in a text looks like an API key; pure and bounded, since it runs on whatever a person opens.

/** A place in a text, in UTF-16 units. */
export interface FoundKey {
  readonly offset: number;
  readonly length: number;
}

/** More than this is a list of samples or a minified file, of which the first say enough. */
const maximumFound = 100;

/** The prefix with at least 16 key characters behind it, not in the middle of a longer word. */
export function findKeys(text: string, prefix: string): readonly FoundKey[] {
  // Most texts hold no key: a plain search is far cheaper than the expression.
  if (prefix === '' || !text.includes(prefix)) return [];
  const escaped = prefix.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const expression = new RegExp(`(?<![A-Za-z0-9_])${escaped}[A-Za-z0-9_-]{16,}`, 'g');
  const found: FoundKey[] = [];
  for (const match of text.matchAll(expression)) {
    found.push({ offset: match.index, length: match[0].length });
    if (found.length === maximumFound) break;
  }
  return found;
}
