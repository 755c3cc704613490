// What expressions read that probably isn't there: a member that the execution that's shown didn't have, or a root variable without "$$". Pure.
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../../base/json.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { ExpressionPlace } from '../../../definition/expressionPlaces.ts';
import type { TextSpan } from '../../../definition/jsonString.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { nearestWords } from '../../../base/nearestWords.ts';
import type { Range } from '../../../definition/range.ts';
import { sendsForm } from '../../../definition/requestFields.ts';
import { plainLine } from '../../../base/format.ts';
import { Paths } from '../../../ui/expressions/paths.ts';
import { readScope } from '../../../ui/expressions/scope.ts';
import { itemsOf, shapeMembers, type Shape } from '../../../ui/expressions/shapes.ts';
import type { ShownValues } from '../../../ui/expressions/shownValues.ts';
import { type Token, tokenize } from '../../../ui/expressions/tokens.ts';

/** Of a part of an expression. */
export interface ExpressionHint extends Range {
  /** "unseen": data may have it another time. "root", "encoded": the expression hardly means what it says. */
  readonly kind: 'unseen' | 'root' | 'encoded';
  readonly message: string;
  /** What to write instead; undefined if nobody knows. */
  readonly instead: string | undefined;
}

/** `span`: in the expression; default: the name. */
type Found = Omit<ExpressionHint, keyof Range> & { readonly span?: TextSpan };

const maximumName = 80;
/** What stands like a name, but is read of nothing. */
const reserved: ReadonlySet<string> = new Set(['true', 'false', 'null', 'function', 'λ']);
const encoders: ReadonlySet<string> = new Set(['$encodeUrlComponent', '$encodeUrl']);

/** `execution`: the short id of the one whose values these are; null for the latest. */
export function findHints(
  definition: DefinitionText,
  node: DefinitionNode,
  values: ShownValues,
  execution: string | null,
): readonly ExpressionHint[] {
  return node.expressions.flatMap((place) => {
    const tokens = tokenize(place.expression);
    // What a variable is bound to by "@" leaves the context as it was.
    if (tokens.some(({ kind, value }) => kind === 'operator' && value === '@')) return [];
    const root = readScope({ definition, node, isResult: place.path[0] === 'result' }, values);
    const code = new Code(place.expression, tokens, root, execution);
    const isEncoded = isPiece(place, node);
    return tokens.flatMap((token, index) => {
      const found =
        code.findRoot(token, index) ??
        code.findUnseen(token, index) ??
        (isEncoded ? code.findEncoding(token, index) : undefined);
      if (found === undefined) return [];
      const { span, ...hint } = found;
      const { start, end } = place.toSpan(span ?? token);
      return [{ ...hint, offset: start, length: end - start }];
    });
  });
}

/** Whether the service encodes what the expression gives: as a piece of an address, or in a form. */
function isPiece({ path, part, string }: ExpressionPlace, node: DefinitionNode): boolean {
  if (node.type !== 'httpRequest') return false;
  const [member, ...inner] = path;
  if (member === 'url') return !(part === 0 && string.trimStart().startsWith('{{'));
  if (member === 'body') return inner.length > 0 && sendsForm(node.headers);
  return member === 'query' && inner.length > 0;
}

class Code {
  readonly #code: string;
  readonly #tokens: readonly Token[];
  readonly #root: Shape;
  readonly #paths: Paths;
  readonly #execution: string | null;

  constructor(code: string, tokens: readonly Token[], root: Shape, execution: string | null) {
    this.#code = code;
    this.#tokens = tokens;
    this.#root = root;
    this.#paths = new Paths(tokens, root);
    this.#execution = execution;
  }

