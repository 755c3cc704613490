import type { Disposable } from '../../../base/disposable.ts';
import * as vscode from 'vscode';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { findRun, type NodeRunArgument } from '../../../ui/pickers/nodeRunPicker.ts';
import { showDocument } from '../../../editor/documents/documents.ts';
import type { App } from '../../../ui/app.ts';
import { nodeRunUri } from '../../../ui/executionUris.ts';

export type NodeRunDeps = Pick<
  App,
  'commands' | 'executions' | 'executionDocuments' | 'connections' | 'following' | 'workflows' | 'clock'
>;

export function registerNodeRun(deps: NodeRunDeps & Pick<App, 'contextKeys'>): Disposable {
  return deps.commands.register<'nodeRun.open', NodeRunArgument>('nodeRun.open', {
    ask: () => pickExecution(deps),
    run: async (argument, { isInteractive }) => {
      const { connectionId, executionId, nodeRunKey = '' }: NodeRunArgument = argument;
      const target = { connectionId, executionId };
      const run = await findRun(deps, argument, isInteractive);
      const shown = run ?? { key: nodeRunKey, nodeName: vscode.l10n.t('node'), iteration: [] };
      const uri = nodeRunUri(deps.connections, target, shown);
      await showDocument(deps.executionDocuments, uri);
      deps.contextKeys('hasOpenedNodeRun', true);
      return uri.toString();
    },
  });
}
