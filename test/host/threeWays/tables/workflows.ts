// The commands that make, read, change and remove workflows, in all three ways.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, parseJson } from '../../../../src/base/json.ts';
import { page } from '../../page.ts';
import { until } from '../../until.ts';
import { accept, choose, scrollToTop, untilNoRow, untilRow, write } from '../../keyboard.ts';
import type { WaysTable } from '../threeWays.ts';
import { echo, views, type World } from '../world.ts';

const Identified = v.object({ workflowId: v.string() });
const Definition = v.custom<JsonObject>(isJsonObject);
const Listed = v.array(v.strictObject({ id: v.string(), name: v.string(), isDeployed: v.boolean() }));
const view = views.workflows;
const question = 'Select a workflow';

async function isOpen(name: string): Promise<void> {
  await page.waitFor(`.tab.active:has-text("${name}.workflow.json")`);
}

/** Takes the path that the editor's own dialog suggests, and sees the file there. */
async function answerDialog(name: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('There is no folder.');
  const path = join(folder, `${name}.workflow.json`);
  await accept('Export Workflow');
  await until(
    () => existsSync(path) && parseJson(readFileSync(path, 'utf8')),
    (definition) => isJsonObject(definition) && definition['name'] === name,
  );
  await until(
    () => page.notifications(),
    (all) => all.some((text) => text.includes(`"${name}" was exported to`)),
  );
  const message = `.notification-list-item:has-text(${JSON.stringify(`"${name}" was exported to`)})`;
  await page.click(`${message} .monaco-button:has-text("Open")`);
  await isOpen(name);
  rmSync(path);
}

export function workflowWays(world: World): WaysTable {
  const imported = (name: string) => async () => {
    const workflowId = await world.importWorkflow(echo(name));
    await scrollToTop(view);
    await untilRow(view, name);
    return workflowId;
  };
  const answerName = async (prompt: string, name: string) => {
    await write(prompt, name);
    await untilRow(view, name);
    assert.ok(await world.workflow(name));
  };
  const answerCreate = async (name: string) => {
    await choose('Select a starting point', 'Blank');
    await answerName('Name of the new workflow', name);
    await isOpen(name);
  };
  const answerImport = async (name: string) => {
    await choose('Import workflows from…', 'From the Clipboard');
    await untilRow(view, name);
  };
  const answerDelete = async (name: string) => {
    await choose(`Delete workflow "${name}"?`, 'Delete');
    await untilNoRow(view, name);
    assert.equal(await world.workflow(name), undefined);
  };
  const onClipboard = (name: string) => () => vscode.env.clipboard.writeText(JSON.stringify(echo(name)));

  return {
    'workflow.list': {
      code: {
        run: async (call) => {
          const expected = await world.workflows();
          assert.deepEqual(
            await call(Listed, {}),
            expected.map(({ id, name, isDeployed }) => ({ id, name, isDeployed })),
          );
        },
      },
      palette: {
        asks: question,
        run: async () => {
          await choose(question, 'Order totals');
          await isOpen('Order totals');
        },
      },
    },
    'workflow.create': {
      code: {
        run: async (call) => {
          const { workflowId } = await call(Identified, { definition: echo('Created by code') });
          assert.equal((await world.workflow('Created by code'))?.id, workflowId);
        },
      },
      palette: { asks: 'Select a starting point', run: () => answerCreate('Created by palette') },
    },
    'workflow.import': {
      code: {
        run: async (call) => {
          const { workflowId } = await call(Identified, { definition: echo('Imported by code') });
          assert.equal((await world.workflow('Imported by code'))?.id, workflowId);
        },
      },
      palette: {
        given: onClipboard('Imported by palette'),
        asks: 'Import workflows from…',
        run: () => answerImport('Imported by palette'),
      },
    },
    'workflow.open': {
      code: {
        run: async (call) => {
          const workflowId = await imported('Opened by code')();
          const uri = await call(v.string(), { workflowId });
          assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri);
        },
      },
      palette: {
        asks: question,
        run: async () => {
          await choose(question, 'Opened by code');
          await isOpen('Opened by code');
        },
      },
    },
    'workflow.export': {
      code: {
        run: async (call) => {
          const definition = echo('Exported');
          const workflowId = await imported('Exported')();
          assert.deepEqual(await call(Definition, { workflowId }), definition);
        },
      },
      palette: {
        asks: question,
        run: async () => {
          await choose(question, 'Exported');
          await answerDialog('Exported');
        },
      },
    },
    'workflow.rename': {
      code: {
        run: async (call) => {
          const workflowId = await imported('Nameless')();
          await call(v.object({ workflowId: v.literal(workflowId) }), { workflowId, name: 'Named by code' });
          await untilRow(view, 'Named by code');
        },
      },
      tree: {
        place: { row: 'Named by code' },
        view,
        run: () => answerName('New name of the workflow', 'Named by tree'),
      },
    },
    'workflow.duplicate': {
      code: {
        run: async (call) => {
          const workflowId = await imported('Doubled')();
          const copy = await call(Identified, { workflowId, name: 'Doubled by code' });
          assert.equal((await world.workflow('Doubled by code'))?.id, copy.workflowId);
        },
      },
      palette: {
        asks: question,
        run: async () => {
          await choose(question, 'Doubled');
          await answerName('Name of the copy', 'Doubled by palette');
        },
      },
    },
    'workflow.delete': {
      code: {
        run: async (call) => {
          const workflowId = await imported('Deleted by code')();
          await call(v.object({ workflowId: v.literal(workflowId) }), { workflowId });
          await untilNoRow(view, 'Deleted by code');
        },
        unknown: { workflowId: 'none' },
      },
      tree: {
        given: imported('Deleted by tree'),
        place: { row: 'Deleted by tree' },
        view,
        run: () => answerDelete('Deleted by tree'),
      },
    },
  };
}