  /** A root variable that is looked up in each item of a list instead. Not where the items have such a member. */
  findRoot({ kind, value }: Token, index: number): Found | undefined {
    if (kind !== 'name' || this.#isOperator(index - 1, '.') || this.#root.members?.has(value) !== true)
      return undefined;
    const context = this.#paths.contextAt(index);
    if (context === this.#root || context.isPart === true || shapeMembers(context).has(value))
      return undefined;
    const isKnown = context.samples.length > 0 || hasProperties(context);
    const isPath = (value === 'input' || value === 'nodes') && this.#isOperator(index + 1, '.');
    if (!isKnown && !isPath) return undefined;
    const instead = `$$.${value}`;
    const message = l10n.t(
      '"{0}" is looked up in each item here. Write "{1}" for the one outside.',
      value,
      instead,
    );
    return { kind: 'root', message, instead };
  }

  /** A member that no value had. */
  findUnseen({ kind, value, end }: Token, index: number): Found | undefined {
    const isName = kind === 'quoted' || (kind === 'name' && !reserved.has(value));
    if (!isName || this.#isOptional(index)) return undefined;
    const isMember = this.#isOperator(index - 1, '.');
    const { samples, isPart, members, ...rest } = itemsOf(
      isMember ? this.#paths.shapeAt(index - 2) : this.#paths.contextAt(index),
    );
    if (members !== undefined || isPart === true || samples.length === 0) return undefined;
    const names = shapeMembers({ ...rest, samples });
    if (names.has(value) || !samples.every(isJsonObject)) return undefined;
    const start = this.#tokens[this.#paths.startOf(index)];
    // The check of the whole text warns of these.
    if (start?.value === 'input' && hasProperties(rest)) return undefined;
    const path = plainLine(this.#code.slice(start?.start ?? 0, end), maximumName);
    const [nearest, ...others] = nearestWords(value, names.keys());
    const instead = others.length === 0 && nearest !== undefined && isPlain(nearest) ? nearest : undefined;
    const words =
      this.#execution === null
        ? l10n.t('"{0}" isn\'t in the data of the latest execution', path)
        : l10n.t('"{0}" isn\'t in the data of execution {1}', path, this.#execution);
    const message = instead === undefined ? `${words}.` : l10n.t('{0}; did you mean "{1}"?', words, instead);
    return { kind: 'unseen', message, instead };
  }

  /** A call that encodes what the service encodes as well. `x.$f()` and `x ~> $f` apply it to what stands before. */
  findEncoding({ kind, value, start, end }: Token, index: number): Found | undefined {
    if (kind !== 'variable' || !encoders.has(value)) return undefined;
    const message = l10n.t(
      'The service encodes values in an address or a form, so {0} encodes this one twice.',
      value,
    );
    const closed = this.#endOfCall(index);
    const open = this.#tokens[index + 1];
    const argument = closed === undefined ? '' : this.#code.slice(open?.end, closed - 1).trim();
    const before = this.#tokens[index - 2];
    const isApplied =
      this.#isOperator(index - 1, '~>') || (argument === '' && this.#isOperator(index - 1, '.'));
    if (isApplied && before)
      return { kind: 'encoded', message, instead: '', span: { start: before.end, end: closed ?? end } };
    if (closed === undefined || argument === '') return { kind: 'encoded', message, instead: undefined };
    const isWhole = this.#code.slice(0, start).trim() === '' && this.#code.slice(closed).trim() === '';
    const isName = /^[\w.$]+$/.test(argument);
    return {
      kind: 'encoded',
      message,
      instead: isWhole || isName ? argument : `(${argument})`,
      span: { start, end: closed },
    };
  }

  /** Where the brackets behind a function end; undefined where there are none. */
  #endOfCall(index: number): number | undefined {
    const open = index + 1;
    if (!this.#isOperator(open, '(')) return undefined;
    const last = this.#tokens.find(
      ({ kind, value, around }, at) => at > open && kind === 'operator' && value === ')' && around === open,
    );
    return last?.end;
  }

  /** Where the expression itself provides for a member that isn't there. */
  #isOptional(index: number): boolean {
    const { around = -1 } = this.#tokens[index] ?? {};
    const isAsked = this.#tokens[around]?.value === '(' && this.#tokens[around - 1]?.value === '$exists';
    return isAsked || ['?', '?:', '??'].some((operator) => this.#isOperator(index + 1, operator));
  }

  #isOperator(index: number, operator: string): boolean {
    const { kind, value } = this.#tokens[index] ?? {};
    return kind === 'operator' && value === operator;
  }
}

function hasProperties({ schemas }: Pick<Shape, 'schemas'>): boolean {
  return itemsOf({ schemas, samples: [] }).schemas.some(({ properties }) => isJsonObject(properties));
}

/** True for a name that needs no quotation marks. */
function isPlain(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}
