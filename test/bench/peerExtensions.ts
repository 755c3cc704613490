// How long activation takes says little alone; these are what ours is compared with, in the same host.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '../../src/base/json.ts';
import { commandNames } from '../support/commandNames.ts';
import { viewIds } from '../../src/editor/ids.ts';
import { root } from '../rig/paths.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function writeExtension(folder: string, manifest: JsonObject, code: string): string {
  mkdirSync(folder, { recursive: true });
  const common = {
    publisher: 'bench',
    version: '1.0.0',
    engines: { vscode: '^1.100.0' },
    main: './main.cjs',
    activationEvents: [],
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...common, ...manifest }));
  writeFileSync(join(folder, 'main.cjs'), code);
  return folder;
}

/** An extension that does nothing. */
export const writeEmpty = (folder: string, name: string): string =>
  writeExtension(folder, { name }, 'exports.activate = () => undefined;');

interface Counts {
  readonly commandCount: number;
  readonly viewCount: number;
}

const countsOfOurs: Counts = { commandCount: commandNames.length, viewCount: Object.keys(viewIds).length };

/** An extension that registers commands, and trees in a side bar of their own, and does nothing else. */
export function writeLean(
  folder: string,
  name: string,
  { commandCount, viewCount }: Counts = countsOfOurs,
): string {
  const commands = numbers(commandCount).map((index) => ({
    command: `${name}.command${index}`,
    title: `${name} ${index}`,
  }));
  const views = numbers(viewCount).map((index) => ({ id: `${name}.view${index}`, name: `${name} ${index}` }));
  const viewsContainers = { activitybar: [{ id: name, title: name, icon: '$(beaker)' }] };
  const code = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  for (let index = 0; index < ${commandCount}; index++) {
    subscriptions.push(vscode.commands.registerCommand('${name}.command' + index, () => index));
  }
  for (let index = 0; index < ${viewCount}; index++) {
    const changed = new vscode.EventEmitter();
    const treeDataProvider = {
      onDidChangeTreeData: changed.event,
      getChildren: () => ['one', 'two'],
      getTreeItem: (label) => new vscode.TreeItem(label),
    };
    subscriptions.push(changed, vscode.window.createTreeView('${name}.view' + index, { treeDataProvider }));
  }
};`;
  return writeExtension(
    folder,
    { name, contributes: { commands, viewsContainers, views: { [name]: views } } },
    code,
  );
}

/** Ours as it is packaged, except that it waits to be activated. */
export function copyOurs(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of ['media', 'package.nls.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map') && !path.startsWith(join(root, 'dist', 'test')),
  });
  const manifest = parseJson(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!isJsonObject(manifest)) throw new Error('package.json is not an object.');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  return folder;
}
