import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { StatisticsDocuments } from '../../../../src/features/executions/statistics/statisticsDocuments.ts';
import { statisticsUri } from '../../../../src/ui/addresses.ts';
import { settle } from '../../../support/memory/ports.ts';
import { makeExecution, statusOf } from '../../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';
import { documents } from '../../../support/vscodeStandIn.ts';

describe('the document of statistics', () => {
  it('reads no logs any more once it was closed, also while it was being read anew', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.executions = [makeExecution('e', { kind: 'deployed', status: statusOf('completed') })];
    const provider = new StatisticsDocuments(world);
    const uri = statisticsUri({ connectionId, workflowId: 'w1' }, 'First', 'Statistics');
    const read = () =>
      provider.provideTextDocumentContent(uri, {
        isCancellationRequested: false,
        onCancellationRequested: () => new vscode.Disposable(() => undefined),
      });
    const logsRead = () => world.first.calls.filter((call) => call.startsWith('executions.logs')).length;
    await read();
    const document = { uri };
    documents.open(document);
    await settle();
    assert.equal(logsRead(), 1);
    world.first.executions = [
      makeExecution('e2', { kind: 'deployed', status: statusOf('completed') }),
      ...world.first.executions,
    ];
    provider.refresh(uri);
    const again = read();
    documents.close(document);
    await again;
    await settle();
    assert.equal(logsRead(), 1);
    provider.dispose();
    world.following.dispose();
  });
});
