import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  codeAddress,
  codeUri,
  serviceTarget,
  definitionUri,
  deployedTarget,
  deployedUri,
  documentPath,
  executionAddress,
  executionUri,
  inputTarget,
  inputUri,
  isTheirs,
  requireAddress,
  theirsUri,
} from '../../src/ui/addresses.ts';

describe('addresses of documents', () => {
  const target = { connectionId: 'c-1', workflowId: 'wf/ö%2F&?' };

  it('of inputs lead back to connection and workflow, whatever the ids and names', () => {
    const uri = inputUri(target, 'My/service?', 'A/B: "C" ?');
    assert.equal(uri.path, '/My service/A B C.input.json');
    assert.deepEqual(inputTarget(vscode.Uri.parse(uri.toString(), true)), target);
    assert.equal(inputTarget(vscode.Uri.file('/x')), undefined);
  });

  for (const [connection, name, path] of [
    ['Local service', 'Totals', '/Local service/Totals.json'],
    ['..', '.', '/connection/document.json'],
    ['', ' / ', '/connection/document.json'],
    [`a\u001b[31m\nb`, 'c\u202ed', '/a b/cd.json'],
  ] as const)
    it(`of ${JSON.stringify([connection, name])} read as ${path}`, () =>
      assert.equal(documentPath(connection, name, '.json'), path));

  it("of definitions tell the service's side of a comparison from the document, whatever the names", () => {
    for (const name of ['service', 'a/b', '']) {
      const uri = definitionUri(target, name, name);
      assert.equal(isTheirs(uri), false);
      assert.equal(isTheirs(theirsUri(uri)), true);
      assert.deepEqual(serviceTarget(vscode.Uri.parse(theirsUri(uri).toString(), true)), target);
    }
  });

  it('of code lead back to the node, and to the linked file that it is in', () => {
    const names = { connection: 'C', workflow: 'W' };
    const node = { target, nodeId: 'a&file=b' };
    const file = vscode.Uri.from({ scheme: 'vscode-remote', authority: 'x+y', path: '/ö &#?.workflow.json' });
    for (const address of [node, { ...node, file }]) {
      const uri = vscode.Uri.parse(codeUri(address, names, 'python').toString(), true);
      const found = codeAddress(uri);
      assert.deepEqual([found?.target, found?.nodeId], [target, node.nodeId]);
      assert.equal(found?.file?.toString(), 'file' in address ? file.toString() : undefined);
    }
  });

  it('of executions lead back to connection, execution and part', () => {
    const address = {
      target: { connectionId: 'c', executionId: 'e/1' },
      part: 'node',
      nodeRunKey: 'n?1&[0]',
      isCompact: false,
    } as const;
    const uri = executionUri(address, { connectionName: 'Local service', title: 'Totals e/1' });
    assert.deepEqual(executionAddress(vscode.Uri.parse(uri.toString(), true)), address);
  });
});
describe('the address of what is deployed', () => {
  it('leads back to the workflow, and says in the tab what it is', () => {
    const target = { connectionId: 'c-1', workflowId: 'wf/ö%2F&?' };
    const uri = vscode.Uri.parse(deployedUri(definitionUri(target, 'My', 'A/B')).toString(), true);
    assert.deepEqual(requireAddress(uri, deployedTarget), target);
    assert.equal(uri.path, '/My/A B (deployed).workflow.json');
    assert.throws(() => requireAddress(uri.with({ query: '' }), deployedTarget), vscode.FileSystemError);
  });
});
