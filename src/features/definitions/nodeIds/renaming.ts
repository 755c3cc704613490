// Renames a node's id wherever a definition's text names the node, or says why it can't. Pure.
import * as l10n from '@vscode/l10n';
import { toSentence } from '../../../definition/definitionFault.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { escapeForJson } from '../../../definition/jsonString.ts';
import { findNodeId, listNodeIds, type NodeIdPlace } from '../../../definition/nodeIds.ts';
import { writeName } from '../../../definition/references.ts';
import { plainLine } from '../../../base/format.ts';
import type { Edit } from '../../../definition/jsonEdits.ts';
import { definitionFormats } from '../../../domain/definitionFormat.ts';

interface Refusal {
  readonly refusal: string;
}

const maximumId = 80;

/** What the local service takes for an id; a test holds it equal to the schema. */
export const localId = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** The id at an offset, if it can get another name. */
export function findRenamable(definition: DefinitionText, offset: number): NodeIdPlace | Refusal {
  const place = findNodeId(definition, offset);
  if (place === undefined) return { refusal: l10n.t("There's no node ID here.") };
  const { hasOwnExpressions, product } = definitionFormats[definition.format];
  // Expressions name nodes too.
  if (hasOwnExpressions)
    return {
      refusal: l10n.t("In a definition of {0}, a node can't be renamed here. Rename it in {0}.", product),
    };
  return place;
}

/** The edits that give the id at an offset another name. */
export function renameNodeId(
  definition: DefinitionText,
  offset: number,
  to: string,
  isLocal: boolean,
): readonly Edit[] | Refusal {
  const place = findRenamable(definition, offset);
  if ('refusal' in place) return place;
  if (place.id === to) return [];
  const refusal = refuse(definition, to, isLocal);
  return refusal === undefined
    ? meant(definition, place).map((each) => toEdit(each, to))
    : { refusal: toSentence(refusal) };
}

function refuse(definition: DefinitionText, to: string, isLocal: boolean): string | undefined {
  if (to.trim() === '') return l10n.t("a node ID can't be empty");
  if (definition.byId.has(to))
    return l10n.t('the ID "{0}" is used by another node', plainLine(to, maximumId));
  if (isLocal && !localId.test(to))
    return l10n.t("a node ID can have at most 64 letters, digits and _, and can't begin with a digit");
  return writeName(to) === undefined || to.includes('}}')
    ? l10n.t("a node ID can't have {0}, because expressions couldn't read it", to.includes('`') ? '`' : '}}')
    : undefined;
}

/** Of several nodes with an id, edges and expressions mean the first one; another one, such as a copy, is renamed alone. */
function meant(definition: DefinitionText, place: NodeIdPlace): readonly NodeIdPlace[] {
  const all = listNodeIds(definition, place.id);
  const first = all.find(({ kind }) => kind === 'node');
  const isOther = place.kind === 'node' && place.span.start !== first?.span.start;
  return isOther ? [place] : all.filter((each) => each === first || each.kind !== 'node');
}

/** What follows a quoted name could go on a plain one. */
const endOfName = /^[\s.,;:?!()[\]{}@#+\-*/%|=<>^&~]?$/;

function toEdit({ kind, written: { start, end }, next = '' }: NodeIdPlace, to: string): Edit {
  const name = endOfName.test(next) ? writeName(to) : `\`${to}\``;
  const content = escapeForJson(kind === 'expression' ? (name ?? to) : to);
  return { offset: start, length: end - start, content };
}
