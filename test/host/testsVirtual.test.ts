// Reading a file of a repository elsewhere is a request: each test file is read once, and again only when it has changed.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { workspaceFile, writeText } from './presetFiles.ts';
import { actUntil, until } from './until.ts';
import { page, requirePage } from './page.ts';

const takeReads = async (): Promise<readonly string[]> => {
  const paths = v.parse(v.array(v.string()), await vscode.commands.executeCommand('tests.takeReads'));
  return paths.filter((path) => path.endsWith('.workflow-test.json')).toSorted();
};
const textOf = (title: string): string =>
  JSON.stringify({
    workflow: 'Orders',
    tests: Array.from({ length: 20 }, (_, at) => ({
      name: `${title} ${at}`,
      input: { id: at },
      expected: { status: 'completed', output: { id: at } },
    })),
  });
const rowOf = (label: string): string => `.test-explorer .monaco-list-row:has-text("${label}")`;

describe('tests in a virtual workspace', () => {
  const files = Array.from({ length: 50 }, (_, at) =>
    workspaceFile(`many/file ${String(at).padStart(2, '0')}.workflow-test.json`),
  );
  const first = files[0];
  assert.ok(first);
  const paths = files.map(({ path }) => path);

  before(async function () {
    requirePage(this);
    for (const file of files) await writeText(file, textOf('test'));
  });
  after(async () => {
    for (const file of files) await vscode.workspace.fs.delete(file);
  });

  it('are listed with one reading of each file', async () => {
    await takeReads();
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await page.waitFor(rowOf('file 00'));
    const reads: string[] = [];
    await until(
      async () => reads.push(...(await takeReads())),
      (count) => count >= paths.length,
    );
    assert.deepEqual(reads.toSorted(), paths);
  });

  it('are listed anew from the one file that was saved', async () => {
    await actUntil(
      async () => {
        await page.click(rowOf('file 00'));
        await page.press('ArrowRight');
      },
      () => page.isThere(rowOf('test 0')),
    );
    await takeReads();
    await writeText(first, textOf('changed'));
    await page.waitFor(rowOf('changed 0'));
    assert.deepEqual(await takeReads(), [first.path]);
  });

  it('are listed without reading them when the view is opened again', async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await page.waitFor(rowOf('file 00'));
    assert.deepEqual(await takeReads(), []);
  });
});
