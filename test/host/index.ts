// What VS Code calls to run the tests inside its extension host.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { commandId } from '../../src/editor/commands/names.ts';
import { recordResults } from '../rig/suite/results.ts';
import { testMark } from '../rig/testOutput.ts';
import { hasPage, page } from './page.ts';
import { userData } from './userData.ts';

const { consoleLog } = Mocha.reporters.Base;

/** Prints for the runner, which shows only marked lines. */
function print(...values: unknown[]): void {
  const [first, ...others] = values;
  const text = typeof first === 'string' ? format(first, ...others) : format(...values);
  consoleLog(text.replaceAll(/^/gm, testMark));
}

/** Where the picture of what stands on the screen is, or why there's none: what the test failed of is more important. */
async function photograph(name: string): Promise<string> {
  try {
    return `The screen at that moment: ${await page.photograph(name)}`;
  } catch (error) {
    return `There's no picture of the screen: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A test that fails leaves a picture of what stood on the screen, before its hooks clean up. */
function photographFailure(this: Mocha.Context): void {
  const test = this.currentTest;
  const run = test?.fn;
  if (!test || !run || !hasPage) return;
  test.fn = async function () {
    try {
      const running: unknown = Reflect.apply(run, this, []);
      await running;
    } catch (error) {
      print(await photograph(`failed ${test.fullTitle()}`));
      throw error;
    }
  };
}

/** How often tests were started in this VS Code before: each reload of its window starts them again. */
function countStart(): number {
  const file = join(userData(), 'test-starts');
  const earlier = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  writeFileSync(file, String(earlier + 1));
  return earlier;
}

const numberOf = (file: string): string | undefined => /\.(\d+)\.test\.cjs$/.exec(file)?.[1];

/** The files of each start: "name.2.test" goes on where "name.1.test" ended, after the window was reloaded. */
const startOf = (file: string): number => Number(numberOf(file) ?? 1) - 1;

const StoredConnection = v.object({ connection: v.object({ id: v.string(), kind: v.string() }) });

/** Removes all connections, the local one first: the local service isn't started anew for the sake of those that are left. */
async function removeConnections(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  // Beside the connections lies the mark of their version.
  const stored = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => v.safeParse(StoredConnection, parseJson(readFileSync(join(folder, name), 'utf8'))))
    .flatMap((decoded) => (decoded.success ? [decoded.output.connection] : []))
    .sort((one, other) => Number(other.kind === 'local') - Number(one.kind === 'local'));
  for (const { id } of stored)
    await vscode.commands.executeCommand(commandId('connection.remove'), { connectionId: id });
}

/** Forgets what the file before left: connections with their keys, and the local service with its data. */
async function forget(): Promise<void> {
  const storage = join(userData(), 'User', 'globalStorage', 'workflow-automation.workflow-automation');
  await removeConnections(join(storage, 'connections'));
  await vscode.commands.executeCommand(commandId('localService.stop'), {});
  rmSync(join(storage, 'local-service'), { recursive: true, force: true, maxRetries: 5 });
}

/** What the files that share a VS Code find: nothing open or said, none of our views in sight, and nothing of the file before. */
async function tidy(): Promise<void> {
  for (const command of [
    'workbench.action.closeQuickOpen',
    'workbench.action.closeAllEditors',
    'workbench.action.closePanel',
    'workbench.view.explorer',
  ])
    await vscode.commands.executeCommand(command);
  await forget();
  for (const command of ['notifications.clearAll', 'notifications.hideList'])
    await vscode.commands.executeCommand(command);
}

/** The number of failures. */
async function runFile(file: string): Promise<number> {
  const grep = process.env['WORKFLOW_TEST_GREP'];
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    color: true,
    // Only what hangs takes this long, however slow the machine is.
    timeout: 180_000,
    rootHooks: { beforeEach: photographFailure },
    ...(grep === undefined ? {} : { grep }),
  });
  mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => recordResults(mocha.run(resolve)));
  // A run that isn't disposed of passes unhandled rejections on to all others: with ten runs, that never ends.
  mocha.dispose();
  return failures;
}

async function runFiles(files: readonly string[]): Promise<void> {
  Mocha.reporters.Base.consoleLog = print;
  let failures = 0;
  for (const [index, file] of files.entries()) {
    const before = files[index - 1];
    // What stands before a reload is there after it.
    if (before !== undefined && numberOf(before) === undefined) await tidy();
    failures += await runFile(file);
  }
  if (failures > 0) throw new Error(`${failures} failed.`);
}

/** Tells the runner that all tests ran: when the extension host dies earlier, VS Code exits as if all had passed. */
function markEnd(): void {
  const file = process.env['WORKFLOW_TEST_ENDED'];
  if (file !== undefined) writeFileSync(file, '');
}

/** Rejects when a test failed. Does not end where the window is reloaded: the next start does. */
export async function run(): Promise<void> {
  const files = (process.env['WORKFLOW_TEST_FILES'] ?? '').split(',').map((file) => join(__dirname, file));
  const start = countStart();
  await runFiles(files.filter((file) => startOf(file) === start));
  if (!files.some((file) => startOf(file) > start)) {
    markEnd();
    return;
  }
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
  await new Promise(() => undefined);
}
