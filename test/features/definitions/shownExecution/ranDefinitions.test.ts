// What ran is told only where it's sure: a later deployment leaves it unknown, unless it was read before.
import assert from 'node:assert/strict';
import type { Workflow } from '../../../../src/domain/workflow.ts';
import {
  isDeployedSince,
  RanDefinitions,
} from '../../../../src/features/definitions/shownExecution/ranDefinitions.ts';
import { HandClock } from '../../../support/memory/ports.ts';
import { makeExecution, makeWorkflow } from '../../../support/memory/records.ts';

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
  let failure: Error | undefined;
  let clock: HandClock;
  let ran: RanDefinitions;
  const { signal } = new AbortController();
  const learn = (id: string, minute: number | null) =>
    ran.learn(workflow, makeExecution(id, { createdAt: minute === null ? null : at(minute) }), signal);
  const nameOf = (id: string) => ran.find({ connectionId: 'c', executionId: id })?.get('a')?.['name'];

  beforeEach(() => {
    reads = 0;
    failure = undefined;
    clock = new HandClock();
    now = deployed(5, 'one');
    ran = new RanDefinitions({
      clock,
      read: () => {
        reads += 1;
        return failure === undefined ? Promise.resolve(now) : Promise.reject(failure);
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

  it('is asked for again after a failure, but not at once, for no execution of the workflow', async () => {
    failure = new Error('too many requests');
    await assert.rejects(learn('e', 6), failure);
    failure = undefined;
    await clock.advance(59_999);
    assert.equal(await learn('e', 6), false);
    assert.equal(await learn('other', 6), false);
    assert.equal(reads, 1);
    await clock.advance(1);
    assert.equal(await learn('e', 6), true);
    assert.equal(nameOf('e'), 'one');
    assert.equal(reads, 2);
  });

  it('is asked for again once the record tells another time than this machine', async () => {
    assert.equal(await learn('e', 4), false);
    assert.equal(await learn('e', 6), true);
    assert.equal(nameOf('e'), 'one');
    assert.equal(await learn('e', 7), false);
    assert.equal(reads, 2);
  });
});

describe('a workflow', () => {
  for (const [what, deployedAt, createdAt, expected] of [
    ['was deployed after the execution', at(6), at(5), true],
    ['was deployed before the execution', at(5), at(6), false],
    ['may have been deployed before it, as far as whole seconds tell', new Date(5999), new Date(5000), false],
    ['was deployed who knows when', null, at(5), false],
    ['was executed who knows when', at(5), null, false],
  ] as const)
    it(what, () => assert.equal(isDeployedSince({ deployedAt }, { createdAt }), expected));
});
