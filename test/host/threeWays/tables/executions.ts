// The commands on executions in all three ways.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { page } from '../../page.ts';
import { until } from '../../until.ts';
import { choose, countMatches, untilRow } from '../../keyboard.ts';
import type { WaysTable } from '../threeWays.ts';
import { echo, views, type World } from '../world.ts';

const Uri = v.pipe(v.string(), v.startsWith('workflow-execution:'));
const Listed = v.array(
  v.strictObject({ id: v.string(), workflowId: v.string(), status: v.literal('completed') }),
);
const Found = v.array(
  v.object({ id: v.string(), found: v.array(v.object({ path: v.optional(v.string()) })) }),
);
const Executed = v.object({
  workflowId: v.string(),
  eventIds: v.array(v.string()),
  status: v.literal('triggered'),
});
const Report = v.pipe(v.string(), v.startsWith('## '));
const view = views.executions;
const question = 'Select an execution';

/** Waits until a document with this in its title is in front, and says this. */
async function isOpen(title: string, text: string): Promise<void> {
  await page.waitFor(`.tab.active:has-text("${title}")`);
  await until(
    () => vscode.window.activeTextEditor?.document.getText() ?? '',
    (shown) => shown.includes(text),
  );
}

const isComparisonOpen = (): Promise<void> => isOpen('↔', 'First difference');

/** Waits until the clipboard holds a report. */
const isReportCopied = async (): Promise<void> => {
  await until(
    async () => vscode.env.clipboard.readText(),
    (text) => text.startsWith('## Greeting'),
  );
};

export function executionWays(world: World): WaysTable {
  const greeting = async () => {
    const executionId = await world.executed(echo('Greeting'), { greeting: 'Hello' });
    await untilRow(view, 'Greeting', ({ accessibleName }) => accessibleName.includes('completed'));
    return { executionId };
  };
  const farewell = () => world.executed(echo('Farewell'), { farewell: 'Goodbye' });
  const greetings = async (count: number) => {
    await until(
      async () => (await page.rows(view)).filter(({ label }) => label === 'Greeting').length,
      (shown) => shown === count,
    );
    assert.equal((await world.executionsOf('Greeting')).length, count);
  };

  const opensFromCode = (
    title: string,
    text: string,
  ): Pick<Required<WaysTable>['execution.open'], 'code'> => ({
    code: {
      run: async (call) => {
        const uri = await call(Uri, await greeting());
        await isOpen(title, text);
        assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri);
      },
      unknown: { executionId: 'none' },
    },
  });

  return {
    'execution.list': {
      code: {
        run: async (call) => {
          const { executionId } = await greeting();
          const [known] = await world.executionsOf('Greeting');
          assert.deepEqual(await call(Listed, { workflowId: known?.workflowId, status: 'completed' }), [
            { id: executionId, workflowId: known?.workflowId, status: 'completed' },
          ]);
        },
      },
      tree: {
        place: 'overflow',
        view,
        run: async () => {
          await choose(question, 'Greeting');
          await isOpen('details', '"completed"');
        },
      },
    },
    'execution.search': {
      code: {
        run: async (call) => {
          const { executionId } = await greeting();
          const found = await call(Found, { query: 'status:completed hello', limit: 1 });
          assert.deepEqual(
            found.map(({ id }) => id),
            [executionId],
          );
          assert.equal(found[0]?.found[0]?.path, 'greeting');
        },
        unknown: { query: 'workflow:none' },
      },
    },
    'execution.open': {
      ...opensFromCode('details', '"completed"'),
      palette: {
        given: greeting,
        asks: question,
        run: async () => {
          await choose(question, 'Greeting');
          await isOpen('details', '"completed"');
        },
      },
      tree: {
        given: greeting,
        place: { row: 'Greeting' },
        view,
        run: () => isOpen('details', '"completed"'),
      },
    },
    'execution.openInput': opensFromCode('input', '"Hello"'),
    'execution.openOutput': opensFromCode('output', '"Hello"'),
    'execution.openTimeline': opensFromCode('timeline', 'Result'),
    'execution.compare': {
      code: {
        run: async (call) => {
          const both = { ...(await greeting()), otherExecutionId: await farewell() };
          await call(v.tuple([Uri, Uri]), both);
          await isComparisonOpen();
        },
      },
      palette: {
        given: async () => [await greeting(), await farewell()],
        asks: question,
        run: async () => {
          const offered = await countMatches(question, 'Greeting');
          await page.press('Enter');
          const others = await countMatches('Select an execution to compare with', 'Greeting');
          assert.equal(others, offered - 1, 'is not compared with itself');
          await page.press('Control+A');
          await choose('Select an execution to compare with', 'Farewell');
          await isComparisonOpen();
        },
      },
      tree: {
        given: async () => [await greeting(), await farewell()],
        place: { row: 'Greeting' },
        view,
        run: async () => {
          await choose('Select an execution to compare with', 'Farewell');
          await isComparisonOpen();
        },
      },
    },
    'execution.copyReport': {
      code: {
        run: async (call) => {
          const report = await call(Report, await greeting());
          assert.ok(report.includes('"greeting": "Hello"'));
        },
        unknown: { executionId: 'none' },
      },
      tree: {
        given: () => vscode.env.clipboard.writeText(''),
        place: { row: 'Greeting' },
        view,
        run: isReportCopied,
      },
    },
    'execution.rerun': {
      code: {
        run: async (call) => {
          await call(Executed, await greeting());
          await greetings(2);
        },
        unknown: { executionId: 'none' },
      },
    },
  };
}
