// What a path of JSONata leads to: `input.lines[quantity > 1].price` at its end, and the names within the brackets.
import { endsValue, findEnclosing, findOpening, type Token } from './tokens.ts';
import { itemsOf, shapeMembers, type Shape, unknownShape } from './shapes.ts';

/** Brackets and variables inside each other are followed this far. */
const maximumDepth = 20;

/** Functions that give their first argument, or a part of it. */
const likeFirstArgument = new Set([
  '$filter',
  '$sort',
  '$reverse',
  '$distinct',
  '$shuffle',
  '$single',
  '$clone',
]);
/** Functions whose function is given the items of the first argument. */
const overItems = new Set(['$map', '$filter', '$single', '$sort', '$reduce']);

export class Paths {
  readonly #tokens: readonly Token[];
  /** What the names that stand alone are members of. */
  readonly #root: Shape;

  constructor(tokens: readonly Token[], root: Shape) {
    this.#tokens = tokens;
    this.#root = root;
  }

  /** The shape of the value whose last token has this index. */
  shapeAt(last: number, depth = 0): Shape {
    const token = this.#tokens[last];
    if (token === undefined || depth > maximumDepth) return unknownShape;
    if (token.kind === 'name' || token.kind === 'quoted') {
      const base = this.#isDot(last - 1)
        ? this.shapeAt(last - 2, depth + 1)
        : this.contextAt(last, depth + 1);
      return shapeMembers(base).get(token.value) ?? unknownShape;
    }
    if (token.kind === 'variable') return this.#variable(token.value, last, depth + 1);
    const opening = token.kind === 'operator' ? findOpening(this.#tokens, last) : undefined;
    return opening === undefined ? unknownShape : this.#bracketed(opening, last, depth + 1);
  }

  /** What names that stand alone at this index are members of. */
  contextAt(index: number, depth = 0): Shape {
    const opening = findEnclosing(this.#tokens, index);
    if (opening === undefined || depth > maximumDepth) return this.#root;
    const { value } = this.#tokens[opening] ?? {};
    const before = this.#tokens[opening - 1];
    if (this.#isDot(opening - 1) || before?.value === '^')
      return itemsOf(this.shapeAt(opening - 2, depth + 1));
    const isFilter = value === '[' && endsValue(before);
    const isGroup = value === '{' && endsValue(before) && !this.#isFunction(opening);
    if (isFilter || isGroup) return itemsOf(this.shapeAt(opening - 1, depth + 1));
    return this.contextAt(opening, depth + 1);
  }

  /** True if names that stand alone at this index are those of the scope, and not members of what a path leads to. */
  isAtRoot(index: number): boolean {
    return this.contextAt(index) === this.#root;
  }

  /** The variables that are assigned, or are parameters, before this index. */
  variablesBefore(index: number): ReadonlySet<string> {
    const names = new Set<string>();
    for (const [at, { kind, value }] of this.#tokens.slice(0, index).entries())
      if (kind === 'variable' && value.length > 1 && value !== '$$' && this.#isDeclaration(at))
        names.add(value);
    return names;
  }

  /** The index at which the path begins whose last token has this index. */
  startOf(last: number): number {
    let index = last;
    for (;;) {
      const token = this.#tokens[index];
      const opening = token?.kind === 'operator' ? findOpening(this.#tokens, index) : index;
      if (opening === undefined) return -1;
      const before = this.#tokens[opening - 1];
      if (this.#isDot(opening - 1)) index = opening - 2;
      else if (before?.value === '^') index = opening - 2;
      else if (opening !== index && endsValue(before)) index = opening - 1;
      else return opening;
    }
  }

  /** The shape of the whole code, if that is a single path. */
  shapeOfAll(): Shape {
    return this.#pathBetween(0, this.#tokens.length, 0);
  }

  /** The names of the members, if the whole code is an object such as `{ 'name': value }`. */
  namesWritten(): readonly string[] {
    const isObject =
      this.#tokens[0]?.value === '{' && findOpening(this.#tokens, this.#tokens.length - 1) === 0;
    if (!isObject) return [];
    return this.#tokens
      .filter(
        ({ kind }, index) =>
          kind === 'text' &&
          this.#tokens[index + 1]?.value === ':' &&
          ['{', ','].includes(this.#tokens[index - 1]?.value ?? '') &&
          findEnclosing(this.#tokens, index) === 0,
      )
      .map(({ value }) => value.slice(1, -1));
  }

  #isDot(index: number): boolean {
    return this.#tokens[index]?.kind === 'operator' && this.#tokens[index].value === '.';
  }

  /** True for the opening brace of a function's body. */
  #isFunction(opening: number): boolean {
    const parameters =
      this.#tokens[opening - 1]?.value === ')' ? findOpening(this.#tokens, opening - 1) : undefined;
    return parameters !== undefined && this.#isParameters(parameters);
  }

  #isParameters(opening: number): boolean {
    const before = this.#tokens[opening - 1]?.value;
    return this.#tokens[opening]?.value === '(' && (before === 'function' || before === 'λ');
  }

  #isDeclaration(index: number): boolean {
    if (this.#tokens[index + 1]?.value === ':=') return true;
    const opening = findEnclosing(this.#tokens, index);
    return opening !== undefined && this.#isParameters(opening);
  }

  #bracketed(opening: number, closing: number, depth: number): Shape {
    const { value } = this.#tokens[opening] ?? {};
    const before = this.#tokens[opening - 1];
    if (value === '[') return endsValue(before) ? this.shapeAt(opening - 1, depth) : unknownShape;
    if (value !== '(' || this.#isDot(opening - 1)) return unknownShape;
    if (before?.value === '^') return this.shapeAt(opening - 2, depth);
    if (before?.kind === 'variable')
      return likeFirstArgument.has(before.value) ? this.#firstArgument(opening, depth) : unknownShape;
    return endsValue(before) ? unknownShape : this.#pathBetween(opening + 1, closing, depth);
  }

  #variable(name: string, index: number, depth: number): Shape {
    if (name === '$$') return this.#root;
    if (name === '$') return this.contextAt(index, depth);
    const declared = this.#tokens.findLastIndex(
      ({ value }, at) => at < index && value === name && this.#isDeclaration(at),
    );
    if (declared === -1) return unknownShape;
    if (this.#tokens[declared + 1]?.value === ':=')
      return this.#pathBetween(declared + 2, this.#endOf(declared + 2), depth);
    return this.#parameter(declared, depth);
  }

  /** The first parameter of a function that is given to another one, as in `$map(input.lines, function($line) { … })`. */
  #parameter(index: number, depth: number): Shape {
    const parameters = findEnclosing(this.#tokens, index) ?? 0;
    const call = findEnclosing(this.#tokens, parameters);
    const called = call === undefined ? undefined : this.#tokens[call - 1]?.value;
    if (call === undefined || called === undefined || !overItems.has(called)) return unknownShape;
    const place = index - parameters;
    const isItem = called === '$reduce' ? place === 3 : place === 1 || (called === '$sort' && place === 3);
    return isItem ? itemsOf(this.#firstArgument(call, depth)) : unknownShape;
  }

  #firstArgument(opening: number, depth: number): Shape {
    return this.#pathBetween(opening + 1, this.#endOf(opening + 1), depth);
  }

  /** The index of the `,` or `;`, or of the closing bracket, that ends what begins at this index. */
  #endOf(start: number): number {
    const around = findEnclosing(this.#tokens, start);
    const end = this.#tokens.findIndex(
      ({ kind, value }, index) =>
        index >= start &&
        kind === 'operator' &&
        [',', ';', ')', ']', '}'].includes(value) &&
        findEnclosing(this.#tokens, index) === around,
    );
    return end === -1 ? this.#tokens.length : end;
  }

  /** The shape of what stands between two indexes, if that is a single path. */
  #pathBetween(start: number, end: number, depth: number): Shape {
    return this.startOf(end - 1) === start ? this.shapeAt(end - 1, depth) : unknownShape;
  }
}
