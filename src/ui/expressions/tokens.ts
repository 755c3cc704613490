// Splits JSONata into tokens. The code may be unfinished.

/** "open": a text, pattern or comment that isn't closed. */
type TokenKind =
  'name' | 'quoted' | 'variable' | 'text' | 'number' | 'pattern' | 'open' | 'operator' | 'space';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The token's code; a quoted name without its backticks. */
  readonly value: string;
  /** The index of the innermost bracket around it. */
  readonly around: number | undefined;
}

/** In the order in which they're tried. A name holds whatever isn't an operator. */
const forms: readonly (readonly [TokenKind, RegExp])[] = [
  ['space', /\s+|\/\*[^]*?\*\//y],
  ['text', /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/y],
  ['pattern', /\/(?:[^/\\]|\\[^])+\/[im]*/y],
  ['open', /["'][^]*|\/\*[^]*/y],
  ['quoted', /`[^`]*`?/y],
  ['number', /(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y],
  ['variable', /\$(?:\$|[^\s.[\]{}(),@#;:?+\-*/%|=<>^&!~"'`$]*)/y],
  ['operator', /(?:and|or|in)(?=[\s.[\]{}(),@#;:?+\-*/%|=<>^&!~"'`$])|:=|\.\.|\*\*|!=|<=|>=|~>|\?:|\?\?/y],
  ['name', /[^\s.[\]{}(),@#;:?+\-*/%|=<>^&!~"'`$]+/y],
  ['operator', /[^]/y],
];

/** Spaces and closed comments are left out. */
export function tokenize(code: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < code.length) {
    // After a value a slash divides; elsewhere it begins a pattern.
    const mayBePattern = !endsValue(tokens.at(-1));
    for (const [kind, pattern] of forms) {
      if (kind === 'pattern' && !mayBePattern) continue;
      pattern.lastIndex = at;
      const found = pattern.exec(code)?.[0];
      if (found === undefined) continue;
      const value = kind === 'quoted' ? found.replaceAll('`', '') : found;
      const around = findEnclosing(tokens, tokens.length);
      if (kind !== 'space') tokens.push({ kind, start: at, end: at + found.length, value, around });
      at += found.length;
      break;
    }
  }
  return tokens;
}

/** True for a token after which an operator follows. */
export function endsValue(token: Token | undefined): boolean {
  if (token === undefined || token.kind === 'open') return false;
  return token.kind !== 'operator' || token.value === ')' || token.value === ']' || token.value === '}';
}

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Returns the index of the bracket that the token at this index closes, or undefined. */
export function findOpening(tokens: readonly Token[], closing: number): number | undefined {
  const opening = findEnclosing(tokens, closing);
  return opening !== undefined && tokens[opening]?.value === pairs[tokens[closing]?.value ?? '']
    ? opening
    : undefined;
}

/** Returns the index of the innermost bracket that is opened before this index and not closed before it. */
export function findEnclosing(tokens: readonly Token[], before: number): number | undefined {
  const last = tokens[before - 1];
  if (last?.kind !== 'operator') return last?.around;
  if (last.value === '(' || last.value === '[' || last.value === '{') return before - 1;
  const isClosing = last.value in pairs && last.around !== undefined;
  return isClosing ? tokens[last.around]?.around : last.around;
}
