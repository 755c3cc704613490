// How what an author wrote is named when it fails.
import { NodeError } from '../engine/nodeError.ts';

const shownCharacters = 80;

/** The expression as it is named in a sentence. */
export function nameExpression(expression: string): string {
  const shown = expression.length > shownCharacters ? `${expression.slice(0, shownCharacters)}…` : expression;
  return `The expression "${shown}"`;
}

export function inputNotChecked(reason: string): NodeError {
  return new NodeError('input_schema_failed', `The input could not be checked: ${reason}`);
}
