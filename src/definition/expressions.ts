// What is wrong with the syntax of an expression. Nothing is evaluated here.
import jsonata from 'jsonata';
import { BoundedMap } from '../base/boundedMap.ts';
import type { Range } from './range.ts';

/** Why an expression can't be parsed, and which part of it is to blame. */
export interface SyntaxFault extends Range {
  readonly reason: string;
}

export type FindSyntaxFault = (expression: string) => SyntaxFault | undefined;

/** Returns undefined when the expression can be parsed. */
export function findSyntaxFault(expression: string): SyntaxFault | undefined {
  try {
    jsonata(expression);
    return undefined;
  } catch (error) {
    return { reason: reasonOf(error), ...blamed(expression, error) };
  }
}

const maximumKnown = 2000;

/** Remembers what was found: between two checks, an author changes one expression of many. */
export class KnownExpressions {
  readonly #faults = new BoundedMap<string, SyntaxFault | null>(maximumKnown);

  readonly findFault = (expression: string): SyntaxFault | undefined => {
    let fault = this.#faults.get(expression);
    if (fault === undefined) {
      fault = findSyntaxFault(expression) ?? null;
      this.#faults.set(expression, fault);
    }
    return fault ?? undefined;
  };
}

/** JSONata throws plain objects. */
function reasonOf(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null && 'message' in error;
  return isObject && typeof error.message === 'string' ? error.message : String(error);
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
