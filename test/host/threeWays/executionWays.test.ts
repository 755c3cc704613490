// Executions and portal events are listed, read, followed, repeated and compared from code, from the palette and from the tree.
import * as vscode from 'vscode';
import { page, requirePage, viewSelector } from '../page.ts';
import { areas } from './areas.ts';
import { escape, giveRoom, runInTitle, untilRow } from '../keyboard.ts';
import { testThreeWays } from './threeWays.ts';
import { echo, World, views } from './world.ts';

describe('three ways to the commands on executions and portal events', () => {
  const world = new World();
  before(async function () {
    requirePage(this);
    await world.start();
    await world.connect('Three ways');
    await giveRoom(views.executions, Object.values(views));
  });
  after(() => world.stop());
  testThreeWays(areas.executions(world), world);

  it('filter from the title of the view by choosing, whichever row has the cursor', async () => {
    await world.executed(echo('Greeting'), { greeting: 'Hello' });
    await runInTitle(views.executions, 'Filter Executions…');
    await escape('Filter Executions');
    await vscode.commands.executeCommand(`${views.portalEvents}.focus`);
    await untilRow(views.portalEvents, 'execution.completed');
    await runInTitle(views.portalEvents, 'Filter Portal Events…');
    await escape('Filter Portal Events');
    await page.click(`${viewSelector(views.portalEvents)} > .pane-header`);
  });
});
