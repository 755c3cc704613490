// Workflows as files: linked from nothing, edited, pushed with a plan, a conflict merged, and promoted, as a person does it.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, run } from './commands.ts';
import { choose, runInPalette } from './keyboard.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { readText, workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

const definition = (name: string, expression = '"hello"') => ({
  name,
  description: 'Says hello',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'greet', name: 'Greet', type: 'output', config: { expression } },
  ],
  edges: [{ source: 'start', target: 'greet' }],
  settings: {},
});

const Created = v.object({ id: v.string() });
const folder = () => workspaceFile('workflows');
const file = (name: string) => vscode.Uri.joinPath(folder(), `${name}.workflow.json`);
const rowsOf = () => page.texts('.scm-view .monaco-list-row');

describe('workflows as files', () => {
  let service: OwnService;
  let connectionId: string;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Staging', service);
    for (const name of ['Greeting', 'Orders', 'Reminders'])
      await postTo(service, Created, '/workflows', definition(name));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  it('are linked from nothing in three answers', async () => {
    await runInPalette('Workflows: Link a Folder…');
    await choose('Select the folder for the files', 'workflows');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("Greeting")');
    await page.photograph('files-link');
    await page.press('Enter');
    await until(
      async () => (await page.notifications()).join(),
      (said) => said.includes('3 workflows of Staging are linked'),
    );
    assert.match(await readText(folder().with({ path: `${folder().path}/workflows.json` })), /"staging"/);
    await page.photograph('files-linked');
  });

  it('stand in source control once they differ', async () => {
    const document = await vscode.workspace.openTextDocument(file('Greeting'));
    await writeText(file('Greeting'), document.getText().replace('Says hello', 'Says hi'));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.view.scm');
    await until(rowsOf, (rows) => rows.some((row) => row.includes('Greeting')));
    await page.photograph('files-changed');
  });
});
