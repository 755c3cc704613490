// Texts with expressions inside: `{{ … }}`.
import { endOfExpression } from './expressionEnd.ts';

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
