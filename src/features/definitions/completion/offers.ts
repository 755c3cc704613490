// What is offered at an offset of a definition's text. Pure.
import * as l10n from '@vscode/l10n';
import { plainLine, withoutIcons } from '../../../base/format.ts';
import { offerInCode } from '../../../ui/expressions/codeOffers.ts';
import { errorBranch } from '../../../definition/definition.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { TextSpan } from '../../../definition/jsonString.ts';
import { traitsOf } from '../../../definition/nodeTypes.ts';
import type { ShownValues } from '../../../ui/expressions/shownValues.ts';
import type { Offer } from '../../../ui/expressions/offer.ts';
import { findPlace, type CursorPlace } from '../../../ui/expressions/place.ts';
import { nodeWords } from '../../../ui/expressions/scope.ts';
import { tokenize } from '../../../ui/expressions/tokens.ts';

/** trigger: the character after which the editor asks on its own; undefined when somebody asks for completions, or types a word. */
export function findOffers(
  definition: DefinitionText,
  offset: number,
  values: ShownValues,
  trigger?: string,
): readonly Offer[] {
  const place = findPlace(definition, offset);
  switch (place?.kind) {
    case 'type':
      // The JSON language offers them.
      return [];
    case undefined:
      return [];
    case 'source':
    case 'target':
      return offerNodes(place, place.kind);
    case 'branch':
      return offerBranches(place);
    case 'template':
      return trigger === undefined || trigger === '{' ? [offerTemplate(place.span)] : [];
    case 'code':
      // A single brace begins an object, whose names are new.
      return trigger === '{' && !place.isOpened ? [] : offerInCode(place, values);
  }
}

type EdgePlace = Extract<CursorPlace, { readonly kind: 'source' | 'target' | 'branch' }>;

/** Nodes that aren't connected yet come first, and last those that would make a cycle. */
function offerNodes(
  { definition, edge, span, write }: EdgePlace,
  side: 'source' | 'target',
): readonly Offer[] {
  const other = (side === 'source' ? edge?.target : edge?.source) ?? '';
  const cycle = side === 'source' ? definition.after(other) : definition.before(other);
  const isConnected = ({ id }: DefinitionNode): boolean =>
    (side === 'source' ? definition.outgoing(id) : definition.incoming(id)).some((each) => each !== edge);
  return definition.nodes
    .filter(({ id, type }) => id !== '' && id !== other && !(side === 'target' && type === 'trigger'))
    .map((node) => ({
      kind: 'node',
      label: withoutIcons(plainLine(node.id, 80)),
      description: nodeWords(node),
      detail: nodeWords(node),
      documentation: plainLine(node.description),
      before: write(node.id),
      after: '',
      filter: write(node.id),
      span,
      rank: cycle.has(node.id) ? 2 : isConnected(node) ? 1 : 0,
    }));
}

/** Branches that no edge has yet come first. */
function offerBranches({ definition, edge, span, write }: EdgePlace): readonly Offer[] {
  const source = edge && definition.byId.get(edge.source);
  if (source === undefined) return [];
  const taken = new Set(
    definition.outgoing(source.id).flatMap((each) => (each === edge ? [] : [each.branch])),
  );
  return branchesOf(source).map(([branch, documentation]) => ({
    kind: 'branch',
    label: withoutIcons(plainLine(branch, 80)),
    description: '',
    detail: '',
    documentation,
    before: write(branch),
    after: '',
    filter: write(branch),
    span,
    rank: taken.has(branch) ? 1 : 0,
  }));
}

type Branch = readonly [name: string, documentation: string];

/** The branches with what they mean. */
function branchesOf(node: DefinitionNode): readonly Branch[] {
  const words = l10n.t(
    'Taken when the node fails after its last attempt. Then none of its other edges is taken.',
  );
  return [
    ...ownBranches(node),
    ...(traitsOf(node.type)?.hasErrorBranch === true ? [[errorBranch, words] as const] : []),
  ];
}

/** Only a condition and a for-each have some. */
function ownBranches(node: DefinitionNode): readonly Branch[] {
  switch (traitsOf(node.type)?.branches) {
    case 'ofLoop':
      return [
        ['each', l10n.t('Leads into the body of the loop, once for each item.')],
        ['done', l10n.t('Continues when the loop is done.')],
      ];
    case 'ofResult':
      return [
        ...textsGivenBy(node.config('expression') ?? '').map(
          (text) => [text, l10n.t('Taken when the expression returns this text.')] as const,
        ),
        ['true', l10n.t('Taken when the expression is true.')],
        ['false', l10n.t('Taken when the expression is false.')],
      ];
    case undefined:
      return [];
  }
}

/** The texts among the results of a condition such as `amount > 100 ? 'large' : 'small'`. */
function textsGivenBy(code: string): readonly string[] {
  const tokens = tokenize(code);
  const texts = tokens.filter(({ kind, around }, index) => {
    const before = tokens[index - 1]?.value;
    const isInList = around !== undefined && tokens[around]?.value !== '(';
    return kind === 'text' && !isInList && (before === undefined || before === '?' || before === ':');
  });
  return [...new Set(texts.map(({ value }) => value.slice(1, -1)))];
}

function offerTemplate(span: TextSpan): Offer {
  return {
    kind: 'snippet',
    label: '{{ … }}',
    description: l10n.t('a JSONata expression'),
    detail: '',
    documentation: l10n.t('Replaced by the value of the expression.'),
    before: '{{ ',
    after: ' }}',
    filter: '{{',
    span,
    rank: 0,
  };
}
