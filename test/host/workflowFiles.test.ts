// Workflows as files: linked from nothing, edited, pushed with a plan, a conflict merged, and promoted, as a person does it.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { lockFile } from '../../src/base/sqlite.ts';
import type { CommandName } from '../../src/editor/commands/names.ts';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, run } from './commands.ts';
import { choose, runInPalette, runOnSelected, untilAsked, write } from './keyboard.ts';
import { answerNotification, untilNotified } from './notifications.ts';
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

const States = v.array(v.object({ file: v.string(), state: v.string() }));
const Planned = v.array(v.object({ file: v.string(), action: v.string(), done: v.optional(v.boolean()) }));
const Created = v.object({ id: v.string() });
const Listed = v.object({
  data: v.array(v.object({ id: v.string(), name: v.string(), description: v.string() })),
});
const folder = () => workspaceFile('workflows');
const file = (name: string) => vscode.Uri.joinPath(folder(), `${name}.workflow.json`);
async function listed({ baseUrl, key }: OwnService) {
  const response = await fetch(`${baseUrl}/workflows`, { headers: { authorization: `Bearer ${key}` } });
  return v.parse(Listed, await response.json()).data;
}

const row = '.scm-view .monaco-list-row';

/** Waits until source control shows the file below this heading, and nowhere else. */
async function untilRow(name: string, heading: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.view.scm');
  await until(
    () => page.texts(row),
    (rows) => {
      const at = rows.findIndex((text) => text.includes(name));
      return (
        at > 0 &&
        rows
          .slice(0, at)
          .findLast((text) => !text.includes('.workflow.json'))
          ?.includes(heading) === true
      );
    },
  );
}

const untilNoRow = (name: string) =>
  until(
    () => page.texts(row),
    (rows) => !rows.some((text) => text.includes(name)),
  );

/** Chooses in the menu of a file's row. */
async function runInRow(name: string, entry: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.view.scm');
  const cursor = `.scm-view .monaco-list:focus .monaco-list-row.focused:has-text("${name}")`;
  await clickUntil(`${row}:has-text("${name}")`, () => page.isThere(cursor));
  await runOnSelected(entry);
}

/** Takes what the open Quick Pick has checked. */
async function accept(): Promise<void> {
  await page.waitFor('.quick-input-widget input:focus');
  await page.press('Enter');
}

async function edit(name: string, from: string, to: string): Promise<void> {
  const text = await readText(file(name));
  assert.ok(text.includes(from), text);
  await writeText(file(name), text.replace(from, to));
}

