// The code of nodes as documents of their own: in a definition it's one line of JSON.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { plainLine } from '../../../base/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { choose } from '../../../editor/prompts/prompts.ts';
import { codeUri } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { connectionName } from '../../../words/names.ts';
import { nodeGone } from '../showNode.ts';
import { openDefinition } from '../../../ui/pickers/openDefinition.ts';
import { CodeFiles, type CodeFilesDeps } from './codeFiles.ts';

export type CodeDeps = CodeFilesDeps & Pick<App, 'codeFiles'>;

export function registerCode(deps: CodeDeps): Disposable {
  const files = new CodeFiles(deps);
  return combine(
    files,
    deps.codeFiles.attach(files),
    deps.commands.register('node.editCode', {
      ask: () => pickWorkflow(deps),
      run: async ({ nodeId, ...target }) => {
        const document = await openDefinition(deps, target);
        const text = deps.definitionTexts.of(document);
        const node = nodeId === undefined ? await chooseNode(text, document) : text.byId.get(nodeId);
        if (node === undefined) throw nodeGone(nodeId ?? '');
        if (node.code === undefined)
          throw new PlainError(vscode.l10n.t('The node "{0}" has no code.', plainLine(node.id, 80)));
        const names = {
          connection: connectionName(deps.connections, target.connectionId),
          workflow: deps.workflows.find(target)?.name ?? target.workflowId,
        };
        const file = deps.definitionTargets.isLinkedFile(document.uri) ? { file: document.uri } : {};
        const uri = codeUri({ target, nodeId: node.id, ...file }, names, node.code.language);
        await vscode.window.showTextDocument(await deps.codeFiles.open(uri), { preview: false });
        return uri.toString();
      },
    }),
  );
}

/** The node with the cursor if it has code, else one that the person chooses; the only one is taken at once. */
function chooseNode(text: DefinitionText, document: vscode.TextDocument): Promise<DefinitionNode> {
  const editor = vscode.window.activeTextEditor;
  const atCursor =
    editor?.document === document ? text.nodeAt(document.offsetAt(editor.selection.active)) : undefined;
  if (atCursor?.code !== undefined) return Promise.resolve(atCursor);
  const all = [...text.byId.values()].filter(({ code }) => code !== undefined);
  const [first, ...others] = all;
  if (first === undefined)
    throw new PlainError(vscode.l10n.t('No node of this workflow has code that can be edited here.'));
  if (others.length === 0) return Promise.resolve(first);
  return choose(
    vscode.l10n.t('Select a node to edit its code'),
    all.map((node) => ({
      icon: 'file-code',
      label: plainLine(node.id, 80),
      description: node.code?.language === 'python' ? 'Python' : 'JavaScript',
      value: node,
    })),
  );
}
