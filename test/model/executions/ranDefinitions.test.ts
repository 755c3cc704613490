// What ran is told only where it's sure: a later deployment leaves it unknown, unless it was read before.
import assert from 'node:assert/strict';
import type { Workflow } from '../../../src/domain/workflow.ts';
import { RanDefinitions } from '../../../src/model/executions/ranDefinitions.ts';
import { makeExecution, makeWorkflow } from '../../support/memory/records.ts';

const workflow = { connectionId: 'c', workflowId: 'w1' };
const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute));
const deployed = (minute: number, name: string): Workflow =>
  makeWorkflow('w1', {
    isDeployed: true,
    deployedAt: at(minute),
    deployedDefinition: { nodes: [{ id: 'a', name }, 'no node', { name: 'no id' }] },
  });

describe('the definition that an execution ran', () => {
  let now: Workflow;
  let reads: number;
  let ran: RanDefinitions;
  const { signal } = new AbortController();
  const learn = (id: string, minute: number | null) =>
    ran.learn(workflow, makeExecution(id, { createdAt: minute === null ? null : at(minute) }), signal);
  const nameOf = (id: string) => ran.find({ connectionId: 'c', executionId: id })?.get('a')?.['name'];

  beforeEach(() => {
    reads = 0;
    now = deployed(5, 'one');
    ran = new RanDefinitions({
      read: () => {
        reads += 1;
        return Promise.resolve(now);
      },
    });
  });

  it('is the deployed one where that is older than the execution, also after another deployment', async () => {
    assert.equal(nameOf('e'), undefined);
    assert.equal(await learn('e', 5), true);
    assert.equal(nameOf('e'), 'one');
    now = deployed(9, 'two');
    assert.equal(await learn('e', 5), false);
    assert.equal(nameOf('e'), 'one');
    assert.equal(reads, 1);
  });

  for (const [what, minute, change] of [
    ['another one was deployed meanwhile', 4, {}],
    ['the execution has no time', null, {}],
    ['it is not deployed any more', 6, { deployedAt: null, deployedDefinition: null }],
    ['the service does not tell what is deployed', 6, { deployedDefinition: null }],
    ['its nodes have another shape', 6, { deployedDefinition: { nodes: { a: {} } } }],
  ] as const)
    it(`is not known where ${what}, and asked for once`, async () => {
      now = { ...now, ...change };
      assert.equal(await learn('e', minute), false);
      assert.equal(await learn('e', minute), false);
      assert.equal(nameOf('e'), undefined);
      assert.ok(reads <= 1);
    });
});
