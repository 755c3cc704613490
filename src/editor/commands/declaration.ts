// What is said of a command where it's declared: what it takes and returns, its words, and where it's offered.
import type * as v from 'valibot';
import { type When, onExecution, onWorkflow } from './when.ts';

interface SubmenuPlace {
  readonly menu: 'view/item/context';
  readonly groups: readonly string[];
  readonly when: When;
}

export const submenus = {
  'workflow.openMenu': { menu: 'view/item/context', groups: ['1_run@2'], when: onWorkflow },
  'execution.openMenu': { menu: 'view/item/context', groups: ['1_read@1'], when: onExecution },
  'execution.copyMenu': { menu: 'view/item/context', groups: ['4_copy'], when: onExecution },
} as const satisfies Readonly<Record<string, SubmenuPlace>>;

type Menu =
  | 'view/title'
  | 'view/item/context'
  | 'editor/title'
  | 'editor/title/run'
  | 'editor/context'
  | 'explorer/context'
  | 'scm/title'
  | 'scm/resourceState/context'
  | 'testing/item/context'
  | 'testing/message/context'
  | keyof typeof submenus;

/** Where a command, or a submenu, stands in a menu. */
export interface MenuPlace {
  readonly menu: Menu;
  /** With two it stands there twice: beside a row and in its menu. */
  readonly groups: readonly string[];
  readonly when?: When;
}

interface Key {
  readonly key: string;
  readonly mac?: string;
  readonly when: When;
  readonly args?: object;
}

/** A type that's there for the compiler alone. */
export interface Returned<T> {
  readonly type?: T;
}

/** Says what a command returns to code, as plain JSON. */
export function returns<T>(): Returned<T> {
  return {};
}

export interface Declaration {
  /** Decodes arguments from outside, and gives our own code its types. */
  readonly argument: v.GenericSchema;
  /** Default: nothing. */
  readonly result?: Returned<unknown>;
  /** In English and in title case. It ends in "…" where the command asks for more although it knows what it acts on. */
  readonly title: string;
  /** Beside the document that it's about. */
  readonly shortTitle?: string;
  readonly icon?: `$(${string})`;
  /** Elsewhere it's gray, and the palette doesn't have it. */
  readonly enablement?: string;
  /** When the palette has it. Default: where it's enabled, or else with a connection. */
  readonly palette?: When;
  readonly menus?: readonly MenuPlace[];
  readonly keys?: readonly Key[];
}

export type Declarations = Readonly<Record<string, Declaration>>;
