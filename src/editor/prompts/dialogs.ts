// Questions in a modal dialog, which nothing covers and no click elsewhere closes.
import * as vscode from 'vscode';
import { Cancelled, choose } from './prompts.ts';

export interface DialogButton<T> {
  /** A verb. */
  readonly label: string;
  readonly value: T;
}

export interface Dialog<T> {
  /** Default "warning". */
  readonly kind?: 'information' | 'warning';
  /** Names what it's about. */
  readonly question: string;
  /** What happens, and what is lost. */
  readonly detail: string;
  /** The editor puts the first one under Enter. */
  readonly buttons: readonly DialogButton<T>[];
  /** The button for which Escape stands; default "Cancel". */
  readonly close?: string;
}

const shows = {
  information: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
} as const;

/** Returns the value of the button that was pressed; undefined when the dialog was closed. */
export async function askInDialog<T>(dialog: Dialog<T>): Promise<T | undefined> {
  const { kind = 'warning', question, detail, buttons, close = vscode.l10n.t('Cancel') } = dialog;
  const items = [
    ...buttons.map(({ label, value }) => ({ title: label, value })),
    { title: close, value: undefined, isCloseAffordance: true },
  ];
  try {
    return (await shows[kind](question, { modal: true, detail }, ...items))?.value;
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('refused to show dialog')) throw error;
    return askInPick(dialog, close);
  }
}

/** For an editor that runs an extension's tests, which refuses to show dialogs. Enter alone closes it. */
async function askInPick<T>({ question, detail, buttons }: Dialog<T>, close: string): Promise<T | undefined> {
  try {
    return await choose(question, [
      { label: close, value: undefined },
      ...buttons.map(({ label, value }) => ({ label, value, detail })),
    ]);
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

/** Where a dialog for files starts: in the workspace. Without one the editor chooses. */
export function startingFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}

/** Asks for a folder. Rejects with Cancelled when the dialog was closed. */
export async function askFolder(
  texts: Required<Pick<vscode.OpenDialogOptions, 'title' | 'openLabel'>>,
): Promise<vscode.Uri> {
  const start = startingFolder();
  const [folder] =
    (await vscode.window.showOpenDialog({
      ...(start === undefined ? {} : { defaultUri: start }),
      canSelectFiles: false,
      canSelectFolders: true,
      ...texts,
    })) ?? [];
  if (folder === undefined) throw new Cancelled();
  return folder;
}

/** Asks whether to do it. `verb`: the button. Rejects with Cancelled when the dialog was closed. */
export async function confirm(question: string, verb: string, detail: string): Promise<void> {
  const isConfirmed = await askInDialog({ question, detail, buttons: [{ label: verb, value: true }] });
  if (isConfirmed === undefined) throw new Cancelled();
}
