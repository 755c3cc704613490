// Texts with `{{ … }}` in them: what they are made of.

/** Text as it is, and expressions to be put in, in order. */
export interface Template {
  /** One more than there are expressions: what stands before, between and behind them. */
  readonly texts: readonly string[];
  readonly expressions: readonly string[];
  /** True for one `{{ … }}` alone, which becomes the value itself. */
  readonly isValue: boolean;
}

const open = '{{';
const close = '}}';

/** Each `{{` ends at the next `}}`, with at least one character in between. */
export function readTemplate(text: string): Template {
  const texts: string[] = [];
  const expressions: string[] = [];
  let rest = 0;
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, rest)) {
    const end = text.indexOf(close, start + open.length + 1);
    if (end === -1) break;
    texts.push(text.slice(rest, start));
    expressions.push(text.slice(start + open.length, end));
    rest = end + close.length;
  }
  texts.push(text.slice(rest));
  return { texts, expressions, isValue: expressions.length === 1 && texts.join('').trim() === '' };
}
