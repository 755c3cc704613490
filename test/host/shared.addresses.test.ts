// Plain tests of addresses run on the package that the editor's own Uri comes from; the editor's must read them alike.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { serviceTarget, definitionUri, executionAddress, executionUri } from '../../src/ui/addresses.ts';

describe("addresses as the editor's own Uri", () => {
  const names = ['My/service?', '%2F "C" ö'] as const;

  it('lead back to the workflow once they were a text', () => {
    const target = { connectionId: 'c-1', workflowId: 'wf/ö%2F&?' };
    const uri = vscode.Uri.parse(definitionUri(target, ...names).toString(), true);
    assert.deepEqual(serviceTarget(uri), target);
    assert.equal(uri.path, '/My service/%2F C ö.workflow.json');
  });

  it('lead back to the execution and its part', () => {
    const address = {
      target: { connectionId: 'c', executionId: 'e/1' },
      part: 'node',
      nodeRunKey: 'n?1&[0]',
      isCompact: true,
    } as const;
    const uri = executionUri(address, { connectionName: names[0], title: names[1] });
    assert.deepEqual(executionAddress(vscode.Uri.parse(uri.toString(), true)), address);
  });
});
