// Definitions come in and go out whole; one that is bad costs only itself, and no file is lost.
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, parseJson } from '../../src/base/json.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/time.ts';
import { ServiceError } from '../../src/domain/errors.ts';
import { exportSeveral } from '../../src/features/workflows/importExport/exporting.ts';
import { importSources } from '../../src/features/workflows/importExport/importing.ts';
import { droppedSources } from '../../src/features/workflows/importExport/importSources.ts';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, findWorkflow, listWorkflows, run } from './commands.ts';
import { closePrompt, take, write } from './keyboard.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';
import type { Workflow } from '../../src/domain/workflow.ts';
import { makeWorkflow } from '../support/memory/records.ts';
import { serviceTraits } from '../../src/domain/serviceTraits.ts';

const view = 'workflowAutomation.workflows';
const Imported = v.object({ workflowId: v.string() });
const Definition = v.custom<JsonObject>(isJsonObject);

function reading(raw: JsonObject): Workflow {
  const name = typeof raw['name'] === 'string' ? raw['name'] : '';
  return makeWorkflow(name, { name, hasDefinition: true, raw });
}

/** A service that keeps what is imported, and refuses what has no nodes. */
function createImports() {
  const received: JsonObject[] = [];
  const actions = {
    import: (_connectionId: string, definition: JsonObject) => {
      if (definition['nodes'] === undefined) {
        const details = [{ path: 'nodes', message: 'is missing' }];
        return Promise.reject(new ServiceError({ kind: 'invalid', details }, 'import_invalid'));
      }
      received.push(definition);
      return Promise.resolve(reading(definition));
    },
  };
  return { received, parts: { actions, clock: systemClock, logger: silentLogger } };
}

const definition = (name: string): JsonObject => ({
  name,
  nodes: [],
  edges: [],
  'x-own': { kept: [1, null] },
});

describe('files', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'transfer-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return vscode.Uri.file(join(folder, name));
  };
  const dropped = (uris: readonly vscode.Uri[]) => {
    const data = new vscode.DataTransfer();
    data.set('text/uri-list', new vscode.DataTransferItem(uris.map(String).join('\r\n')));
    return data;
  };

  it('that are dropped come in; each bad one is named, no large one is read', async () => {
    const large = write('large.json', '');
    truncateSync(large.fsPath, 5 * 1024 * 1024 + 1);
    const uris = [
      write('one.json', JSON.stringify(definition('One'))),
      write('broken.json', '{"name"'),
      large,
      write('package.json', JSON.stringify({ name: 'no workflow' })),
      vscode.Uri.file(folder),
      vscode.Uri.file(join(folder, 'gone.json')),
      write('two.json', JSON.stringify(definition('Two'))),
    ];
    const { received, parts } = createImports();
    const imported = await importSources(parts, 'connection', await droppedSources(dropped(uris)));
    assert.deepEqual(received, [definition('One'), definition('Two')]);
    assert.deepEqual(
      imported.map(({ name }) => name),
      ['One', 'Two'],
    );
  });

  it('that are exported are never replaced unasked', async function () {
    requirePage(this);
    const own = 'my own text';
    write('One.workflow.json', own);
    const find = ({ workflowId }: { workflowId: string }) => reading(definition(workflowId));
    const workflows = { find, read: (target: { workflowId: string }) => Promise.resolve(find(target)) };
    const services = { traits: () => serviceTraits.remote };
    const targets = ['One', 'Two'].map((workflowId) => ({ connectionId: 'c', workflowId }));
    const work = exportSeveral(
      { workflows, services, clock: systemClock, logger: silentLogger },
      targets,
      vscode.Uri.file(folder),
    );
    await take('Keep Both');
    assert.deepEqual(await work, ['One 2.workflow.json', 'Two.workflow.json']);
    assert.equal(readFileSync(join(folder, 'One.workflow.json'), 'utf8'), own);
    assert.deepEqual(parseJson(readFileSync(join(folder, 'One 2.workflow.json'), 'utf8')), definition('One'));
    assert.equal(readdirSync(folder).length, 3);
  });
});

