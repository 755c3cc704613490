import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DocumentOpener } from '../../../src/editor/documents/documentOpener.ts';
import { documents } from '../../support/vscodeStandIn.ts';

describe('opening a document', () => {
  const { read } = documents;
  afterEach(() => {
    documents.read = read;
  });

  it('fails with the reason of its provider, also twice at once', async () => {
    const opener = new DocumentOpener();
    const failed: string[] = [];
    opener.onDidFail(({ error }) => failed.push(error.message));
    const uri = vscode.Uri.parse('workflow-definition://c/a.json');
    documents.read = async () => {
      const fail = () => Promise.reject(new Error("The service can't be reached."));
      return opener.provide<never>(uri, fail).catch(() => {
        throw new Error('cannot open');
      });
    };
    const opened = await Promise.allSettled([opener.open(uri), opener.open(uri)]);
    assert.deepEqual(
      opened.map((each) => (each.status === 'rejected' ? String(each.reason) : '')),
      ["Error: The service can't be reached.", "Error: The service can't be reached."],
    );
    assert.deepEqual(failed, []);
    await assert.rejects(documents.read(uri), { message: 'cannot open' });
    assert.deepEqual(failed, ["The service can't be reached."]);
    opener.dispose();
  });
});
