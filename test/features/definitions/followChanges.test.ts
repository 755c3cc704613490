// An open definition shows what the service has, also where it changes while it's read.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { followChanges } from '../../../src/features/definitions/followChanges.ts';
import type { DefinitionSnapshot } from '../../../src/model/workflows/definitionStore.ts';
import { definitionUri } from '../../../src/ui/addresses.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import { openWritten } from '../../support/writtenDocument.ts';
import { openWindow } from './files/openDefinitions.ts';

const version = (number: number) =>
  makeWorkflow('w1', { name: `Version ${number}`, updatedAt: new Date(number * 1000) });
const snapshotOf = (number: number): DefinitionSnapshot => {
  const workflow = version(number);
  return { workflow, definition: { name: workflow.name } };
};

describe('an open definition', () => {
  it('is read once more where the workflow has changed again while it was read', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    const { open, end } = openWindow();
    const uri = definitionUri({ connectionId, workflowId: 'w1' }, 'First', 'Workflow');
    const { text } = open.receive(uri, snapshotOf(1));
    const written = openWritten(uri, text);
    const readings: PromiseWithResolvers<DefinitionSnapshot>[] = [];
    const refresh = async (): Promise<void> => {
      const reading = Promise.withResolvers<DefinitionSnapshot>();
      readings.push(reading);
      await open.receiveFrom(uri, reading.promise);
    };
    const following = followChanges({ ...world, logger: silentLogger }, { refresh }, open);
    const change = async (number: number): Promise<void> => {
      world.first.workflows = [version(number)];
      await world.workflows.refresh();
    };
    await change(2);
    await change(3);
    assert.equal(readings.length, 1);
    readings[0]?.resolve(snapshotOf(2));
    await settle();
    readings[1]?.resolve(snapshotOf(3));
    await settle();
    assert.equal(open.shown(uri)?.name, 'Version 3');
    assert.equal(readings.length, 2);
    following.dispose();
    end();
    written.close();
    world.following.dispose();
  });
});
