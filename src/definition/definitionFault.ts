// A fault of a definition, and how its parts are named in words.
import * as l10n from '@vscode/l10n';
import type { WorkflowEdge } from './definition.ts';
import { type Fault, type Faults, firstFaults } from './faultList.ts';
import { nearestWords } from '../base/nearestWords.ts';
import type { Range } from './range.ts';

/** What would fix a fault. */
export type FaultFix =
  /** A word that is probably mistyped becomes this word. */
  | { readonly kind: 'replace'; readonly word: string }
  /** The member at the path gets this value, which is one of a few. */
  | { readonly kind: 'set'; readonly value: string }
  /** The member at the path is deleted. */
  | { readonly kind: 'remove' }
  | { readonly kind: 'connect'; readonly edge: WorkflowEdge };

/** A fault of a definition. The message says where it is, so it can be read without the path. */
export interface DefinitionFault extends Fault {
  /**
   * `structure`: holds for every service, such as an edge to a missing node. `nodeType`: what the local service asks of its node types,
   * their branches and expressions.
   */
  readonly rule: 'structure' | 'nodeType';
  /** It doesn't prevent deployment. */
  readonly isWarning?: boolean;
  /** The part of the string at the path that is wrong; missing if it's all of it. */
  readonly within?: Range;
  /** The name of the member at the path is wrong, not its value. */
  readonly isName?: boolean;
  /** Each of them fixes it. */
  readonly fixes?: readonly FaultFix[];
}

/** A fault whose fixes are only found when it's reported: of thousands, 20 are reported, and finding some fixes costs a look at each node. */
export interface FoundFault extends Omit<DefinitionFault, 'fixes'> {
  readonly findFixes?: () => readonly FaultFix[];
}

/** Reports the first ones with their fixes. `uncounted`: the number of further faults. */
export function reportFaults(
  all: readonly FoundFault[],
  uncounted: number | null = 0,
): Faults<DefinitionFault> {
  const { faults, more } = firstFaults(all, uncounted);
  return { faults: faults.map(toReported), more };
}

/** Finds the fixes. The message names the word that was probably meant. */
function toReported({ findFixes, ...fault }: FoundFault): DefinitionFault {
  const fixes = findFixes?.() ?? [];
  const [first, ...others] = fixes;
  if (first === undefined) return fault;
  const isClear = first.kind === 'replace' && others.length === 0;
  const message = isClear ? l10n.t('{0}; did you mean "{1}"?', fault.message, first.word) : fault.message;
  return { ...fault, message, fixes };
}

/** The known words that are closest to a mistyped one. */
export function replacements(typed: string, known: Iterable<string>): readonly FaultFix[] {
  return nearestWords(typed, known).map((word) => ({ kind: 'replace', word }));
}

/** The same, or else each of a few allowed words. */
export function choices(typed: string, allowed: readonly string[]): readonly FaultFix[] {
  const near = replacements(typed, allowed);
  return near.length > 0 ? near : allowed.map((value) => ({ kind: 'set', value }));
}

/** What isn't a matter of the graph holds for the local service; another one may see it differently. */
export function isErrorFor({ isWarning, rule }: DefinitionFault, isLocal: boolean): boolean {
  return isWarning !== true && (isLocal || rule === 'structure');
}

export function nameNode(id: string): string {
  return l10n.t('node "{0}"', id);
}

/** index: in `edges`. */
export function nameEdge(index: number): string {
  return l10n.t('edge {0}', index + 1);
}

/** Turns a part of a sentence into a sentence. */
export function toSentence(words: string): string {
  const begun = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** Translates this thread's messages about definitions from now on. `words`: the translations, by the English texts. */
export function speak(words: Readonly<Record<string, string>>): void {
  l10n.config({ contents: words });
}
