// In a repository that lies elsewhere, files are linked too, and only their workflows.json is read for it, once.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, run } from './commands.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

const definition = {
  name: 'Once',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'say', name: 'Say', type: 'log', config: { message: 'Said once' } },
  ],
  edges: [{ source: 'start', target: 'say' }],
};

const takeReads = async (): Promise<readonly string[]> => {
  const paths = v.parse(v.array(v.string()), await vscode.commands.executeCommand('tests.takeReads'));
  return paths.filter((path) => path.endsWith('/workflows.json'));
};

describe('a linked file in a virtual workspace', () => {
  const file = workspaceFile('linked/once.workflow.json');
  const links = workspaceFile('linked/workflows.json');
  let service: OwnService;
  let connectionId: string;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Elsewhere', service);
    const { workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition });
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await execute(workflowId, {});
    await vscode.workspace.fs.createDirectory(workspaceFile('linked'));
    await writeText(file, JSON.stringify(definition, null, 2));
    const environments = { only: { url: service.baseUrl } };
    const workflows = { 'once.workflow.json': { only: workflowId } };
    await writeText(links, JSON.stringify({ environments, workflows }));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
    await vscode.workspace.fs.delete(file);
    await vscode.workspace.fs.delete(links);
  });

  it('shows the execution of its workflow', async () => {
    await takeReads();
    await vscode.window.showTextDocument(file);
    await until(page.lines, (lines) => lines.some((line) => line.includes('completed')));
    await page.waitFor('.editor-actions .codicon-cloud-upload');
    assert.ok((await takeReads()).length <= 1);
  });
});
