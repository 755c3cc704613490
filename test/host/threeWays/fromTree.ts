// What is done on rows and in titles: one command for each place that it can stand in, and each way it goes on from there.
import * as v from 'valibot';
import { maskKey } from '../../../src/base/masking.ts';
import { run, startLocalService } from '../commands.ts';
import { untilInFront } from '../front.ts';
import {
  choose,
  escape,
  readMenu,
  runInOverflow,
  runInTitle,
  runOnRow,
  scrollToTop,
  untilAsked,
  untilRow,
  write,
} from '../keyboard.ts';
import { page } from '../page.ts';
import { until } from '../until.ts';
import { type FixedCommand, titleOf } from './fixedCommands.ts';
import { echo, resting, views, type World } from './world.ts';

async function runCommandOnRow(view: string, row: string, command: FixedCommand): Promise<void> {
  const { menu, submenu } = titleOf(command);
  await runOnRow(view, row, menu, submenu);
}

const untilDetails = () => untilInFront((document) => document.getText().includes('"completed"'));

export function testWorkflowsFromTree(world: World): void {
  const view = views.workflows;

  it('a row is deployed without a question, and renamed with one', async () => {
    await world.imported('On a row');
    await scrollToTop(view);
    await runCommandOnRow(view, 'On a row', 'workflow.deploy');
    await untilRow(view, 'On a row', ({ accessibleName }) => accessibleName.startsWith('On a row, deployed'));
    await runCommandOnRow(view, 'On a row', 'workflow.rename');
    await write('New name of the workflow', 'Renamed on its row');
    await untilRow(view, 'Renamed on its row');
  });
}

export function testExecutionsFromTree(world: World): void {
  const view = views.executions;

  it('a row is opened in its submenu', async () => {
    await world.executed(echo('On a row'), {});
    await untilRow(view, 'On a row', ({ accessibleName }) => accessibleName.includes('completed'));
    await runCommandOnRow(view, 'On a row', 'execution.open');
    await untilDetails();
  });

  it('a row is followed in the channel, and its menu then offers to stop that', async () => {
    await world.executed(resting('Followed'), {});
    await untilRow(view, 'Followed');
    await runCommandOnRow(view, 'Followed', 'execution.showLogs');
    await until(page.outputLines, (lines) => lines.some((line) => line.includes('Good night')));
    await until(
      () => readMenu(view, 'Followed'),
      (entries) => entries.some((entry) => entry.startsWith('Stop Following')),
    );
  });

  it('executions are listed in the overflow of the title', async () => {
    await untilAsked('Select an execution', () => runInOverflow(view, titleOf('execution.list').menu));
    await choose('Select an execution', 'On a row');
    await untilDetails();
  });

  it('a view is filtered from its title by choosing, whichever row has the cursor', async () => {
    await untilAsked('Filter Executions', () => runInTitle(view, 'Filter Executions…'));
    await escape('Filter Executions');
  });
}

export function testConnectionsFromTree(world: World): void {
  const view = views.connections;
  const untilActive = (name: string) =>
    untilRow(view, name, ({ description }) => description.startsWith('active'));

  it('a connection is added from the title', async () => {
    await untilAsked('What do you connect to?', () => runInTitle(view, titleOf('connection.add').menu));
    await escape('What do you connect to?');
  });

  it('a row is switched from by choosing, and given another key', async () => {
    const connectionId = await world.connect('Entered');
    await world.connect('Left');
    await untilActive('Left');
    await runCommandOnRow(view, 'Left', 'connection.switch');
    await choose('Select a connection', 'Entered');
    await untilActive('Entered');
    await runCommandOnRow(view, 'Entered', 'connection.replaceKey');
    const key = world.service.createKey();
    await write('Replace API Key of', key);
    await choose('When does this key expire?', 'In 90 days');
    // Only its mask tells which key is used.
    await until(
      () => run(v.string(), 'connection.diagnose', { connectionId }),
      (report) => report.includes(maskKey(key, 'svc_sk_')),
    );
  });

  it('the local service is stopped in the overflow of the title, and started on its row', async () => {
    await startLocalService();
    const untilDescribed = (isWanted: (description: string) => boolean) =>
      untilRow(view, 'Local service', ({ description }) => isWanted(description));
    await untilDescribed((description) => description.startsWith('active · http'));
    await runInOverflow(view, titleOf('localService.stop').menu);
    await untilDescribed((description) => description.endsWith('stopped'));
    await runCommandOnRow(view, 'Local service', 'localService.start');
    await untilDescribed((description) => description.startsWith('active · http'));
  });
}
