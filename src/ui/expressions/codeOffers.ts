// What is offered inside an expression: names by what they lead to, variables, functions and operators. Pure.
import { jsonLine, plainLine, withoutIcons } from '../../base/format.ts';
import { writeName } from '../../definition/references.ts';
import { jsonataFunctions } from './jsonataFunctions.ts';
import type { ShownValues } from './shownValues.ts';
import type { Offer } from './offer.ts';
import { Paths } from './paths.ts';
import type { CodePlace } from './place.ts';
import { readScope } from './scope.ts';
import { describeSchema, shapeMembers, sampleText, type Shape, shapeWords } from './shapes.ts';
import { endsValue, type Token, tokenize } from './tokens.ts';

/** Characters of a sample beside a name. */
const maximumSample = 60;
const words = ['and', 'in', 'or'];

export function offerInCode(place: CodePlace, values: ShownValues): readonly Offer[] {
  const { code, cursor, node, member, definition } = place;
  const tokens = tokenize(code);
  const at = tokens.findIndex(({ start, end }) => start < cursor && cursor <= end);
  const under = tokens[at];
  if (under !== undefined && isClosedToNames(under, cursor)) return [];
  const isWord = under !== undefined && isNameLike(under);
  const index = isWord ? at : tokens.filter(({ start }) => start < cursor).length;
  const scope = readScope({ definition, node, isResult: member === 'result', member }, values);
  const paths = new Paths(tokens, scope);
  const spot: Spot = {
    place,
    token: isWord ? under : undefined,
    isCalled: tokens[index + (isWord ? 1 : 0)]?.value === '(',
  };
  const before = tokens[index - 1];
  if (before?.kind === 'operator' && before.value === '.') {
    const functions = under?.kind === 'variable' ? offerFunctions(spot) : [];
    return [...offerMembers(spot, paths.shapeAt(index - 2)), ...functions];
  }
  if (endsValue(before)) return words.map((word) => offer(spot, 'operator', word, {}));
  const context = paths.contextAt(index);
  const variables = [...paths.variablesBefore(index), ...(context === scope ? [] : ['$$'])];
  return [
    ...offerMembers(spot, context),
    ...variables.map((name) => offer(spot, 'variable', name, { rank: 2 })),
    ...offerFunctions(spot),
  ];
}

/** Where a name goes. */
interface Spot {
  readonly place: CodePlace;
  /** What is typed of it already. */
  readonly token: Token | undefined;
  /** True when a parenthesis follows. */
  readonly isCalled: boolean;
}

/** True inside a text, a pattern, a number or a comment. */
function isClosedToNames({ kind, end }: Token, cursor: number): boolean {
  return kind === 'open' || kind === 'number' || ((kind === 'text' || kind === 'pattern') && cursor < end);
}

function isNameLike({ kind, value }: Token): boolean {
  return kind === 'name' || kind === 'quoted' || kind === 'variable' || words.includes(value);
}

function offerMembers(spot: Spot, shape: Shape): readonly Offer[] {
  return [...shapeMembers(shape)].flatMap(([name, member]) => {
    const written = writeName(name);
    if (written === undefined) return [];
    return offer(spot, 'name', name, {
      description: member.note ?? sampleLine(member) ?? plainLine(shapeWords(member), maximumSample),
      documentation: plainLine(describeSchema(member)),
      before: written,
      rank: member.rank ?? 0,
    });
  });
}

function sampleLine(shape: Shape): string | undefined {
  const json = sampleText(shape, maximumSample);
  return json && jsonLine(json, maximumSample);
}

function offerFunctions(spot: Spot): readonly Offer[] {
  return jsonataFunctions().map(({ name, signature, sentence, hasParameters }) => {
    const [before, after] = hasParameters ? [`${name}(`, ')'] : [`${name}()`, ''];
    return offer(spot, 'function', name, {
      detail: signature,
      documentation: sentence,
      rank: 3,
      ...(spot.isCalled ? {} : { before, after }),
    });
  });
}

function offer(
  { place, token }: Spot,
  kind: Offer['kind'],
  name: string,
  more: Partial<Omit<Offer, 'kind' | 'label' | 'filter' | 'span'>>,
): Offer {
  const { description = '', detail = '', documentation = '', before = name, after = '', rank = 1 } = more;
  const typed = token ?? { start: place.cursor, end: place.cursor };
  return {
    kind,
    label: withoutIcons(plainLine(name, 80)),
    description,
    detail,
    documentation,
    before: place.write(before),
    after: place.write(after),
    filter: place.write(token?.kind === 'quoted' ? before : name),
    span: place.toSpan(typed),
    rank,
  };
}
