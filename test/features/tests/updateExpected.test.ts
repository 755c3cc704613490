// What a file with tests becomes once its tests expect what came.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { writeUpdate } from '../../../src/features/tests/updateExpected.ts';
import { documents } from '../../support/vscodeStandIn.ts';

describe('a file whose tests are updated', () => {
  const { read } = documents;
  afterEach(() => {
    documents.read = read;
  });

  it('keeps what somebody has written into it while the user was asked', async () => {
    const uri = vscode.Uri.from({ scheme: 'memory', path: '/workspace/orders.workflow-test.json' });
    documents.read = () =>
      Promise.resolve({
        uri,
        getText: () => '{"tests": ["pulled"]}',
        positionAt: () => new vscode.Position(0, 0),
      });
    const update = { uri, before: '{"tests": []}', after: '{"tests": [1]}', tests: [] };
    await assert.rejects(writeUpdate(update), /were changed since they ran/);
  });
});
