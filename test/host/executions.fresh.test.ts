// What the rows say is true though nobody follows: a service that is changed from outside is shown as it is, in both views.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { clickOpen } from './clicks.ts';
import { connect, disconnect, execute, run } from './commands.ts';
import { type Gate, openGate } from './gate.ts';
import { foldAll } from './keyboard.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { page, requirePage, type Row, viewSelector } from './page.ts';
import { until } from './until.ts';

const views = { workflows: 'workflowAutomation.workflows', all: 'workflowAutomation.executions' } as const;
const Created = v.object({ id: v.string() });
const Triggered = v.object({ executionIds: v.array(v.string()) });

const definitionOf = (port: number) => ({
  name: 'Gate',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    {
      id: 'gate',
      name: 'Gate',
      type: 'httpRequest',
      config: { method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 120_000 },
    },
    { id: 'end', name: 'End', type: 'output', config: { expression: 'input' } },
  ],
  edges: [
    { source: 'start', target: 'gate' },
    { source: 'gate', target: 'end' },
  ],
});

describe('rows in sight', () => {
  let gate: Gate;
  let service: OwnService;
  let outside: OwnService;
  let connectionId: string;
  let workflowId: string;

  const rowOf = async (view: string, executionId: string): Promise<Row | undefined> =>
    (await page.rows(view)).find(({ accessibleName }) => accessibleName.includes(executionId.slice(-6)));
  /** Waits until both views say so. Nothing is kept fresh in a window without the focus, so that is told when it fails. */
  const untilBoth = async (executionId: string, isWanted: (row: Row) => boolean): Promise<void> => {
    for (const view of Object.values(views))
      await until(
        async () => ({ row: await rowOf(view, executionId), isFocused: vscode.window.state.focused }),
        ({ row }) => row !== undefined && isWanted(row),
      );
  };
  const says = (text: string) => (row: Row) => row.accessibleName.includes(text);
  const executeOutside = async (): Promise<string> => {
    const { executionIds } = await postTo(outside, Triggered, `/workflows/${workflowId}/execute`, {
      input: {},
    });
    assert.ok(executionIds[0] !== undefined);
    return executionIds[0];
  };

  before(async function () {
    requirePage(this);
    gate = await openGate();
    service = await startOwnService();
    outside = { ...service, key: service.createKey() };
    const created = await postTo(outside, Created, '/workflows', definitionOf(gate.port));
    workflowId = created.id;
    await postTo(outside, v.unknown(), `/workflows/${workflowId}/deploy`, {});
    connectionId = await connect('From outside', service);
    await vscode.commands.executeCommand(`${views.all}.focus`);
    await vscode.commands.executeCommand(`${views.workflows}.focus`);
    await until(
      () => page.rows(views.workflows),
      (all) => all.some(({ label }) => label === 'Gate'),
    );
    const row = `${viewSelector(views.workflows)} .monaco-list-row`;
    await clickOpen(`${row}:has-text("Gate")`, `${row}[aria-expanded="true"]`);
    await until(
      () => page.rows(views.workflows),
      ([row]) => row?.isExpanded === true,
    );
  });
  after(async () => {
    await gate.close();
    await disconnect(connectionId);
    await service.stop();
  });

  it('tell of an execution that was started elsewhere, count its seconds, and tell its end', async () => {
    const executionId = await executeOutside();
    await untilBoth(executionId, says('running'));
    await untilBoth(executionId, ({ description }) => /^running · (?![0-2] s).+/.test(description));
    await page.screenshot('fresh-running');
    await gate.letThrough(200);
    await untilBoth(executionId, says('completed'));
    await until(
      () => page.rows(views.workflows),
      ([row]) => row?.description === 'completed just now',
    );
    await page.screenshot('fresh-completed');
  });

  it('tell the end of an execution that is stopped following; the execution continues', async () => {
    const { executionId } = await execute(workflowId, {});
    assert.ok(executionId !== undefined);
    await untilBoth(executionId, says('running'));
    await run(v.unknown(), 'execution.stopFollowing', { executionId });
    await page.screenshot('fresh-stopped');
    await gate.letThrough(500);
    await untilBoth(executionId, says('failed'));
  });

  it('tell a failure also where the workflow is folded, with the deployment in words', async () => {
    await foldAll(views.workflows);
    const isFailed = ({ description, icon }: Row): boolean =>
      /^deployed · failed (just now|\d+ min ago)$/.test(description) && icon.includes('error');
    await until(
      () => page.rows(views.workflows),
      (all) => all.length === 1 && all.every(isFailed),
    );
    await page.screenshot('fresh-folded');
  });

  it('tell by the events, while their view is open as well', async () => {
    await vscode.commands.executeCommand('workflowAutomation.portalEvents.focus');
    const executionId = await executeOutside();
    await until(
      () => rowOf(views.all, executionId),
      (row) => row !== undefined && says('running')(row),
    );
    await gate.letThrough(200);
    await until(
      () => rowOf(views.all, executionId),
      (row) => row !== undefined && says('completed')(row),
    );
    await page.screenshot('fresh-events');
  });
});