describe('workflows as files', () => {
  let service: OwnService;
  let production: OwnService;
  let connectionId: string;
  let productionId: string | undefined;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    production = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Staging', service);
    for (const name of ['Greeting', 'Orders', 'Reminders'])
      await postTo(service, Created, '/workflows', definition(name));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const id of [connectionId, productionId]) if (id !== undefined) await disconnect(id);
    await Promise.all([service.stop(), production.stop()]);
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  const headers = () => ({ authorization: `Bearer ${service.key}`, 'content-type': 'application/json' });

  /** What the service has of the workflow of this name. */
  async function stored(name: string) {
    const found = (await listed(service)).find((each) => each.name === name);
    assert.ok(found, name);
    return found;
  }

  /** Changes it as somebody else would. */
  async function change(name: string, changes: object): Promise<void> {
    const { id } = await stored(name);
    const body = JSON.stringify(changes);
    const response = await fetch(`${service.baseUrl}/workflows/${id}`, {
      method: 'PATCH',
      headers: headers(),
      body,
    });
    assert.ok(response.ok);
  }

  it('are linked from nothing in three answers', async () => {
    await untilAsked('Select the folder for the files', () => runInPalette('Workflows: Link a Folder…'));
    await choose('Select the folder for the files', 'workflows');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("Greeting")');
    await page.screenshot('files-link');
    await accept();
    await untilNotified('3 workflows of Staging are linked');
    assert.match(await readText(folder().with({ path: `${folder().path}/workflows.json` })), /"staging"/);
    await page.screenshot('files-linked');
  });

  it('stand in source control once they differ, with marks beside the changed lines', async () => {
    await edit('Greeting', 'Says hello', 'Says hi');
    await vscode.window.showTextDocument(file('Greeting'));
    await untilRow('Greeting', 'Changed Here');
    await page.waitFor('.dirty-diff-modified');
    await page.screenshot('files-changed');
  });

  it('have a letter in the Explorer, with its words', async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await until(
      () => page.texts('.explorer-folders-view .monaco-list-row'),
      (rows) => rows.some((text) => text.includes('Greeting.workflow.json')),
    );
    await page.waitFor(
      '.explorer-folders-view [aria-label*="Changed here: not pushed to staging yet"]:has-text("Greeting")',
    );
    await page.screenshot('files-explorer');
  });

  it('are pushed once their plan was seen', async () => {
    await runInPalette('Workflows: Push Workflow Files…');
    await page.waitFor('.quick-input-title:has-text("Push to staging")');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("description")');
    await page.screenshot('files-push-plan');
    await accept();
    await untilNotified('"Greeting.workflow.json" was pushed to staging.');
    assert.equal((await stored('Greeting')).description, 'Says hi');
    await untilNoRow('Greeting');
  });

  it('that both sides changed are merged', async () => {
    await edit('Greeting', 'Says hi', 'Says hi here');
    await change('Greeting', { settings: { there: true } });
    await runInPalette('Workflows: Refresh Workflow Files');
    await untilRow('Greeting', 'Both Changed');
    await page.screenshot('files-conflict');
    await runInRow('Greeting', 'Resolve Workflow File…');
    await page.waitFor('.monaco-diff-editor');
    const conflict = 'was also changed on staging';
    await untilNotified(conflict);
    await page.screenshot('files-resolve');
    await answerNotification(conflict, 'Merge');
    await untilRow('Greeting', 'Changed Here');
    const merged = { ...definition('Greeting'), description: 'Says hi here', settings: { there: true } };
    await until(
      async () => parseJson(await readText(file('Greeting'))),
      (now) => isDeepStrictEqual(now, merged),
    );
    await page.screenshot('files-merged');
  });

  it('are pulled without a question, in the format that they have', async () => {
    await change('Orders', { description: 'Says more' });
    await runInPalette('Workflows: Pull Workflow Files');
    await untilNotified('"Orders.workflow.json" was pulled from staging.');
    const text = JSON.stringify({ ...definition('Orders'), description: 'Says more' }, null, 2);
    assert.equal(await readText(file('Orders')), `${text}\n`);
    await untilNoRow('Orders');
  });

  it('keep their link where the editor renames them, and where somebody else does', async () => {
    const moved = vscode.Uri.joinPath(folder(), 'shop', 'Orders.workflow.json');
    const rename = new vscode.WorkspaceEdit();
    rename.renameFile(file('Orders'), moved);
    assert.ok(await vscode.workspace.applyEdit(rename));
    const links = () => readText(vscode.Uri.joinPath(folder(), 'workflows.json'));
    await until(links, (text) => text.includes('"shop/Orders.workflow.json"'));
    await untilNoRow('Orders');
    // As git does it.
    await vscode.workspace.fs.rename(moved, file('Orders'));
    await untilRow('Orders', 'Changed Here');
    await page.screenshot('files-renamed');
    await runInPalette('Workflows: Pull Workflow Files');
    await untilNotified('workflows.json has the new names of the files.');
    assert.match(await links(), /^ +"Orders\.workflow\.json"/m);
    await untilNoRow('Orders');
  });

  it('answer code with plain JSON, and ask nothing', async () => {
    const folderUri = folder().toString();
    const linkedFile = file('Greeting').toString();
    assert.deepEqual(
      (await run(States, 'files.status', { folder: folderUri })).map(({ file: path, state }) => [
        path,
        state,
      ]),
      [
        ['Greeting.workflow.json', 'changed here'],
        ['Orders.workflow.json', 'same'],
        ['Reminders.workflow.json', 'same'],
      ],
    );
    const planned = await run(Planned, 'files.push', { dryRun: true, files: ['Greeting.workflow.json'] });
    assert.deepEqual(
      planned.filter(({ action }) => action !== 'nothing').map(({ file: path, done }) => [path, done]),
      [['Greeting.workflow.json', undefined]],
    );
    const refused = (name: CommandName, argument: object, words: RegExp) =>
      assert.rejects(run(v.unknown(), name, argument), words);
    await refused('files.status', { folder: 'file:///elsewhere' }, /There's no workflows\.json in/);
    await refused('files.resolve', { linkedFile, how: 'merge' }, /isn't in conflict/);
    await refused('files.promote', { from: 'staging', to: 'nowhere' }, /has no environment "nowhere"/);
    await refused('files.promote', {}, /expects \{.*from, to/);
    // As a push of a process holds it.
    const lock = lockFile(vscode.Uri.joinPath(folder(), '.workflows', 'lock').fsPath);
    await refused('files.push', {}, /Another push or pull is changing this folder/);
    lock?.dispose();
  });

  it('that were deleted there wait for a decision', async () => {
    const { id } = await stored('Reminders');
    await fetch(`${service.baseUrl}/workflows/${id}`, { method: 'DELETE', headers: headers() });
    await runInPalette('Workflows: Refresh Workflow Files');
    await untilRow('Reminders', 'Deleted There');
    await runInRow('Reminders', 'Resolve Workflow File…');
    await choose('The workflow of "Reminders.workflow.json" was deleted on staging', 'Create Again');
    await untilNoRow('Reminders');
    assert.notEqual((await stored('Reminders')).id, id);
  });

  it('are promoted to a guarded environment by its name', async () => {
    const json = vscode.Uri.joinPath(folder(), 'workflows.json');
    const environment = { url: production.baseUrl, guarded: true };
    const text = await readText(json);
    await writeText(
      json,
      text.replace('"environments": {', `"environments": { "production": ${JSON.stringify(environment)},`),
    );
    await untilAsked('Select what is promoted to where', () =>
      runInPalette('Workflows: Promote Workflow Files…'),
    );
    await choose('Select what is promoted to where', 'staging → production');
    await untilNotified(`You have no connection to ${production.baseUrl}, the environment "production".`);
    await page.screenshot('files-no-connection');
    productionId = await connect('Production', production);
    await untilAsked('Select what is promoted to where', () =>
      runInPalette('Workflows: Promote Workflow Files…'),
    );
    await choose('Select what is promoted to where', 'staging → production');
    await page.waitFor('.quick-input-title:has-text("Promote from staging to production")');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("Orders")');
    await page.screenshot('files-promote-plan');
    await accept();
    await write('"production" is guarded. Type its name to go on.', 'production');
    await untilNotified('3 workflows were promoted to production.');
    assert.deepEqual((await listed(production)).map(({ name }) => name).sort(), [
      'Greeting',
      'Orders',
      'Reminders',
    ]);
    await page.screenshot('files-promoted');
  });
});
