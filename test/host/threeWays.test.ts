// Each fixed command works from code; from the palette and from the tree one command for each mechanism does. That each stands in the palette
// and in a view's menu is held by test/editor/manifest.test.ts, and what each takes by test/editor/commands/argument.test.ts.
import * as vscode from 'vscode';
import { giveRoom } from './keyboard.ts';
import { clearNotifications } from './notifications.ts';
import { requirePage } from './page.ts';
import { testFromCode } from './threeWays/fromCode.ts';
import {
  testConnectionsFromPalette,
  testExecutionsFromPalette,
  testWorkflowsFromPalette,
} from './threeWays/fromPalette.ts';
import {
  testConnectionsFromTree,
  testExecutionsFromTree,
  testWorkflowsFromTree,
} from './threeWays/fromTree.ts';
import { views, World } from './threeWays/world.ts';

describe('the fixed commands', () => {
  const world = new World();
  before(async function () {
    requirePage(this);
    await world.start();
    // The system's own dialog cannot be reached from the page.
    await vscode.workspace
      .getConfiguration('files.simpleDialog')
      .update('enable', true, vscode.ConfigurationTarget.Global);
  });
  after(() => world.stop());
  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await clearNotifications();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  describe('from code', () => testFromCode(world));

  describe('on workflows', () => {
    before(() => giveRoom(views.workflows, Object.values(views)));
    describe('from the palette', () => testWorkflowsFromPalette(world));
    describe('from the tree', () => testWorkflowsFromTree(world));
  });

  describe('on executions and portal events', () => {
    before(() => giveRoom(views.executions, Object.values(views)));
    describe('from the palette', () => testExecutionsFromPalette(world));
    describe('from the tree', () => testExecutionsFromTree(world));
  });

  describe('on connections', () => {
    before(() => giveRoom(views.connections, Object.values(views)));
    describe('from the palette', () => testConnectionsFromPalette(world));
    describe('from the tree', () => testConnectionsFromTree(world));
  });
});
