// Texts with expressions inside: `{{ … }}`.

/** Literal texts and the expressions between them, in order. */
export interface Template {
  /** The texts before, between and after the expressions: one more than there are expressions. */
  readonly texts: readonly string[];
  readonly expressions: readonly string[];
  /** True for a single `{{ … }}` with nothing else around it, which becomes the value itself. */
  readonly isValue: boolean;
}

/** An expression in a template, as indexes without its marks. */
interface TemplateExpression {
  readonly start: number;
  readonly end: number;
  /** False for the last one if its `}}` is missing: it goes to the end of the text. */
  readonly isClosed: boolean;
}

const open = '{{';
const close = '}}';

/** Each `{{` ends at the `}}` behind its expression, or, where that doesn't end, at the next one, with at least one character in between. */
export function* findExpressions(text: string): Generator<TemplateExpression> {
  // An expression without an end was searched to the end of the text.
  let mayEnd = true;
  let opened = text.indexOf(open);
  while (opened !== -1) {
    const start = opened + open.length;
    let end = mayEnd ? endOfExpression(text, start, close) : -1;
    if (end === -1) {
      mayEnd = false;
      end = text.indexOf(close, start + 1);
    }
    const isClosed = end !== -1;
    yield { start, end: isClosed ? end : text.length, isClosed };
    opened = isClosed ? text.indexOf(open, end + close.length) : -1;
  }
}

export function readTemplate(text: string): Template {
  const texts: string[] = [];
  const expressions: string[] = [];
  let rest = 0;
  for (const { start, end, isClosed } of findExpressions(text)) {
    if (!isClosed) break;
    texts.push(text.slice(rest, start - open.length));
    expressions.push(text.slice(start, end));
    rest = end + close.length;
  }
  texts.push(text.slice(rest));
  return { texts, expressions, isValue: expressions.length === 1 && texts.join('').trim() === '' };
}

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
