// Connections, the local service and its keys work from code, from the palette and from the tree.
import * as vscode from 'vscode';
import { page, requirePage } from '../page.ts';
import { until } from '../until.ts';
import { areas } from './areas.ts';
import { titleOf } from './fixedCommands.ts';
import { giveRoom, runInPalette, untilNothingIsAsked } from '../keyboard.ts';
import { testThreeWays } from './threeWays.ts';
import { World, views } from './world.ts';

describe('three ways to the commands on connections', () => {
  const world = new World();
  before(async function () {
    requirePage(this);
    await world.start();
    await giveRoom(views.connections, Object.values(views));
  });
  after(() => world.stop());
  testThreeWays(areas.connections(world), world);

  it('say at once, before any question, that the local service is not running', async () => {
    await vscode.commands.executeCommand('workflowAutomation.localService.stop');
    for (const [command, said] of [
      ['apiKey.create', /^The local service isn't running\. Keys of other services/],
      ['apiKey.revoke', /^The local service isn't running\. Keys of other services/],
    ] as const) {
      await vscode.commands.executeCommand('notifications.clearAll');
      await runInPalette(titleOf(command).palette);
      await untilNothingIsAsked();
      await until(
        () => page.notifications(),
        (all) => all.some((text) => said.test(text)),
      );
    }
  });
});
