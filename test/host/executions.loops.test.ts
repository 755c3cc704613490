// A followed execution as a person watches it: the turns of its loop folded, what runs and what failed in sight, the former one folded.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, run } from './commands.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage, type Row, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.workflows';
const Imported = v.object({ workflowId: v.string() });
const rows = () => page.rows(view);
const is =
  (level: number, label: string, description = '') =>
  (row: Row): boolean =>
    row.level === level && row.label === label && row.description.includes(description);

const rowSelector = (label: string): string =>
  `${viewSelector(view)} .monaco-list-row:has-text(${JSON.stringify(label)})`;

/** The row of an execution, whose label is its id. */
const isNewest =
  (description = '') =>
  (row: Row): boolean =>
    row.level === 2 && row.description.includes(description);

/** Goes to the first row until the rows are as wanted: what is followed may scroll away from it once more. */
const fromTop = (isWanted: (rows: readonly Row[]) => boolean): Promise<readonly Row[]> =>
  until(async () => {
    await vscode.commands.executeCommand(`${view}.focus`);
    await page.press('Home');
    return rows();
  }, isWanted);

/** Unfolds a row near the top by a click, which also selects it; again where the click met another row, as the view scrolled. */
async function unfold(label: string, below: string): Promise<void> {
  await until(
    async () => {
      await vscode.commands.executeCommand(`${view}.focus`);
      await page.press('Home');
      await page.clickIfThere(rowSelector(label));
      return page.appears(rowSelector(below));
    },
    (isThere) => isThere,
  );
}

const tail = Array.from({ length: 30 }, (_, at) => `step${at + 1}`);

/** A loop that fails at the item "bad", then more nodes than the view has room for. */
const definition = {
  name: 'Rounds',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'each', name: 'Each item', type: 'forEach', config: { items: 'input.items' } },
    { id: 'check', name: 'Check', type: 'condition', config: { expression: 'item = "bad"' } },
    { id: 'refuse', name: 'Refuse', type: 'fail', config: { message: 'No {{ item }}' } },
    { id: 'take', name: 'Take', type: 'log', config: { message: 'Took {{ item }}' } },
    ...tail.map((id) => ({ id, name: `Node ${id}`, type: 'log', config: { message: id } })),
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'check', branch: 'each' },
    { source: 'check', target: 'refuse', branch: 'true' },
    { source: 'check', target: 'take', branch: 'false' },
    { source: 'each', target: 'step1', branch: 'done' },
    ...tail.slice(1).map((target, at) => ({ source: `step${at + 1}`, target })),
  ],
};

/** News come many times a second while it runs, for minutes: until it's cancelled. */
const fast = {
  name: 'Fast',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'each', name: 'Each number', type: 'forEach', config: { items: '[1..20000]' } },
    { id: 'say', name: 'Say', type: 'log', config: { message: 'Number {{ item }}' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'say', branch: 'each' },
  ],
};

