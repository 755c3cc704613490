// What is wrong with the syntax of an expression, and what it reads. Nothing is evaluated here.
import jsonata from 'jsonata';
import { BoundedMap } from '../base/boundedMap.ts';
import { messageOf } from '../base/reason.ts';
import type { Range } from './range.ts';
import { findReferences, findUnbound, type Reference, type ReferenceStep } from './references.ts';

/** Why an expression can't be parsed, and which part of it is to blame. */
export interface SyntaxFault extends Range {
  readonly reason: string;
}

/** What an expression reads if it can be parsed; otherwise its fault. */
export interface ReadExpression {
  readonly fault?: SyntaxFault;
  readonly references: readonly Reference[];
  /** The variables and functions that aren't defined, with their "$". */
  readonly unbound: readonly ReferenceStep[];
}

export type ExpressionReader = (expression: string) => ReadExpression;

export function readExpression(expression: string): ReadExpression {
  try {
    const tree = jsonata(expression).ast();
    return { references: findReferences(expression, tree), unbound: findUnbound(tree) };
  } catch (error) {
    return { fault: { reason: messageOf(error), ...blamed(expression, error) }, references: [], unbound: [] };
  }
}

const maximumKnown = 2000;

/** Remembers what was found: between two checks, an author changes one expression of many. */
export class KnownExpressions {
  readonly #known = new BoundedMap<string, ReadExpression>(maximumKnown);

  readonly read = (expression: string): ReadExpression => {
    let found = this.#known.get(expression);
    if (found === undefined) {
      found = readExpression(expression);
      this.#known.set(expression, found);
    }
    return found;
  };
}

/** JSONata's position is the end of the token it names; without such a token, the last character is to blame. */
function blamed(expression: string, error: unknown): Range {
  if (typeof error !== 'object' || error === null) return { offset: 0, length: expression.length };
  const position =
    'position' in error && typeof error.position === 'number' ? error.position : expression.length;
  const end = Math.min(position, expression.length);
  const token = 'token' in error && typeof error.token === 'string' ? error.token : '';
  const isNamed = token !== '' && expression.slice(0, end).endsWith(token);
  const length = isNamed ? token.length : Math.min(1, end);
  return { offset: end - length, length };
}
