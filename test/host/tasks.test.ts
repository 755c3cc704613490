// Tasks of type "workflow" from tasks.json and from presets, in a real VS Code: what they end with, what comes before what, and where a
// failure is listed.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { debugType } from '../../src/editor/ids.ts';
import { stopDebugging } from './callStack.ts';
import { connect, disconnect, listExecutions, run } from './commands.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

const start = { id: 'start', name: 'Start', type: 'trigger', config: {} };
const lineOf = (name: string, id: string, type: string, config: object) => ({
  name,
  nodes: [start, { id, name: 'Last', type, config }],
  edges: [{ source: 'start', target: id }],
});
const tasksFile = () => workspaceFile('.vscode/tasks.json');
const presetFile = () => workspaceFile('.workflows/Nightly.small.input.json');

describe('tasks of type "workflow"', () => {
  let service: OwnService;
  let connectionId: string;
  const ids = new Map<string, string>();

  before(async () => {
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Tasks', service);
    for (const definition of [
      lineOf('Nightly', 'end', 'output', { expression: 'input.n * 2' }),
      lineOf('Broken', 'stop', 'fail', { message: 'No stock left' }),
      lineOf('Resting', 'rest', 'delay', { milliseconds: 3_600_000 }),
    ]) {
      const created = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition });
      await run(v.unknown(), 'workflow.deploy', created);
      ids.set(definition.name, created.workflowId);
    }
    const task = { type: 'workflow', problemMatcher: '$workflow' };
    const tasks = [
      { ...task, label: 'nightly', workflow: 'Nightly', input: { n: 21 } },
      { ...task, label: 'broken', workflow: 'Broken', dependsOn: 'nightly' },
      { ...task, label: 'nobody', workflow: 'Nobody' },
      { ...task, label: 'resting', workflow: 'Resting' },
    ];
    await writeText(presetFile(), '{"n": 4}');
    await writeText(tasksFile(), JSON.stringify({ version: '2.0.0', tasks }, null, 2));
  });
  after(async () => {
    await vscode.workspace.fs.delete(tasksFile());
    await vscode.workspace.fs.delete(presetFile());
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await disconnect(connectionId);
    await service.stop();
  });

  const taskNamed = async (name: string): Promise<vscode.Task> => {
    const find = async () =>
      (await vscode.tasks.fetchTasks({ type: 'workflow' })).find((task) => task.name === name);
    const found = await until(find, (task) => task !== undefined);
    assert.ok(found);
    return found;
  };
  /** Runs a task to its end; returns its exit code. `meanwhile`: what is done while it runs. */
  const exitCodeOf = async (
    task: vscode.Task,
    meanwhile: () => Promise<void> = () => Promise.resolve(),
  ): Promise<number | undefined> => {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const listening = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name === task.name) resolve(exitCode);
    });
    try {
      await vscode.tasks.executeTask(task);
      await meanwhile();
      return await promise;
    } finally {
      listening.dispose();
    }
  };
  const countOf = async (name: string) => (await listExecutions({ workflowId: ids.get(name) ?? '' })).length;

  it('are found for each workflow with a preset, and end with 0 when it completed', async () => {
    const task = await taskNamed('Nightly.small');
    assert.deepEqual(
      { ...task.definition },
      { type: 'workflow', workflow: 'Nightly', preset: '.workflows/Nightly.small.input.json' },
    );
    assert.equal(await exitCodeOf(task), 0);
    await page.screenshot('task-completed');
    assert.equal(await countOf('Nightly'), 1);
  });

  it('end with 1 when it failed, after the task that they depend on, and list the failure at its node', async () => {
    assert.equal(await exitCodeOf(await taskNamed('broken')), 1);
    assert.deepEqual([await countOf('Nightly'), await countOf('Broken')], [2, 1]);
    const problem = () =>
      Promise.resolve(
        vscode.languages
          .getDiagnostics()
          .flatMap(([uri, all]) => all.map((diagnostic) => ({ uri, diagnostic })))
          .find(({ diagnostic }) => diagnostic.message.includes('No stock left')),
      );
    const found = await until(problem, (each) => each !== undefined);
    assert.ok(found);
    assert.ok(found.uri.path.endsWith('/Broken.workflow.json'));
    const document = await vscode.workspace.openTextDocument(found.uri);
    assert.match(document.lineAt(found.diagnostic.range.start).text, /"(id|name)": "(stop|Last)"/);
    await page.screenshot('task-failed');
  });

  it('end with 3 when nothing could be executed', async () => {
    assert.equal(await exitCodeOf(await taskNamed('nobody')), 3);
  });

  it('end with 2 when they are cancelled with Ctrl+C', async function () {
    requirePage(this);
    const interrupt = async (): Promise<void> => {
      await until(
        () => listExecutions({ workflowId: ids.get('Resting') ?? '' }),
        (all) => all.some(({ status }) => status === 'running' || status === 'waiting'),
      );
      await vscode.commands.executeCommand('workbench.action.terminal.focus');
      await page.waitFor('.terminal-wrapper .xterm-helper-textarea:focus');
      await page.press('Control+C');
    };
    assert.equal(await exitCodeOf(await taskNamed('resting'), interrupt), 2);
    await until(
      () => listExecutions({ workflowId: ids.get('Resting') ?? '' }),
      ([newest]) => newest?.status === 'cancelled',
    );
    await page.screenshot('task-cancelled');
  });

  it('run before a launch that names them', async () => {
    const before = await countOf('Nightly');
    const isStarted = await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], {
      type: debugType,
      request: 'launch',
      name: 'Debug',
      workflow: 'Nightly',
      preLaunchTask: 'nightly',
    });
    assert.equal(isStarted, true);
    assert.equal(await countOf('Nightly'), before + 1);
    await stopDebugging();
  });
});
