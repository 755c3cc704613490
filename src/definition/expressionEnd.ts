// Finds the end of an expression inside another text: not within its own texts, names, regular expressions or braces.

/**
 * Returns the index of the mark that closes the expression, which begins at `start` and has at least one character; -1 where the expression
 * doesn't end. `mark`: one or two closing braces.
 */
export function endOfExpression(text: string, start: number, mark: '}' | '}}'): number {
  let depth = 0;
  /** Whether a value comes next: a slash then begins a regular expression, otherwise it divides. */
  let isBeforeValue = true;
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '}' && depth === 0 && text.startsWith(mark, index) && index > start) return index;
    if (/\s/.test(character)) continue;
    if (character === '"' || character === "'" || character === '`') {
      index = endOfQuoted(text, index, character);
    } else if (text.startsWith('/*', index)) {
      const end = text.indexOf('*/', index + 2);
      if (end === -1) return -1;
      index = end + 1;
      continue;
    } else if (character === '/' && isBeforeValue) {
      index = endOfQuoted(text, index, '/');
    } else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (index === -1) return -1;
    isBeforeValue = !/[\w$)\]}"'`/]/.test(text.charAt(index));
  }
  return -1;
}

/** Returns the index of the sign that ends what begins with the same one, or -1. A backslash hides the sign behind it, except in a name. */
function endOfQuoted(text: string, start: number, sign: string): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === sign) return index;
    if (character === '\\' && sign !== '`') index += 1;
  }
  return -1;
}
