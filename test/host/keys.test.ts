// An API key must be nowhere but in the secret storage, and a revoked one must be seen at once.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, findWorkflow, run, startLocalService } from './commands.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';
import { filesHolding } from './userData.ts';

const CreatedKey = v.object({ id: v.string(), key: v.string() });
const workflowsView = 'workflowAutomation.workflows';

describe('API keys', () => {
  it('stand in no file under the user data folder, in no setting and in no log', async () => {
    const { baseUrl } = await startLocalService();
    const { key } = await run(CreatedKey, 'apiKey.create', { name: 'Search me', expiration: 'never' });
    const connectionId = await connect('Search me', { baseUrl, key });
    const { id } = await findWorkflow('Order');
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId: id });
    await execute(id, {});
    const report = await run(v.string(), 'connection.diagnose', { connectionId });
    assert.ok(report.includes(baseUrl));
    assert.ok(!report.includes(key));

    assert.deepEqual(filesHolding(key), []);
    const settings = JSON.stringify(vscode.workspace.getConfiguration());
    assert.ok(!settings.includes(key));
    await disconnect(connectionId);
  });

  it('shows the "key rejected" welcome view with the first request after a key was revoked', async function () {
    requirePage(this);
    const { baseUrl, connectionId: local } = await startLocalService();
    const { id, key } = await run(CreatedKey, 'apiKey.create', { name: 'Short life', expiration: '30d' });
    const connectionId = await connect('Short life', { baseUrl, key });
    await vscode.commands.executeCommand(`${workflowsView}.focus`);
    await until(
      () => page.rows(workflowsView),
      (rows) => rows.length > 2,
    );
    await vscode.commands.executeCommand('workflowAutomation.apiKey.revoke', { keyId: id });
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    await page.waitFor(
      `${viewSelector(workflowsView)} .welcome-view-content:has-text("The API key was revoked")`,
    );
    await until(
      () => page.rows(workflowsView),
      (rows) => rows.length === 0,
    );
    await page.screenshot('key-rejected');
    await disconnect(connectionId);
    await vscode.commands.executeCommand('workflowAutomation.connection.switch', { connectionId: local });
  });
});
