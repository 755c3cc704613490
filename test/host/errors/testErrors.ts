// What is refused of tests of workflows is refused once.
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { PlainError } from '../../../src/editor/plainError.ts';
import { answering } from '../../support/servers.ts';
import { type BadConnection, fromMenu } from './badService.ts';
import { type Meetings, show } from './meeting.ts';

const workflow = { id: 'wf_1', name: 'Lead intake', isDeployed: false, nodes: [], edges: [] };

/** The connection is another one in each test. */
export function testErrors(connection: () => BadConnection): Meetings {
  /** Makes a test of an execution with this status. */
  const create = async (status: string): Promise<void> => {
    connection().answers = {
      'GET /executions/exec_1': answering(200, { id: 'exec_1', workflowId: 'wf_1', status }),
      'GET /workflows/wf_1': answering(200, workflow),
    };
    const { connectionId } = connection().row;
    await fromMenu('execution.createTest', { connectionId, executionId: 'exec_1' });
  };
  const refused = (words: string) => ({ meet: () => show(new PlainError(words)), words });
  return {
    testGone: {
      meet: () => fromMenu('test.updateExpected', { uri: 'file:///gone/a.workflow-test.json' }),
      words: "There's no such test.",
    },
    noTestFailed: {
      meet: () => fromMenu('test.updateExpected', {}),
      words: 'No test has failed in a way that can be updated.',
    },
    testNotExecuted: {
      meet: () => fromMenu('test.debugExecution', { uri: 'file:///gone/a.workflow-test.json', name: 'a' }),
      words: "The test hasn't executed anything yet.",
    },
    testOfUnended: {
      meet: () => create('running'),
      words: 'A test can only be made from an execution that has completed or failed.',
    },
    testFileNotJson: {
      meet: async () => {
        const [folder] = vscode.workspace.workspaceFolders ?? [];
        const uri = vscode.Uri.joinPath(
          folder?.uri ?? vscode.Uri.file(tmpdir()),
          'Lead intake.workflow-test.json',
        );
        await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{ "workflow": '));
        await create('completed');
        await vscode.workspace.fs.delete(uri);
      },
      words: '"Lead intake.workflow-test.json" isn\'t valid JSON. Nothing was added.',
    },
    // Only between a run and its update.
    testsChanged: refused('The tests were changed since they ran. Run them again.'),
    // A VS Code under test trusts its one folder.
    testsUntrusted: refused(
      'Tests are files of the workspace, and this workspace isn\'t trusted. To trust it, run "Workspaces: Manage Workspace Trust".',
    ),
    testsNoFolder: refused('Tests are files of the workspace. Open a folder to use them.'),
  };
}
