// Why: executions and portal events are listed, read, followed, repeated and compared from code, from the palette and from the tree.
import { requirePage } from '../page.ts';
import { areas } from './areas.ts';
import { escape, giveRoom, runInTitle } from './keyboard.ts';
import { testThreeWays } from './threeWays.ts';
import { World, views } from './world.ts';

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
    await runInTitle(views.executions, 'Filter Executions…');
    await escape('Show which executions?');
    await runInTitle(views.portalEvents, 'Filter Portal Events…');
    await escape('Show which portal events?');
  });
});
