import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { findDocument, showDocument } from '../../../editor/documents/documents.ts';
import { statisticsUri } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { connectionName, workflowName } from '../../../words/names.ts';
import { StatisticsDocuments } from './statisticsDocuments.ts';

export function registerStatistics(
  deps: Pick<
    App,
    'clock' | 'commands' | 'connections' | 'executions' | 'services' | 'statisticsDocuments' | 'workflows'
  >,
): Disposable {
  const { commands, connections, statisticsDocuments, workflows } = deps;
  const documents = new StatisticsDocuments(deps);
  return combine(
    documents,
    statisticsDocuments.attach(documents),
    commands.register('workflow.openStatistics', {
      ask: () => pickWorkflow(deps),
      run: async ({ connectionId, workflowId }) => {
        const name = workflowName(workflows, connectionId, workflowId);
        const title = vscode.l10n.t('{0} statistics', name);
        const target = { connectionId, workflowId };
        const uri = statisticsUri(target, connectionName(connections, connectionId), title);
        if (findDocument(uri) !== undefined) documents.refresh(uri);
        await showDocument(statisticsDocuments, uri);
        return uri.toString();
      },
    }),
  );
}
