// Where a definition has expressions: in members that are one, and in templates.

/** Config members that are JSONata expressions as a whole; all other strings can contain `{{ … }}`. */
export const expressionMembers: ReadonlySet<string> = new Set(['expression', 'items', 'result']);

/** Literal texts and the expressions between them, in order. */
export interface Template {
  /** The texts before, between and after the expressions: one more than there are expressions. */
  readonly texts: readonly string[];
  readonly expressions: readonly string[];
  /** True for a single `{{ … }}` with nothing else around it, which becomes the value itself. */
  readonly isValue: boolean;
}

export const templateMarks = { open: '{{', close: '}}' } as const;
const { open, close } = templateMarks;

/** Parses a template. Each `{{` ends at the next `}}`, with at least one character in between. */
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
