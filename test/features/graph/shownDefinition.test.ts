// What the graph shows of a workflow's definition once the workflow is gone.
import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/domain/errors.ts';
import { DefinitionSource } from '../../../src/features/graph/shownDefinition.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('the definition that the graph shows', () => {
  let world: World;
  let connectionId: string;
  let source: DefinitionSource;

  const kindAfter = async (change: () => Promise<unknown>): Promise<string> => {
    const changed = new Promise((resolve) => source.shown.onDidChange(resolve));
    await change();
    await world.clock.advance(1000);
    await changed;
    return source.shown.current.kind;
  };

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w', { hasDefinition: true }), makeWorkflow('other')];
    await world.workflows.refresh();
    source = new DefinitionSource(world, { connectionId, workflowId: 'w' });
  });
  afterEach(() => {
    source.dispose();
    world.following.dispose();
  });

  it('is gone once the workflow was deleted here', async () => {
    assert.equal(source.shown.current.kind, 'definition');
    assert.equal(await kindAfter(() => world.actions.delete({ connectionId, workflowId: 'w' })), 'deleted');
  });

  it('is gone once the list no longer has the workflow, and the service neither', async () => {
    const remove = () => {
      world.first.remove('w');
      return world.workflows.refresh();
    };
    assert.equal(await kindAfter(remove), 'deleted');
  });

  it('is read again once the service can be reached, whoever notices that', async () => {
    source.dispose();
    world.first.failure = new ServiceError({ kind: 'unreachable', cause: 'refused' }, 'Nobody listens.');
    source = new DefinitionSource(world, { connectionId, workflowId: 'other' });
    await world.clock.advance(1000);
    assert.equal(source.shown.current.kind, 'failed');
    world.first.failure = null;
    world.first.change('other', { hasDefinition: true });
    assert.equal(
      await kindAfter(() => world.executions.refresh({ connectionId, workflowId: null })),
      'definition',
    );
  });

  it('stays where only the filter hides the workflow', async () => {
    await world.workflows.setFilter({ ...world.workflows.state.current.filter, text: 'nothing like it' });
    await world.clock.advance(1000);
    assert.equal(source.shown.current.kind, 'definition');
  });

  it('is the newest one that is known, also where an older record comes last', async () => {
    source.dispose();
    const target = { connectionId, workflowId: 'other' };
    const arrive = world.first.hold();
    source = new DefinitionSource(world, target);
    await world.clock.advance(0);
    const textShown = () => {
      const { current } = source.shown;
      return current.kind === 'definition' ? current.definition.text : current.kind;
    };
    world.first.letThrough();
    world.first.change('other', { name: 'Newer', hasDefinition: true, raw: { name: 'Newer' } });
    await world.workflows.read(target);
    assert.match(textShown(), /Newer/);
    arrive();
    await world.clock.advance(0);
    assert.match(textShown(), /Newer/);
  });

  it('stays gone where it was deleted while it was read', async () => {
    source.dispose();
    const target = { connectionId, workflowId: 'other' };
    const arrive = world.first.hold();
    source = new DefinitionSource(world, target);
    await world.clock.advance(0);
    world.first.letThrough();
    await world.actions.delete(target);
    assert.equal(source.shown.current.kind, 'deleted');
    arrive();
    await world.clock.advance(0);
    assert.equal(source.shown.current.kind, 'deleted');
  });
});