describe('import, export and create', () => {
  const delete_ = (workflowId: string) =>
    vscode.commands.executeCommand('workflowAutomation.workflow.delete', { workflowId });
  const rowLabels = async () => (await page.rows(view)).map(({ label }) => label);
  const choice = (text: string) => `.quick-input-widget .monaco-list-row:has-text("${text}")`;

  let service: OwnService;
  let connectionId: string;
  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '6000');
    connectionId = await connect('Transfer', service);
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  it('take in from code what went out to code', async () => {
    const { id } = await findWorkflow('Signup check');
    const exported = await run(Definition, 'workflow.export', { workflowId: id });
    assert.equal(exported['id'], undefined);
    for (const name of ['workflow.import', 'workflow.create'] as const) {
      const { workflowId } = await run(Imported, name, { definition: exported });
      assert.notEqual(workflowId, id);
      assert.deepEqual(await run(Definition, 'workflow.export', { workflowId }), exported);
      await delete_(workflowId);
    }
  });

  it('refuse from code what is no definition', async () => {
    await assert.rejects(async () =>
      vscode.commands.executeCommand('workflowAutomation.workflow.import', { definition: [] }),
    );
  });

  it('take in a definition from the clipboard', async function () {
    requirePage(this);
    await vscode.commands.executeCommand(`${view}.focus`);
    await vscode.env.clipboard.writeText(JSON.stringify({ name: 'Off the clipboard', nodes: [], edges: [] }));
    const done = vscode.commands.executeCommand('workflowAutomation.workflow.import');
    await page.waitFor(choice('From Files'));
    await page.screenshot('import');
    await take('From the Clipboard');
    await done;
    await until(rowLabels, (labels) => labels.includes('Off the clipboard'));
    await delete_((await findWorkflow('Off the clipboard')).id);
    // What the next test drops must not land on this row: VS Code forgets what a row gets that is gone.
    await until(rowLabels, (labels) => !labels.includes('Off the clipboard'));
  });

  it('say by name what the service left out', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('notifications.clearAll');
    const more = { nodes: [{ id: 'a', type: 'trigger', color: 'red' }], edges: [], tags: ['billing'] };
    await vscode.env.clipboard.writeText(JSON.stringify({ name: 'Tagged', ...more }));
    const done = vscode.commands.executeCommand('workflowAutomation.workflow.import');
    await take('From the Clipboard');
    await done;
    await until(
      () => page.notifications(),
      (all) => all.some((text) => text.includes('"Tagged" was imported. The service didn\'t keep: tags.')),
    );
    await vscode.commands.executeCommand('notifications.clearAll');
    await delete_((await findWorkflow('Tagged')).id);
    await until(rowLabels, (labels) => !labels.includes('Tagged'));
  });

  it('take in a file that is dropped onto the view', async function () {
    requirePage(this);
    await vscode.commands.executeCommand(`${view}.focus`);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder, 'dropped.json');
    await vscode.workspace.fs.writeFile(
      file,
      new TextEncoder().encode(JSON.stringify(definition('Dropped'))),
    );
    await vscode.window.showTextDocument(file, { preview: false });
    await page.waitFor('.tab.active:has-text("dropped.json")');
    await until(rowLabels, (labels) => labels.includes('Order totals'));
    await page.drag('.tab:has-text("dropped.json")', `${viewSelector(view)} .monaco-list-row`);
    await until(rowLabels, (labels) => labels.includes('Dropped'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(file);
    await delete_((await findWorkflow('Dropped')).id);
  });

  it('write several selected rows into a folder that is chosen', async function () {
    requirePage(this);
    // The system's own dialog cannot be reached from the page.
    const dialogs = vscode.workspace.getConfiguration('files.simpleDialog');
    await dialogs.update('enable', true, vscode.ConfigurationTarget.Global);
    const folder = mkdtempSync(join(tmpdir(), 'transfer-'));
    mkdirSync(join(folder, 'Earlier'));
    const elements = (await listWorkflows()).map(({ id }) => ({
      invokedBy: 'person',
      connectionId,
      workflowId: id,
    }));
    const done = vscode.commands.executeCommand('workflowAutomation.workflow.export', elements[0], elements);
    await page.waitFor('.quick-input-widget .monaco-list-row');
    await page.screenshot('export-folder');
    // While it still reads a folder the button only goes there, and the dialog writes over what was typed before it had read its own.
    await until(
      async () => {
        if ((await page.written()) !== `${folder}/`) {
          await page.press('Control+A');
          await page.enter(`${folder}/`);
        }
        return page.quickPick();
      },
      (labels) => labels.includes('Earlier'),
    );
    const exportHere = '.quick-input-widget .monaco-button:has-text("Export Here")';
    await clickUntil(exportHere, async () => !(await page.isThere(exportHere)));
    await done;
    await until(
      () => page.notifications(),
      (all) => all.some((text) => text.includes('3 workflows were exported to')),
    );
    assert.deepEqual(readdirSync(folder).sort(), [
      'Earlier',
      'Order totals.workflow.json',
      'Signup check.workflow.json',
      'Support triage.workflow.json',
    ]);
    rmSync(folder, { recursive: true });
    await dialogs.update('enable', undefined, vscode.ConfigurationTarget.Global);
  });

  it('say what is wrong with the clipboard, by name', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.env.clipboard.writeText('not a workflow');
    const done = vscode.commands.executeCommand('workflowAutomation.workflow.import');
    await take('From the Clipboard');
    await done;
    await until(
      () => page.notifications(),
      (all) => all.some((text) => text.includes('"Clipboard": It isn\'t valid JSON.')),
    );
    await page.screenshot('import-failed');
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('create a workflow from a template', async function () {
    requirePage(this);
    const done = vscode.commands.executeCommand('workflowAutomation.workflow.create');
    await page.waitFor(choice('Order totals'));
    await page.screenshot('create');
    await take('Order totals');
    await write('Name of the new workflow', 'My totals');
    await done;
    const { id } = await findWorkflow('My totals');
    const made = await run(Definition, 'workflow.export', { workflowId: id });
    const sample = await findWorkflow('Order totals');
    const original = await run(Definition, 'workflow.export', { workflowId: sample.id });
    assert.deepEqual(made, { ...original, name: 'My totals' });
    await delete_(id);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('leave everything as it was on Escape', async function () {
    requirePage(this);
    const before = (await listWorkflows()).length;
    for (const name of ['create', 'import']) {
      const done = vscode.commands.executeCommand(`workflowAutomation.workflow.${name}`);
      await page.waitFor(choice('From the Clipboard'));
      await page.waitFor('.quick-input-widget input:focus');
      await closePrompt();
      await done;
    }
    assert.equal((await listWorkflows()).length, before);
  });
});
