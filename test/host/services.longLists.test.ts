// However many workflows and executions there are, the keyboard reaches each of them from the palette.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { systemClock } from '../../src/base/time.ts';
import { Emitter, ObservableValue } from '../../src/base/event.ts';
import { PlainError } from '../../src/editor/plainError.ts';
import type { SearchableListState } from '../../src/model/list/searchableList.ts';
import { type ChoiceList, chooseFromList, type ListLook } from '../../src/ui/pickers/chooseFromList.ts';
import { connect, disconnect, listExecutions } from './commands.ts';
import { untilInFront, untilNothingInFront } from './front.ts';
import { closePrompt } from './keyboard.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Created = v.object({ id: v.string() });
const Triggered = v.object({ executionIds: v.array(v.string()) });
const input = '.quick-input-widget input:focus';
const widget = '.quick-input-widget';
const row = (text: string) => `${widget} .monaco-list-row:has-text("${text}")`;
const focused = (text: string) => `${widget} .monaco-list-row.focused:has-text("${text}")`;
const call = (name: string, ...values: readonly unknown[]) =>
  vscode.commands.executeCommand(`workflowAutomation.${name}`, ...values);

const nodes = [
  { id: 'start', name: 'Start', type: 'trigger', config: {} },
  { id: 'end', name: 'End', type: 'output', config: { expression: 'input' } },
];
const edges = [{ source: 'start', target: 'end' }];

describe('choosing from long lists', () => {
  let service: OwnService;
  let connectionId: string;
  const executed: string[] = [];

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '100000');
    const { id: oldest } = await postTo(service, Created, '/workflows', { name: 'Job 0', nodes, edges });
    await postTo(service, v.unknown(), `/workflows/${oldest}/deploy`, {});
    for (let number = 1; number < 300; number += 1)
      await postTo(service, Created, '/workflows', { name: `Job ${number}`, nodes, edges });
    const { id } = await postTo(service, Created, '/workflows', { name: 'Newest', nodes, edges });
    await postTo(service, v.unknown(), `/workflows/${id}/deploy`, {});
    for (let number = 0; number < 120; number += 1) {
      const { executionIds } = await postTo(service, Triggered, `/workflows/${id}/execute`, { input: {} });
      executed.push(...executionIds);
    }
    connectionId = await connect('Long lists', service);
    await call('connection.switch', { connectionId });
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  const untilOpened = (executionId: string) =>
    untilInFront(({ uri }) => uri.toString().includes(executionId));

  it('finds a workflow by typing that is not among the newest hundred', async () => {
    const opened = call('workflow.open');
    await page.waitFor(row('Newest'));
    await page.waitFor(input);
    await page.screenshot('choose-workflow');
    await page.type('job 42');
    await page.waitFor(focused('Job 42'));
    await until(page.quickPick, (labels) => labels.join() === 'Job 42');
    await page.screenshot('choose-workflow-searched');
    await page.press('Enter');
    await opened;
    await untilInFront(({ uri }) => uri.path.includes('Job 42'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await untilNothingInFront();
  });

  it('reads on with the keyboard, and goes on at the first new row', async () => {
    const opened = call('workflow.open');
    await page.waitFor(row('Newest'));
    await page.waitFor(input);
    await page.press('ArrowUp');
    await page.waitFor(focused('Load More…'));
    await page.screenshot('choose-workflow-more');
    await page.press('Enter');
    await page.waitFor(focused('Job 200'));
    await page.screenshot('choose-workflow-read-on');
    await closePrompt();
    await opened;
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('offers to undeploy what is deployed, however far down the list it stands', async () => {
    const undeployed = call('workflow.undeploy');
    await until(page.quickPick, (labels) => labels.join() === 'Newest,Job 0');
    await closePrompt();
    await undeployed;
  });

  it('says that nothing matches, without a row that would only read on', async () => {
    const opened = call('workflow.open');
    await page.waitFor(row('Newest'));
    await page.waitFor(input);
    await page.type('no such job');
    await page.waitUntilGone(`${widget} .monaco-list-row`);
    await page.waitUntilGone(`${widget} .quick-input-progress.active`);
    await until(page.quickPick, (labels) => labels.length === 0);
    await closePrompt();
    await opened;
  });

  it('reaches older executions by reading on, and any by its id', async () => {
    const first = call('execution.open');
    await page.waitFor(row('Newest'));
    await page.waitFor(input);
    await page.press('ArrowUp');
    await page.waitFor(`${focused('Load More…')}:has-text("The newest 50")`);
    await page.screenshot('choose-execution');
    await page.press('Enter');
    const all = await listExecutions();
    const [newest = assert.fail(), next = assert.fail()] = [all[0], all[50]];
    await page.waitFor(focused(next.id.slice(-6)));
    await page.press('Enter');
    await first;
    await untilOpened(next.id);
    // With an execution in front, the command opens that one.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await untilNothingInFront();
    const oldest = executed[0] ?? assert.fail();
    const second = call('execution.open');
    await page.waitFor(row('Newest'));
    await page.waitFor(input);
    // What is listed comes before what may be an id.
    await page.type(newest.id.slice(-6));
    await page.waitFor(`${focused('Newest')}:has-text("${newest.id.slice(-6)}")`);
    await page.press('Control+A');
    await page.type(oldest);
    await page.waitFor(`${focused('The execution with this ID')}:has-text("${oldest}")`);
    await page.screenshot('choose-execution-by-id');
    await page.press('Enter');
    await second;
    await untilOpened(oldest);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  interface Item {
    readonly id: string;
  }
  const look: Omit<ListLook<Item, string>, 'placeholder'> = {
    clock: systemClock,
    toChoice: ({ id }) => ({ label: id, value: id }),
    describeMore: () => 'Not all were looked at',
    nothing: new PlainError('There is nothing.'),
  };
  function listOf(
    state: Partial<SearchableListState<Item>>,
    search: (text: string) => void = () => undefined,
  ): ChoiceList<Item> {
    const value = new ObservableValue<SearchableListState<Item>>({
      text: '',
      items: [],
      hasData: true,
      isBusy: false,
      hasMore: false,
      isSearched: false,
      error: null,
      ...state,
    });
    return {
      state: value,
      search,
      loadMore: () => assert.fail('No more was wanted.'),
      dispose: () => value.dispose(),
    };
  }

  it('takes the row that was chosen, though the rows were made anew meanwhile', async () => {
    const changes = new Emitter<undefined>();
    const list = listOf({ items: [{ id: 'Blue' }], isBusy: true, hasMore: true });
    const chosen = chooseFromList(list, {
      ...look,
      placeholder: 'Which?',
      onDidChangeLook: changes.event,
    });
    await page.waitFor(focused('Blue'));
    await page.waitFor(input);
    changes.fire(undefined);
    await page.press('Enter');
    assert.equal(await chosen, 'Blue');
    changes.dispose();
  });

  it('takes all that was typed, though its row shows less of it by then', async () => {
    // The last character and Enter come while the extension host is busy.
    const list = listOf({ hasData: false }, (text) => {
      const end = performance.now() + (text === 'exec_12' ? 1_000 : 0);
      while (performance.now() < end);
    });
    const chosen = chooseFromList(list, {
      ...look,
      placeholder: 'By which id?',
      typed: (text) => ({ label: 'By this id', description: text, alwaysShow: true, value: text }),
    });
    await page.waitFor(`${widget} input[placeholder="By which id?"]:focus`);
    await page.type('exec_1');
    await page.waitFor(`${focused('By this id')}:has-text("exec_1")`);
    await page.type('2\n');
    assert.equal(await chosen, 'exec_12');
  });
});
