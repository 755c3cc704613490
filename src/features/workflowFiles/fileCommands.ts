// What only reads: how files stand, and what differs.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { CommandArgument } from '../../editor/commands/types.ts';
import { PlainError } from '../../editor/plainError.ts';
import { plainLine } from '../../base/format.ts';
import type { FilesDeps } from './filesDeps.ts';
import { chooseLinkedFile, filesOf, openFor, requireFolder } from './folderChoice.ts';

type SeenFile = CommandArgument<'files.compare'>;

export function registerFileCommands(deps: FilesDeps): Disposable {
  const { commands } = deps;
  return combine(
    registerStatus(deps),
    commands.register('files.refresh', {
      ask: () => Promise.resolve({}),
      run: async ({ folder }, { isInteractive }) => {
        const states = await requireFolder(deps, folder, isInteractive);
        await states.listAnew();
        return undefined;
      },
    }),
    commands.register('files.compare', {
      ask: () => chooseLinkedFile(deps),
      run: async ({ preserveFocus = false, ...row }: SeenFile) => {
        const { states, uris } = await filesOf(deps, [row]);
        const [uri] = uris;
        if (uri === undefined) return [];
        if (states.find(uri) === undefined) await states.list();
        const file = states.find(uri);
        if (file === undefined)
          throw new PlainError(vscode.l10n.t('"{0}" is no workflow.', plainLine(uri.path, 120)));
        return deps.versions.showDifference(states, file, { preserveFocus });
      },
    }),
    commands.register('files.openFile', {
      ask: () => chooseLinkedFile(deps),
      run: async ({ linkedFile, preserveFocus = false }: SeenFile) => {
        await vscode.window.showTextDocument(vscode.Uri.parse(linkedFile, true), { preserveFocus });
        return undefined;
      },
    }),
  );
}

function registerStatus(deps: FilesDeps): Disposable {
  return deps.commands.register('files.status', {
    ask: () => Promise.resolve({}),
    run: async ({ folder, environment, files }, { isInteractive }) => {
      const states = await requireFolder(deps, folder, isInteractive);
      if (isInteractive) await vscode.commands.executeCommand('workbench.view.scm');
      const { comparison } = await openFor(deps, states, environment, new AbortController().signal);
      return comparison.files
        .filter(({ file }) => files?.includes(file) !== false)
        .map(({ file, workflowId = null, state }) => ({ file, workflowId, state }));
    },
  });
}
