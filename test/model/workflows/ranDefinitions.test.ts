// What ran is what the service tells. Where it doesn't, it's known only where it's sure: a later deployment leaves it unknown, unless it was learned before.
import assert from 'node:assert/strict';
import type { Workflow } from '../../../src/domain/workflow.ts';
import { wasRedeployedAfter } from '../../../src/model/workflows/ranDefinitions.ts';
import { makeExecution, makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute));
const named = (name: string) => ({ nodes: [{ id: 'a', name }, 'no node', { name: 'no id' }] });
const deployed = (minute: number, name: string): Workflow =>
  makeWorkflow('w1', {
    isDeployed: true,
    deployedAt: at(minute),
    deployedDefinition: named(name),
    hasDefinition: true,
  });

describe('the definition that an execution ran', () => {
  let world: World;
  let connectionId: string;
  const { signal } = new AbortController();
  const execution = (id: string, minute: number | null, change: Parameters<typeof makeExecution>[1] = {}) =>
    makeExecution(id, { createdAt: minute === null ? null : at(minute), workflowId: 'w1', ...change });
  const workflow = () => ({ connectionId, workflowId: 'w1' });
  const learn = (...given: Parameters<typeof execution>) =>
    world.ranDefinitions.learn(workflow(), execution(...given));
  const nameOf = (executionId: string) =>
    world.ranDefinitions.findLearned({ connectionId, executionId })?.nodes.get('a')?.['name'];
  const asked = () => world.first.calls.filter((call) => /workflows\.get|definition/.test(call)).length;

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    world.first.workflows = [deployed(5, 'one')];
  });
  afterEach(() => world.following.dispose());

  describe('where the service does not tell', () => {
    it('is the deployed one where that is older than the execution, also after another deployment', async () => {
      assert.equal(nameOf('e'), undefined);
      await learn('e', 5);
      assert.equal(nameOf('e'), 'one');
      world.first.workflows = [deployed(9, 'two')];
      await learn('e', 5);
      assert.deepEqual([nameOf('e'), asked()], ['one', 1]);
    });

    for (const [what, minute, change] of [
      ['another one was deployed meanwhile', 4, {}],
      ['the execution has no time', null, {}],
      ['it is not deployed any more', 6, { deployedAt: null, deployedDefinition: null }],
      ['the service does not tell what is deployed', 6, { deployedDefinition: null }],
      ['its nodes have another shape', 6, { deployedDefinition: { nodes: { a: {} } } }],
    ] as const)
      it(`is not known where ${what}, and asked for once`, async () => {
        world.first.workflows = [{ ...deployed(5, 'one'), ...change }];
        await learn('e', minute);
        await learn('e', minute);
        assert.equal(nameOf('e'), undefined);
        assert.ok(asked() <= 1);
      });

    it('is asked for again after a failure, but not at once, for no execution of the workflow', async () => {
      world.first.workflows = [];
      await learn('e', 6);
      world.first.workflows = [deployed(5, 'one')];
      await world.clock.advance(59_999);
      await learn('e', 6);
      await learn('other', 6);
      assert.equal(asked(), 1);
      await world.clock.advance(1);
      await learn('e', 6);
      assert.deepEqual([nameOf('e'), asked()], ['one', 2]);
    });

    it('stays known where reading it fails after it was learned in another way', async () => {
      world.first.workflows = [];
      const failing = learn('e', 6);
      world.ranDefinitions.note({ connectionId, executionId: 'e' }, named('mine'));
      await failing;
      assert.equal(nameOf('e'), 'mine');
    });

    it('is asked for again once the record tells another time than this machine', async () => {
      await learn('e', 4);
      assert.equal(nameOf('e'), undefined);
      await learn('e', 6);
      await learn('e', 7);
      assert.deepEqual([nameOf('e'), asked()], ['one', 2]);
    });

    it('is the one with the same version, whenever that was deployed', async () => {
      const versions = { draftVersion: 'v2', deployedVersion: 'v1', raw: named('two') };
      world.first.workflows = [{ ...deployed(5, 'one'), ...versions }];
      for (const [id, definitionVersion] of [
        ['e0', 'v0'],
        ['e1', 'v1'],
        ['e2', 'v2'],
      ] as const)
        await learn(id, 1, { definitionVersion });
      assert.deepEqual([nameOf('e0'), nameOf('e1'), nameOf('e2')], [undefined, 'one', 'two']);
    });

    it('is read at hand without a request, for whoever waits for it', async () => {
      await world.workflows.read(workflow());
      const before = asked();
      const read = async (minute: number) =>
        (await world.ranDefinitions.read(workflow(), execution(`e${minute}`, minute), signal))?.nodes.size;
      assert.deepEqual([await read(4), await read(6), asked()], [undefined, 1, before]);
    });
  });

  describe('where the service tells', () => {
    beforeEach(() => {
      world.first.capabilities.set(new Set(['definition']));
      world.first.ran.set('e', named('ran'));
    });

    it('is asked for once, of a draft too, whatever is deployed', async () => {
      const told: unknown[] = [];
      world.ranDefinitions.onDidLearn((target) => told.push(target));
      for (const minute of [4, 5]) await learn('e', minute, { kind: 'draft' });
      assert.deepEqual([nameOf('e'), asked(), told], ['ran', 1, [{ connectionId, executionId: 'e' }]]);
    });

    it('may not be kept, which is not asked for again', async () => {
      for (const minute of [6, 7]) await learn('gone', minute);
      assert.deepEqual([nameOf('gone'), asked()], [undefined, 1]);
    });

    it('is read for whoever waits for it', async () => {
      const read = async (id: string) =>
        (await world.ranDefinitions.read(workflow(), execution(id, 6), signal))?.definition;
      assert.deepEqual(
        [await read('e'), await read('e'), await read('gone')],
        [named('ran'), named('ran'), undefined],
      );
      assert.equal(asked(), 2);
    });
  });

  it('is always asked for of a child, which may run what only its node has', async () => {
    await world.workflows.read(workflow());
    const differs = (parent: string | undefined) =>
      world.ranDefinitions.mayDiffer(workflow(), execution('e', 6, { parent }));
    assert.deepEqual([differs('p'), differs(undefined)], [false, false]);
    world.first.capabilities.set(new Set(['definition']));
    assert.deepEqual([differs('p'), differs(undefined)], [true, true]);
  });

  it('is only then asked for where it may differ from what is saved', async () => {
    const differs = async (change: Partial<Workflow>, ...given: Parameters<typeof execution>) => {
      world.first.workflows = [{ ...deployed(5, 'one'), ...change }];
      await world.workflows.read(workflow());
      return world.ranDefinitions.mayDiffer(workflow(), execution(...given));
    };
    assert.equal(await differs({}, 'e', 6), false);
    assert.equal(await differs({}, 'e', 4), true);
    assert.equal(await differs({ hasUndeployedChanges: true }, 'e', 6), true);
    assert.equal(await differs({}, 'e', 6, { kind: 'draft' }), true);
    const versions = { draftVersion: 'v2', deployedVersion: 'v1', hasUndeployedChanges: true };
    assert.equal(await differs(versions, 'e', 6, { definitionVersion: 'v2' }), false);
    assert.equal(await differs(versions, 'e', 6, { definitionVersion: 'v1' }), true);
  });

  it('keeps what a draft runs that was executed here, and as much as there is room for', async () => {
    const target = (executionId: string) => ({ connectionId, executionId });
    world.ranDefinitions.note(target('first'), named('a'.repeat(5_000_000)));
    assert.notEqual(nameOf('first'), undefined);
    world.ranDefinitions.note(target('second'), named('b'.repeat(5_000_000)));
    assert.deepEqual([nameOf('first'), typeof nameOf('second')], [undefined, 'string']);
    world.first.capabilities.set(new Set(['definition']));
    await learn('second', 6);
    assert.equal(asked(), 0);
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
    it(what, () => assert.equal(wasRedeployedAfter({ deployedAt }, { createdAt }), expected));
});
