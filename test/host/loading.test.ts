// The app behind the surfaces may fail to load, as while the extension is replaced on disk; the next use must load it.
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { listWorkflows } from './commands.ts';

describe('an app that cannot be loaded', () => {
  const extension = vscode.extensions.getExtension('workflow-automation.workflow-automation');
  assert.ok(extension);
  const app = join(extension.extensionPath, 'dist', 'app.js');
  const aside = `${app}.aside`;

  it('is tried again with the next use', async () => {
    renameSync(app, aside);
    try {
      await assert.rejects(listWorkflows, /app\.js/);
      await assert.rejects(listWorkflows, /app\.js/);
    } finally {
      renameSync(aside, app);
    }
    assert.deepEqual(await listWorkflows(), []);
  });
});
