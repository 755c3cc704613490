// A fault of a definition, and how its parts are named in words.
import * as l10n from '@vscode/l10n';
import type { Fault } from './faults.ts';
import type { Range } from './range.ts';

/** A fault of a definition. The message says where it is, so it can be read without the path. */
export interface DefinitionFault extends Fault {
  /**
   * `structure`: holds for every service, such as an edge to a missing node. `nodeType`: what the local service asks of its node types,
   * their branches and expressions.
   */
  readonly rule: 'structure' | 'nodeType';
  /** Nothing is refused for it. */
  readonly isWarning?: boolean;
  /** The part of the string at the path that is wrong; missing if it's all of it. */
  readonly within?: Range;
}

export function nameNode(id: string): string {
  return l10n.t('node "{0}"', id);
}

/** index: in `edges`. */
export function nameEdge(index: number): string {
  return l10n.t('edge {0}', index + 1);
}

/** Makes a sentence of a part of one. */
export function toSentence(words: string): string {
  const begun = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** Translates what this thread says of definitions from now on. `words`: by the English ones. */
export function speak(words: Readonly<Record<string, string>>): void {
  l10n.config({ contents: words });
}
