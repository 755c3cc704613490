// What is evaluated when a pointer rests on a part of an expression. Pure.
import type { DefinitionText } from '../../definition/definitionText.ts';
import type { TextSpan } from '../../definition/jsonString.ts';
import { Paths } from '../../ui/expressions/paths.ts';
import { findPlace } from '../../ui/expressions/place.ts';
import type { Shape } from '../../ui/expressions/shapes.ts';
import { tokenize } from '../../ui/expressions/tokens.ts';

export interface Evaluatable {
  readonly expression: string;
  /** In the text of the definition. */
  readonly span: TextSpan;
}

/** The path up to the name at the offset, or the whole expression where a part of it means nothing alone. */
export function findEvaluatable(definition: DefinitionText, offset: number): Evaluatable | undefined {
  const place = findPlace(definition, offset);
  if (place?.kind !== 'code') return undefined;
  const { code, cursor, toSpan } = place;
  const part = findPath(code, cursor) ?? { start: 0, end: code.length };
  return { expression: code.slice(part.start, part.end), span: toSpan(part) };
}

/** Returns undefined if the names of the path depend on what is around it. */
function findPath(code: string, cursor: number): TextSpan | undefined {
  const tokens = tokenize(code);
  const last = tokens.findIndex(({ start, end }) => start <= cursor && cursor < end);
  const token = tokens[last];
  if (token?.kind !== 'name' && token?.kind !== 'quoted') return undefined;
  const root: Shape = { schemas: [], samples: [], members: new Map() };
  const paths = new Paths(tokens, root);
  const first = paths.startOf(last);
  const start = tokens[first];
  if (start === undefined || start.kind === 'variable') return undefined;
  const names = paths.variablesBefore(last);
  const isClosed = tokens.slice(first, last).every(({ value }) => !names.has(value));
  return isClosed && paths.isAtRoot(first) ? { start: start.start, end: token.end } : undefined;
}
