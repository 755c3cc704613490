// Where node runs of an execution are gone, to save memory, each view of its runs says so.
import assert from 'node:assert/strict';
import { compareExecutions } from '../../../src/model/comparison/compareExecutions.ts';
import { readCompared } from '../../../src/model/comparison/readCompared.ts';
import { renderComparison } from '../../../src/features/executions/comparison/renderComparison.ts';
import { createNodeRunSource } from '../../../src/features/executions/documents/nodeRunSource.ts';
import { renderTimeline } from '../../../src/features/executions/documents/renderTimeline.ts';
import { executionUri } from '../../../src/ui/addresses.ts';
import { executionElement } from '../../../src/ui/rows/executionElements.ts';
import { listNodeRuns } from '../../../src/ui/rows/executionRows.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const { signal } = new AbortController();
const said = 'Earlier node runs that are no longer kept on this machine: 1';

async function readGone() {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  const target = { connectionId, executionId: 'e1' };
  world.first.executions = [makeExecution('e1', { status: statusOf('completed') })];
  const rows = [0, 1].map((index) =>
    makeNodeLog(index + 1, { nodeId: 'a', iteration: [index], status: statusOf('completed') }),
  );
  world.first.logs.set('e1', rows);
  await world.executions.read(target);
  const feed = await world.executions.readLogs(target);
  const [gone, left] = feed.nodeRuns;
  assert.ok(gone !== undefined && left !== undefined);
  feed.forgetRuns(1);
  assert.deepEqual(feed.nodeRuns, [left]);
  return { world, target, feed, gone };
}

describe('node runs that are gone', () => {
  it('are counted above the others in the trees', async () => {
    const { world, target } = await readGone();
    const rows = await listNodeRuns(world, executionElement(target.connectionId, 'w1', 'e1'), signal);
    assert.deepEqual(
      rows.map((row) => (row.kind === 'note' ? row.text : row.kind)),
      [said, 'iterations'],
    );
  });

  it('are counted in the timeline and in a comparison', async () => {
    const { world, target, feed } = await readGone();
    const { nodeRuns, goneRuns, rows } = feed;
    const execution = makeExecution('e1');
    assert.match(
      renderTimeline('Flow', { execution, nodeRuns, goneRuns, rows }).text,
      new RegExp(`^\\.\\.\\. ${said}$`, 'm'),
    );
    const facts = await readCompared(world, target, undefined, signal);
    const comparison = await compareExecutions(facts, { ...facts, goneRuns: 0 }, [], signal);
    assert.match(renderComparison(['Flow', 'Flow'], comparison, []).text, new RegExp(`^e1: ${said}$`, 'm'));
  });

  it('have a document that says where their lines are', async () => {
    const { world, target, gone } = await readGone();
    const address = { part: 'node', target, nodeRunKey: gone.key, isCompact: false } as const;
    const uri = executionUri(address, { connectionName: 'Local', title: 'a' });
    const text = await createNodeRunSource(world).read({ uri, address }, signal);
    assert.match(text, /This node run is no longer kept on this machine\. Its lines are in the log\./);
  });
});