describe('a followed execution', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '100000');
    connectionId = await connect('Loops', service);
    await vscode.commands.executeCommand('workflowAutomation.connection.switch', { connectionId });
    await vscode.commands.executeCommand(`${view}.focus`);
    ({ workflowId } = await run(Imported, 'workflow.import', { definition }));
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId });
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  it('is scrolled to its last node, with its turns folded below their loop', async () => {
    await execute(workflowId, { items: ['a', 'b', 'c'] });
    await until(rows, (all) => all.some(is(3, 'Node step30')));
    await page.screenshot('loop-last-node');
    const shown = await fromTop((all) => all.some(is(3, 'Each item', '3 iterations')));
    assert.ok(!shown.some(({ level, label }) => level > 3 || label === 'Take'));
    await unfold('Each item', '[1]');
    await fromTop((all) => ['[1]', '[2]', '[3]'].every((turn) => all.some(is(4, turn))));
    await unfold('[1]', 'Take');
    await fromTop((all) => all.some(is(5, 'Take')));
    await page.screenshot('loop-turns');
    await page.waitFor(`${viewSelector(view)} .monaco-list-row.selected:has-text("[1]")`);
  });

  it('is left open by the next one where the user reads it', async () => {
    await execute(workflowId, { items: ['a'] });
    await until(rows, (all) => all.some(is(3, 'Node step30')));
    await until(
      async () => {
        await vscode.commands.executeCommand(`${view}.focus`);
        await page.press('End');
        return rows();
      },
      (all) => all.at(-1)?.label === 'Node step30',
    );
    await fromTop((all) => all.some(is(3, 'Each item', '1 iteration')));
  });

  it('folds with the next one, which is scrolled to the node that failed in a turn', async () => {
    await execute(workflowId, { items: ['a', 'b', 'bad', 'd'] });
    await until(rows, (all) =>
      [is(5, 'Refuse', 'No bad'), is(4, '[3]', 'Refuse: No bad'), is(3, 'Each item', '1 of 3 failed')].every(
        (isWanted) => all.some(isWanted),
      ),
    );
    await until(rows, (all) => all.some(({ level, isExpanded }) => level === 2 && !isExpanded));
    await page.screenshot('loop-failed');
    await vscode.commands.executeCommand(`${view}.focus`);
    for (const change of ['decrease', 'increase']) {
      for (let times = 0; times < 2; times += 1)
        await vscode.commands.executeCommand(`workbench.action.${change}ViewWidth`);
      await page.screenshot(`loop-failed-${change}d`);
    }
  });

  it('folds with the next one also where the editor is still unfolding it', async () => {
    const ids: (string | undefined)[] = [];
    for (let times = 0; times < 5; times += 1)
      ids.push((await execute(workflowId, { items: ['bad'] })).executionId);
    const former = ids.slice(0, -1).map((id) => id?.slice(-6));
    const folded = (all: readonly Row[]) => all.filter(({ level, isExpanded }) => level === 2 && !isExpanded);
    await fromTop((all) => former.every((label) => folded(all).some((row) => row.label === label)));
  });

  it('takes neither the focus nor the selection', async () => {
    // Only what is in sight is drawn; what took them would be.
    const labels = (state: string) =>
      page.texts(`${viewSelector(view)} .monaco-list-row.${state} .label-name`);
    const isFirst = (label: string): boolean => label === 'Rounds';
    await vscode.commands.executeCommand(`${view}.focus`);
    await page.press('Home');
    await until(
      () => labels('focused'),
      (all) => all.some(isFirst),
    );
    const selected = await labels('selected');
    await execute(workflowId, { items: ['a', 'bad'] });
    await until(rows, (all) => all.some(is(5, 'Refuse', 'No bad')));
    // A row that is drawn anew can have another one's state for a moment; what took them would keep them.
    await until(
      () => labels('focused'),
      (all) => all.every(isFirst),
    );
    // The iteration that was selected before may come into sight.
    const isOld = (label: string): boolean => label === '[1]' || selected.includes(label);
    await until(
      () => labels('selected'),
      (all) => all.every(isOld),
    );
  });

  it('has hundreds of turns in ranges', async () => {
    await execute(workflowId, { items: Array.from({ length: 230 }, (_, at) => `i${at}`) });
    await until(rows, (all) => all.some(is(3, 'Node step30')));
    await fromTop((all) => all.some(is(3, 'Each item', '230 iterations')));
    await unfold('Each item', '[1 … 100]');
    await fromTop((all) => all.some(is(4, '[1 … 100]')) && all.some(is(4, '[201 … 230]')));
    await unfold('[1 … 100]', '[1]');
    await fromTop((all) => all.some(is(5, '[1]')));
    await page.screenshot('loop-ranges');
  });

  it('counts its seconds while a fast loop runs', async () => {
    const { workflowId: fastId } = await run(Imported, 'workflow.import', { definition: fast });
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId: fastId });
    const changes: { readonly text: string; readonly at: number }[] = [];
    const counted = () => changes.filter(({ text }) => text.startsWith('running'));
    const { executionId } = await execute(fastId, {});
    await fromTop((all) => {
      const text = all.find(isNewest())?.description ?? '';
      if (text !== changes.at(-1)?.text) changes.push({ text, at: performance.now() });
      return counted().length > 2 || (counted().length > 0 && !text.startsWith('running'));
    });
    const gaps = changes.slice(1).map(({ at }, index) => at - (changes[index]?.at ?? at));
    assert.ok(Math.max(...gaps) < 30_000, JSON.stringify(changes));
    assert.ok(counted().length > 2, JSON.stringify(changes));
    await vscode.commands.executeCommand('workflowAutomation.execution.cancel', { executionId });
    await fromTop((all) => all.find(isNewest())?.description.startsWith('cancelled') === true);
  });
});
