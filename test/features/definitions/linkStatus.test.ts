// What the language status says of a file beside a workflows.json.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findStatus } from '../../../src/features/definitions/links/linkStatus.ts';
import type { LinkedFile, LinkedFolder } from '../../../src/ui/linkedFiles.ts';
import { readWorkflowsFile } from '../../../src/workflowFiles/workflowsFile.ts';
import { connectBoth, createWorld, firstUrl } from '../../support/memory/world.ts';

const folder: LinkedFolder = {
  uri: vscode.Uri.file('/w/flows'),
  file: readWorkflowsFile(JSON.stringify({ environments: { staging: { url: firstUrl } } })),
  environment: 'staging',
  connectionId: undefined,
};
const uri = vscode.Uri.joinPath(folder.uri, 'a.workflow.json');

describe('the language status', () => {
  const statusOf = async (change: Partial<LinkedFolder>, workflowId: string | undefined = 'w1') => {
    const world = createWorld();
    const [first] = await connectBoth(world);
    const own = { ...folder, ...('connectionId' in change ? { ...change, connectionId: first } : change) };
    const target = own.connectionId && workflowId ? { connectionId: first, workflowId } : undefined;
    const file: LinkedFile = { folder: own, path: 'a.workflow.json', workflowId, target };
    const linkedFiles = { find: () => (own.file ? file : undefined), folders: [own] };
    return findStatus({ ...world, linkedFiles }, uri);
  };

  it('says where a linked file goes, and pushes it', async () => {
    const status = await statusOf({ connectionId: 'first' });
    assert.deepEqual(
      [status?.text, status?.detail, status?.isWarning],
      ['staging: First', 'Linked to "w1"', false],
    );
    assert.deepEqual(status?.command.arguments, [{ linkedFile: uri.toString(), invokedBy: 'person' }]);
  });

  it('shows names as they are: they draw no icon, and link to no command', async () => {
    const environment = '$(trash)';
    const text = JSON.stringify({ environments: { [environment]: { url: firstUrl } } });
    const linked = { connectionId: 'first', environment, file: readWorkflowsFile(text) };
    const status = await statusOf(linked, '$(trash) [Orders](command:workbench.action.quit)');
    assert.deepEqual(
      [status?.text, status?.detail],
      [
        String.raw`\$(trash): First`,
        String.raw`Linked to "\$(trash) [Orders] (command:workbench.action.quit)"`,
      ],
    );
  });

  it('says that the environment has no workflow for it yet', () => {
    const file: LinkedFile = {
      folder: { ...folder, connectionId: 'first' },
      path: 'a.workflow.json',
      workflowId: undefined,
      target: undefined,
    };
    const status = findStatus({ ...createWorld(), linkedFiles: { find: () => file, folders: [] } }, uri);
    assert.equal(status?.detail, 'Has no workflow on staging yet');
  });

  it('offers to connect to what no connection is to', async () => {
    const status = await statusOf({});
    assert.deepEqual(
      [status?.text, status?.detail, status?.isWarning],
      ['staging: not connected', firstUrl, true],
    );
    assert.deepEqual(status?.command.arguments, [
      { baseUrl: firstUrl, kind: 'service', invokedBy: 'person' },
    ]);
  });

  for (const [what, change, text] of [
    ['names no default', { environment: undefined }, 'No default environment'],
    ["can't be read", { file: undefined, problem: 'Why.' }, "workflows.json can't be read"],
  ] as const)
    it(`opens the workflows.json that ${what}`, async () => {
      const status = await statusOf(change);
      assert.equal(status?.text, text);
      assert.equal(String(status.command.arguments?.[0]), 'file:///w/flows/workflows.json');
    });

  it('says nothing of a file elsewhere', () => {
    const linkedFiles = { find: () => undefined, folders: [{ ...folder, problem: 'Why.' }] };
    assert.equal(
      findStatus({ ...createWorld(), linkedFiles }, vscode.Uri.file('/w/b.workflow.json')),
      undefined,
    );
  });
});
