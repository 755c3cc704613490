// A workflow that a person names on the command line.
import assert from 'node:assert/strict';
import { findWorkflow } from '../../src/program/findWorkflow.ts';
import { makeWorkflow } from '../support/memory/records.ts';
import { connectBoth, createWorld } from '../support/memory/world.ts';

describe('the workflow with a name', () => {
  it('is found however many there are', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.workflows = Array.from({ length: 10_001 }, (_, at) =>
      makeWorkflow(`w${at}`, { name: `Flow ${at}` }),
    );
    const { workflows } = world;
    const found = await findWorkflow({ connectionId, workflows }, 'Flow 10000', new AbortController().signal);
    assert.equal(found.id, 'w10000');
  });
});
