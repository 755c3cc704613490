// Reads Markdown that shows text from outside, with the parser that VS Code itself uses.
import assert from 'node:assert/strict';
import { type Token, type Tokens, lexer } from 'marked';

/** What stands in Markdown that shows a value literally. A list, a picture, HTML or another link came from a value. */
const allowed: readonly string[] = [
  'paragraph',
  'text',
  'escape',
  'strong',
  'code',
  'space',
  'heading',
  'table',
];

export interface Read {
  readonly text: string;
  readonly links: readonly string[];
}

function isLink(token: Token): token is Tokens.Link {
  return token.type === 'link';
}

function hasText(token: Token): token is Tokens.Text | Tokens.Escape | Tokens.Code {
  return ['text', 'escape', 'code'].includes(token.type);
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}

/** The text that a person sees; fails if anything but text, titles, code, tables and links to our commands is in it. */
function readTokens(tokens: readonly Token[], source: string): Read {
  const texts: string[] = [];
  const links: string[] = [];
  for (const token of tokens) {
    if (isLink(token)) links.push(token.href);
    else assert.ok(allowed.includes(token.type), `${token.type} in:\n${source}`);
    const cells = isTable(token) ? [...token.header, ...token.rows.flat()] : [];
    const below = 'tokens' in token ? (token.tokens ?? []) : cells.flatMap((cell) => cell.tokens);
    const found = below.length === 0 ? undefined : readTokens(below, source);
    links.push(...(found?.links ?? []));
    texts.push(found?.text ?? (hasText(token) ? token.text : ''));
    if (isTable(token))
      assert.ok(
        token.rows.every(({ length }) => length === 2),
        source,
      );
  }
  return { text: texts.join(''), links };
}

/** Reads Markdown as VS Code does. */
export function readMarkdown(source: string): Read {
  return readTokens(lexer(source), source);
}
