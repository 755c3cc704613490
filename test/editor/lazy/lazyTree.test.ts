// What a view shows before the app is loaded.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { announceConnections, hasStoredConnection } from '../../../src/editor/announceConnections.ts';
import { LazyTree } from '../../../src/editor/lazy/lazyTree.ts';
import { noteElement, type RowElement } from '../../../src/editor/tree/treeElements.ts';
import { treeProviders } from '../../support/treeViews.ts';

const row = noteElement('row', 'A row');
const app = () => ({
  onDidChangeTreeData: new vscode.EventEmitter<RowElement[] | undefined>().event,
  getChildren: () => [row],
  getTreeItem: () => new vscode.TreeItem('A row'),
  getParent: () => undefined,
});

/** `loading`: what loading the app gives. */
function createTree(isEmpty: boolean, loading: Promise<unknown>) {
  let loads = 0;
  const load = () => {
    loads += 1;
    return loading;
  };
  const tree = new LazyTree('view', { load, isEmpty: () => Promise.resolve(isEmpty) });
  const provider = treeProviders.get('view');
  assert.ok(provider?.onDidChangeTreeData);
  const asksAgain = Promise.withResolvers<undefined>();
  provider.onDidChangeTreeData(() => asksAgain.resolve(undefined));
  return { tree, provider, asksAgain: asksAgain.promise, loads: () => loads };
}

describe('a view before the app is loaded', () => {
  it('is empty at once without a connection, loads the app and shows its rows then', async () => {
    const { tree, provider, asksAgain, loads } = createTree(true, new Promise(() => undefined));
    assert.deepEqual(await provider.getChildren(), []);
    assert.equal(loads(), 1);
    tree.attach(app());
    await asksAgain;
    assert.deepEqual(await provider.getChildren(), [row]);
  });

  it('waits for the rows of the app where there may be some', async () => {
    const { tree, provider } = createTree(false, new Promise(() => undefined));
    const rows = provider.getChildren();
    tree.attach(app());
    assert.deepEqual(await rows, [row]);
  });

  it('says why the app could not be loaded', async () => {
    const { provider, asksAgain } = createTree(true, Promise.reject(new Error('There is no app.')));
    assert.deepEqual(await provider.getChildren(), []);
    await asksAgain;
    await assert.rejects(Promise.resolve(provider.getChildren()), /There is no app/);
  });
});

describe('whether a connection is stored', () => {
  let storage: string;
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), 'workflow-automation-stored-'));
  });
  afterEach(() => rmSync(storage, { recursive: true, force: true }));

  it('is told from the records alone', async () => {
    const folder = join(storage, 'connections');
    assert.equal(await hasStoredConnection(folder), false);
    mkdirSync(folder);
    writeFileSync(join(folder, 'version'), '1');
    assert.equal(await hasStoredConnection(folder), false);
    writeFileSync(join(folder, 'one.json'), '{}');
    assert.equal(await hasStoredConnection(folder), true);
  });

  it('is not known where the folder cannot be read', async () => {
    writeFileSync(join(storage, 'connections'), '');
    assert.equal(await hasStoredConnection(join(storage, 'connections')), undefined);
  });

  it('is announced, with the welcome views where there is none', async () => {
    const announced = async (hasConnection: boolean | undefined): Promise<readonly unknown[]> => {
      const contexts: unknown[] = [];
      const command = vscode.commands.registerCommand('setContext', (...context: readonly unknown[]) =>
        contexts.push(context),
      );
      const asked = Promise.resolve(hasConnection);
      const announcing = announceConnections(() => asked);
      await asked;
      await Promise.resolve();
      announcing.dispose();
      command.dispose();
      return contexts;
    };
    assert.deepEqual(await announced(undefined), []);
    assert.deepEqual(await announced(true), [['workflowAutomation.hasConnection', true]]);
    assert.deepEqual(await announced(false), [
      ['workflowAutomation.hasConnection', false],
      ['workflowAutomation.state', 'none'],
      ['workflowAutomation.executionsState', 'none'],
      ['workflowAutomation.portalEventsState', 'none'],
    ]);
  });
});
