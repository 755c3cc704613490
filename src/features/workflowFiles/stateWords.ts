// What each state of a file is called and looks like.
import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import type { ComparedFile } from '../../workflowFiles/compareFolder.ts';
import type { FileState } from '../../workflowFiles/states.ts';

/** A file that differs from its workflow. */
export type DifferentState = Exclude<FileState, 'same'>;

/** In the order in which they stand below each other: what stops comes first. */
export const differentStates = [
  'both changed',
  'deleted there',
  'changed here',
  'only here',
  'changed there',
  'only there',
] as const satisfies readonly DifferentState[];

export interface StateLook {
  /** In menus' conditions. */
  readonly id: string;
  /** The heading above files in this state. */
  readonly heading: () => string;
  /** Beside the file's name. */
  readonly letter: string;
  readonly color: string;
  /** environment: its name, for display. */
  readonly describe: (environment: string) => string;
}

const here = 'list.warningForeground';
const there = 'notificationsInfoIcon.foreground';
const stopped = 'list.errorForeground';

/** How a file shows; undefined: as one that doesn't differ. A new name that isn't noted yet is a change. */
export function shownState({ state, renamedFrom }: ComparedFile): DifferentState | undefined {
  if (state !== 'same') return state;
  return renamedFrom === undefined ? undefined : 'changed here';
}

/** environment: its name, for display. */
export function describeState(file: ComparedFile, environment: string): string {
  const { state, renamedFrom } = file;
  const words = state === 'same' ? [] : [stateLooks[state].describe(environment)];
  if (renamedFrom !== undefined)
    words.push(vscode.l10n.t('Renamed from "{0}": a push or a pull notes it', plainLine(renamedFrom, 80)));
  return words.join('. ');
}

export const stateLooks: Readonly<Record<DifferentState, StateLook>> = {
  'both changed': {
    id: 'bothChanged',
    heading: () => vscode.l10n.t('Both Changed'),
    letter: 'C',
    color: stopped,
    describe: (environment) => vscode.l10n.t('Both changed: here and on {0}', environment),
  },
  'deleted there': {
    id: 'deletedThere',
    heading: () => vscode.l10n.t('Deleted There'),
    letter: 'D',
    color: stopped,
    describe: (environment) => vscode.l10n.t('Deleted there: {0} no longer has this workflow', environment),
  },
  'changed here': {
    id: 'changedHere',
    heading: () => vscode.l10n.t('Changed Here'),
    letter: 'H',
    color: here,
    describe: (environment) => vscode.l10n.t('Changed here: not pushed to {0} yet', environment),
  },
  'only here': {
    id: 'onlyHere',
    heading: () => vscode.l10n.t('Only Here'),
    letter: 'N',
    color: here,
    describe: (environment) => vscode.l10n.t('Only here: not created on {0} yet', environment),
  },
  'changed there': {
    id: 'changedThere',
    heading: () => vscode.l10n.t('Changed There'),
    letter: 'T',
    color: there,
    describe: (environment) => vscode.l10n.t('Changed there: not pulled from {0} yet', environment),
  },
  'only there': {
    id: 'onlyThere',
    heading: () => vscode.l10n.t('Only There'),
    letter: 'A',
    color: there,
    describe: (environment) => vscode.l10n.t('Only there: not pulled from {0} yet', environment),
  },
};
