// What is wrong with a definition's text, where it stands.
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { plainLine } from '../base/format.ts';
import type { TextCheck } from './checkText.ts';
import { type DefinitionFault, isErrorFor, toSentence } from './definitionFault.ts';
import type { DefinitionText } from './definitionText.ts';
import type { Range } from './range.ts';

export interface Problem extends Range {
  readonly message: string;
  readonly isError: boolean;
  /** What our check says of it, until the text is edited. */
  readonly fault?: DefinitionFault | undefined;
}

/** Places what a check of the text found. */
export function placeFaults(text: DefinitionText, check: TextCheck, isLocal: boolean): readonly Problem[] {
  if (check === null) {
    const problem = findTextProblem(text);
    return problem === undefined ? [] : [{ ...problem, isError: true }];
  }
  return check.faults.map((fault) => ({
    ...text.locateFault(fault),
    message: toSentence(fault.message),
    isError: isErrorFor(fault, isLocal),
    fault,
  }));
}

export interface TextProblem extends Range {
  readonly message: string;
  /** True if it isn't JSON at all. */
  readonly isSyntax: boolean;
}

function findRepeated(node: Node): Node | undefined {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = child.type === 'property' ? child.children?.[0] : undefined;
    if (name !== undefined && names.has(name.value)) return name;
    names.add(name?.value);
    const within = findRepeated(child);
    if (within !== undefined) return within;
  }
  return undefined;
}

/** Returns why the text can't be sent; undefined if it can. A repeated member is a problem too, because one of its values would be lost. */
export function findTextProblem({ reading }: DefinitionText): TextProblem | undefined {
  const { root, error } = reading;
  if (error !== undefined) {
    const { offset, length, isSyntax, reason } = error;
    return { offset, length, isSyntax, message: l10n.t('Invalid JSON: {0}.', reason) };
  }
  const at = (node: Node, message: string): TextProblem => {
    return { offset: node.offset, length: Math.max(1, node.length), isSyntax: false, message };
  };
  if (root.type !== 'object') return at(root, l10n.t('A definition must be a JSON object.'));
  const repeated = findRepeated(root);
  if (repeated === undefined) return undefined;
  const name = plainLine(String(repeated.value), 80);
  return at(repeated, l10n.t('Duplicate key "{0}".', name));
}
