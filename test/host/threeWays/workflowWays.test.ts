// Workflows are listed, made, read, changed, removed, deployed and executed from code, from the palette and from the tree.
import * as vscode from 'vscode';
import { requirePage } from '../page.ts';
import { titleOf } from './fixedCommands.ts';
import { escape, giveRoom, runInOverflow } from '../keyboard.ts';
import { testThreeWays } from './threeWays.ts';
import { areas } from './areas.ts';
import { World, views } from './world.ts';

describe('three ways to the commands on workflows', () => {
  const world = new World();
  before(async function () {
    requirePage(this);
    await world.start();
    await world.connect('Three ways');
    // The system's own dialog cannot be reached from the page.
    const dialogs = vscode.workspace.getConfiguration('files.simpleDialog');
    await dialogs.update('enable', true, vscode.ConfigurationTarget.Global);
    await giveRoom(views.workflows, [views.portalEvents, views.connections]);
  });
  after(() => world.stop());
  testThreeWays(areas.workflows(world), world);

  it('switch the connection from the title of the view by choosing, whichever row has the cursor', async () => {
    await runInOverflow(views.workflows, titleOf('connection.switch').menu);
    await escape('Select a connection');
  });
});
