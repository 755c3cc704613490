// A document of a removed connection may stay open, and its graph is asked for: it says why there's nothing to draw.
import assert from 'node:assert/strict';
import { ShownWorkflow } from '../../../src/features/graph/shownWorkflow.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { FreshExecutions } from '../../../src/model/executions/freshExecutions.ts';
import type { ToPage } from '../../../src/webview/graph/messages.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

describe('the graph of a workflow whose connection was removed', () => {
  it('says so', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w', { hasDefinition: true })];
    await world.connections.remove(connectionId);
    const events = { onDidReceive: () => ({ dispose: () => undefined }), setAttention: () => undefined };
    const freshExecutions = new FreshExecutions({ ...world, events, logger: silentLogger });
    const posted: ToPage[] = [];
    const shown = new ShownWorkflow(
      { ...world, freshExecutions, logger: silentLogger },
      { connectionId, workflowId: 'w', executionId: null, nodeId: null, nodeRunKey: null },
      (message) => posted.push(message),
    );
    await world.clock.advance(1000);
    assert.deepEqual(posted.at(-1), { kind: 'nothing', text: 'This connection was removed.' });
    shown.dispose();
    freshExecutions.dispose();
    world.following.dispose();
  });
});
