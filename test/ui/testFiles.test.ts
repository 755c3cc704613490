// What is known of the files with tests while they change.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { TestFiles } from '../../src/ui/testFiles.ts';

import { HandClock, settle } from '../support/memory/ports.ts';
import { documents, folder } from '../support/vscodeStandIn.ts';

describe('the files with tests', () => {
  const path = 'orders.workflow-test.json';
  const uri = vscode.Uri.from({ scheme: 'memory', path: `/workspace/${path}` });
  let files: TestFiles;
  const text = () => files.find(uri)?.file.text;

  beforeEach(async () => {
    folder.open({ isTrusted: true });
    folder.write(path, '{"workflow": "first"}');
    files = new TestFiles(new HandClock());
    await files.list();
  });
  afterEach(() => {
    files.dispose();
    folder.close();
  });

  it('are as they were written last, also where an older text is read for longer', async () => {
    const end = folder.holdNextRead();
    folder.write(path, '{"workflow": "second"}');
    await settle();
    folder.write(path, '{"workflow": "third"}');
    await settle();
    end();
    await settle();
    assert.equal(text(), '{"workflow": "third"}');
  });

  it('say that they are not UTF-8, instead of testing with other characters', async () => {
    folder.write(path, Buffer.from('{"workflow": "B\xfcro"}', 'latin1'));
    await settle();
    assert.equal(files.find(uri)?.error, `"${path}" isn't UTF-8 text.`);
    assert.equal(text(), '');
  });

  it('are gone once they are deleted, also while they are read', async () => {
    const end = folder.holdNextRead();
    folder.write(path, '{"workflow": "second"}');
    await settle();
    folder.delete(path);
    assert.equal(text(), undefined);
    end();
    await settle();
    assert.equal(text(), undefined);
  });

  it('are as they stand in a document that was opened while they were read', async () => {
    const end = folder.holdNextRead();
    folder.write(path, '{"workflow": "second"}');
    await settle();
    const document = { uri, getText: () => '{"workflow": "typed"}' };
    documents.open(document);
    end();
    await settle();
    assert.equal(text(), '{"workflow": "typed"}');
    documents.close(document);
  });
});
