// What is known of a linked folder while lists of the service are on their way.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FolderStates } from '../../../src/features/workflowFiles/folderStates.ts';
import { LinkedFiles } from '../../../src/ui/linkedFiles.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, firstUrl, secondUrl } from '../../support/memory/world.ts';
import { folder } from '../../support/vscodeStandIn.ts';

describe('the states of a linked folder', () => {
  afterEach(() => folder.close());

  it('are those after an own act, although an older list was on its way', async () => {
    const world = createWorld();
    await connectBoth(world);
    const id = 'w1';
    world.first.workflows = [makeWorkflow(id, { name: 'There' })];
    folder.open({ isTrusted: true });
    const workflows = { 'orders.workflow.json': { staging: id } };
    const environments = { staging: { url: firstUrl } };
    folder.write('workflows.json', JSON.stringify({ environments, workflows }));
    folder.write('orders.workflow.json', '{"name":"Here"}');
    const linked = new LinkedFiles(world.connections);
    await linked.load();
    const states = new FolderStates(world, linked.folders[0] ?? assert.fail());
    const nameThere = () =>
      states.find(vscode.Uri.from({ scheme: 'memory', path: '/workspace/orders.workflow.json' }))?.workflow
        ?.name;
    const arrive = world.first.hold();
    const before = states.list();
    await settle();
    world.first.letThrough();
    world.first.change(id, { name: 'Pushed' });
    const after = states.listAnew();
    const asked = world.first.calls.length;
    arrive();
    await before;
    assert.equal(nameThere(), 'There');
    await after;
    assert.deepEqual([nameThere(), world.first.calls.length], ['Pushed', asked + 1]);
    states.dispose();
    linked.dispose();
  });

  it('are not those of a service that answers after another one was chosen', async () => {
    const world = createWorld();
    await connectBoth(world);
    const file = 'orders.workflow.json';
    world.first.workflows = [makeWorkflow('w1', { name: 'Of staging' })];
    world.second.workflows = [makeWorkflow('w2', { name: 'Of production' })];
    folder.open({ isTrusted: true });
    const environments = { staging: { url: firstUrl }, production: { url: secondUrl } };
    const workflows = { [file]: { staging: 'w1', production: 'w2' } };
    const choose = (name: string) =>
      folder.write('workflows.json', JSON.stringify({ environments, default: name, workflows }));
    choose('staging');
    folder.write(file, '{"name":"Here"}');
    const linked = new LinkedFiles(world.connections);
    await linked.load();
    const states = new FolderStates(world, linked.folders[0] ?? assert.fail());
    const arrive = world.first.hold();
    const before = states.list();
    await settle();
    choose('production');
    await linked.reread(states.folder.uri);
    states.replace(linked.folders[0] ?? assert.fail());
    arrive();
    await before;
    await states.compareAgain();
    assert.equal(states.files.length, 0);
    await states.listAnew();
    assert.deepEqual(
      states.files.map(({ workflow }) => workflow?.name),
      ['Of production'],
    );
    states.dispose();
    linked.dispose();
  });

  it('are asked of the service that was chosen while another one was asked', async () => {
    const world = createWorld();
    await connectBoth(world);
    const file = 'orders.workflow.json';
    world.first.workflows = [makeWorkflow('w1', { name: 'Of staging' })];
    world.second.workflows = [makeWorkflow('w2', { name: 'Of production' })];
    folder.open({ isTrusted: true });
    const environments = { staging: { url: firstUrl }, production: { url: secondUrl } };
    const workflows = { [file]: { staging: 'w1', production: 'w2' } };
    const choose = (name: string) =>
      folder.write('workflows.json', JSON.stringify({ environments, default: name, workflows }));
    choose('staging');
    folder.write(file, '{"name":"Here"}');
    const linked = new LinkedFiles(world.connections);
    await linked.load();
    const states = new FolderStates(world, linked.folders[0] ?? assert.fail());
    const arrive = world.first.hold();
    const before = states.list();
    await settle();
    choose('production');
    await linked.reread(states.folder.uri);
    states.replace(linked.folders[0] ?? assert.fail());
    const after = states.list();
    arrive();
    await Promise.all([before, after]);
    assert.deepEqual(
      states.files.map(({ workflow }) => workflow?.name),
      ['Of production'],
    );
    states.dispose();
    linked.dispose();
  });
});
