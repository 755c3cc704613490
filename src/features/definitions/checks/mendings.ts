// What mends a fault of a definition's text, as edits of that text. Pure.
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { stringifyJson } from '../../../base/json.ts';
import type { WorkflowEdge } from '../../../definition/definition.ts';
import type { DefinitionFault, FaultFix } from '../../../definition/definitionFault.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { escapeForJson } from '../../../definition/jsonString.ts';
import { findAt } from '../../../definition/jsonNodes.ts';
import { writeName } from '../../../definition/references.ts';
import { plainLine } from '../../../base/format.ts';
import { appendItem, type Edit, removeChildren, setMember } from '../../../definition/jsonEdits.ts';

export interface Mending {
  readonly title: string;
  readonly edits: readonly Edit[];
  /** Nothing else mends it as well. */
  readonly isPreferred: boolean;
}

const maximumWord = 60;

/** `fault`: of this text. */
export function findMendings(text: DefinitionText, fault: DefinitionFault): readonly Mending[] {
  const { root } = text.reading;
  if (root === undefined) return [];
  const { fixes = [] } = fault;
  const mendings = fixes.map((fix): Mending => ({
    title: titleOf(fix, fault),
    edits: editsOf(fix, { text, root, fault }),
    isPreferred: fixes.length === 1,
  }));
  return [...mendings, ...removeNode(text, root, fault)].filter(({ edits }) => edits.length > 0);
}

function titleOf(fix: FaultFix, { path }: DefinitionFault): string {
  const member = plainLine(path.at(-1) ?? '', maximumWord);
  switch (fix.kind) {
    case 'replace':
      return l10n.t('Change to "{0}"', plainLine(fix.word, maximumWord));
    case 'set':
      return l10n.t('Set "{0}" to "{1}"', member, plainLine(fix.value, maximumWord));
    case 'remove':
      return l10n.t('Remove "{0}"', member);
    case 'connect': {
      const { source, target, branch } = fix.edge;
      return branch === null
        ? l10n.t('Add the Missing Edge from "{0}" to "{1}"', source, target)
        : l10n.t('Add the Missing Edge from "{0}" to "{1}" (Branch "{2}")', source, target, branch);
    }
  }
}

interface Place {
  readonly text: DefinitionText;
  readonly root: Node;
  readonly fault: DefinitionFault;
}

function editsOf(fix: FaultFix, place: Place): readonly Edit[] {
  const { text, root, fault } = place;
  const { path } = fault;
  switch (fix.kind) {
    case 'replace': {
      const range = text.locateFault(fault);
      // A plain name can't begin with this sign.
      const isVariable = text.text.charAt(range.offset) === '$';
      return [{ ...range, content: isVariable ? escapeForJson(fix.word) : writeWord(fix.word, fault) }];
    }
    case 'set': {
      const object = findAt(root, path.slice(0, -1));
      return object?.type === 'object' ? [setMember(text.text, object, path.at(-1) ?? '', fix.value)] : [];
    }
    case 'remove': {
      const property = findAt(root, path)?.parent;
      return property?.parent ? removeChildren(property.parent, new Set([property])) : [];
    }
    case 'connect':
      return appendItem(text.text, root, 'edges', writeEdge(fix.edge));
  }
}

/** As JSON, or as a name in an expression, which may need quotation marks of its own. */
function writeWord(word: string, { within }: DefinitionFault): string {
  if (within === undefined) return stringifyJson(word);
  return escapeForJson(writeName(word) ?? word);
}

function writeEdge({ source, target, branch }: WorkflowEdge) {
  return { source, target, ...(branch !== null && { branch }) };
}

/** For a fault in a node: without the node, and without the edges from and to it. */
function removeNode(text: DefinitionText, root: Node, { path }: DefinitionFault): readonly Mending[] {
  const [list, index = ''] = path;
  const object = list === 'nodes' && index !== '' ? findAt(root, [list, index]) : undefined;
  const node = text.nodes.find(({ offset }) => offset === object?.offset);
  if (object?.parent === undefined || node === undefined || node.id === '') return [];
  if (node.type === 'trigger' && text.nodes.filter(({ type }) => type === 'trigger').length === 1) return [];
  // Of several with the same id, the others keep the edges.
  const isOnly = text.nodes.filter(({ id }) => id === node.id).length === 1;
  const ends = new Set([...text.incoming(node.id), ...text.outgoing(node.id)].map(({ offset }) => offset));
  const edges = findAt(root, ['edges']);
  const gone = isOnly ? (edges?.children ?? []).filter(({ offset }) => ends.has(offset)) : [];
  return [
    {
      title: l10n.t('Remove Node "{0}" with Its Edges', plainLine(node.id, maximumWord)),
      edits: [
        ...removeChildren(object.parent, new Set([object])),
        ...(edges !== undefined && gone.length > 0 ? removeChildren(edges, new Set(gone)) : []),
      ],
      isPreferred: false,
    },
  ];
}
