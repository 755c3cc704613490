// Reads JSON that users write: its nodes with their positions, or why it isn't JSON and where.
import * as l10n from '@vscode/l10n';
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type JsonValue, maximumTextDepth, parseJson } from '../base/json.ts';
import { maximumJsonDepth } from '../base/jsonScan.ts';
import type { Range } from './range.ts';

/** The first error of a text. */
interface JsonTextError extends Range {
  /** A part of a sentence, such as 'a comma is missing'. */
  readonly reason: string;
  /** False for JSON that is too deep. */
  readonly isSyntax: boolean;
}

/**
 * The root of strict JSON: without comments and trailing commas, and no deeper than what can be sent. If there's an error, the root holds
 * what can be read; nothing of a text that's too deep.
 */
export type JsonTextReading =
  | { readonly root: Node; readonly error: undefined }
  | { readonly root: Node | undefined; readonly error: JsonTextError };

export function readJsonText(text: string): JsonTextReading {
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) {
    const reason = l10n.t('more than {0} levels deep', maximumJsonDepth);
    return { root: undefined, error: { offset: tooDeep, length: 1, reason, isSyntax: false } };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  const [first] = errors;
  if (first === undefined && root !== undefined) return { root, error: undefined };
  const { offset = 0, length = 1 } = first ?? {};
  const reason =
    describeForeign(text, offset) ??
    describeJsonError(first === undefined ? '' : printParseErrorCode(first.error));
  return { root, error: { offset, length: Math.max(1, length), reason, isSyntax: true } };
}

/** Returns the value of a part of the text, with all digits of its numbers; of a part with an error, what can be read. */
export function readJsonValue(text: string, { type, offset, length, children = [], value }: Node): JsonValue {
  switch (type) {
    case 'array':
      return children.map((item) => readJsonValue(text, item));
    case 'object':
      return Object.fromEntries(
        children.flatMap(({ children: [key, member] = [] }) => {
          const name: unknown = key?.value;
          return typeof name === 'string' && member ? [[name, readJsonValue(text, member)]] : [];
        }),
      );
    case 'number':
      return parseJson(text.slice(offset, offset + length)) ?? null;
    default:
      return typeof value === 'string' || typeof value === 'boolean' ? value : null;
  }
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Returns the offset of the bracket at which a text becomes too deep to parse, because parsing takes stack for each level. The text may be
 * unfinished and contain comments: a closing bracket without an opening one is ignored, as in the parser.
 */
function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const token = scanner.getTokenLength() === 1 ? text.charAt(scanner.getTokenOffset()) : '';
    const end = closing[token];
    if (end !== undefined) open.push(end);
    else if (token !== '' && token === open.at(-1)) open.pop();
    if (open.length > maximumTextDepth) return scanner.getTokenOffset();
  }
  return undefined;
}

/** Tokens of other languages, by their beginning, and what JSON has in their place. */
const foreign: readonly (readonly [begins: RegExp, reason: () => string])[] = [
  [/^[+-]?(?:NaN|Infinity)\b/, () => l10n.t('JSON has no NaN or Infinity; use null or text')],
  [/^(?:True|False|TRUE|FALSE)\b/, () => l10n.t('true and false are written in lowercase')],
  [/^(?:None|nil|NULL|Null|undefined)\b/, () => l10n.t('use null instead')],
  [/^[+-]?0[xXoObB][0-9A-Fa-f]/, () => l10n.t('numbers must be decimal')],
  [/^[+-]?0\d/, () => l10n.t("a number can't begin with 0")],
  [/^\+\d/, () => l10n.t("a number can't begin with +")],
  [/^[+-]?\.\d/, () => l10n.t('a digit is missing before the point')],
  [/^['‘’‚`]/, () => l10n.t('text must be in double quotes: "')],
  [/^[“”„«»]/, () => l10n.t('text must be in straight quotes: "')],
  [/^[^\S \t\r\n]|^[\u200b-\u200d\u2060\ufeff]/, () => l10n.t("this kind of space isn't allowed")],
];

/** Returns undefined if there's no token of another language. */
function describeForeign(text: string, offset: number): string | undefined {
  // The parser stops behind a 0 that begins a number.
  const start = /^0[\dxXoObB]/.test(text.slice(offset - 1, offset + 1)) ? offset - 1 : offset;
  const rest = text.slice(start, start + 20);
  return foreign.find(([begins]) => begins.test(rest))?.[1]();
}

/** `name`: as jsonc-parser's printParseErrorCode returns it. */
function describeJsonError(name: string): string {
  const known: Readonly<Record<string, string>> = {
    PropertyNameExpected: l10n.t('a key in "quotes" is missing'),
    ValueExpected: l10n.t('a value is missing'),
    ColonExpected: l10n.t('a colon is missing'),
    CommaExpected: l10n.t('a comma is missing'),
    CloseBraceExpected: l10n.t('a closing brace } is missing'),
    CloseBracketExpected: l10n.t('a closing bracket ] is missing'),
    EndOfFileExpected: l10n.t('unexpected text after the end'),
    InvalidSymbol: l10n.t('text must be in "quotes"'),
    InvalidNumberFormat: l10n.t("this isn't a number"),
    UnexpectedEndOfNumber: l10n.t("this isn't a number"),
    InvalidCommentToken: l10n.t("comments aren't allowed"),
    UnexpectedEndOfComment: l10n.t("comments aren't allowed"),
    UnexpectedEndOfString: l10n.t('the closing quote is missing'),
    InvalidUnicode: l10n.t('this character must be escaped'),
    InvalidEscapeCharacter: l10n.t('this character must be escaped'),
    InvalidCharacter: l10n.t('this character must be escaped'),
  };
  return known[name] ?? l10n.t("this can't be read");
}

/** The line and the column of an offset, from 1 on. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
