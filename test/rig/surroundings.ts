// Most host tests want one trusted folder; what a test file needs instead stands here, by its name.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { virtualFiles } from './paths.ts';

export interface Surroundings {
  /** "folder": one. "folders": two that have the same name. "virtual": one on a file system of another extension, held in memory. */
  readonly workspace: 'folder' | 'folders' | 'virtual';
  /** True: the extension is a copy, which the tests may change. */
  readonly isCopied: boolean;
  /** False: the workspace is opened in restricted mode, and VS Code asks nobody about it. */
  readonly isTrusted: boolean;
}

const usual: Surroundings = { workspace: 'folder', isCopied: false, isTrusted: true };

const unusual: Readonly<Record<string, Partial<Surroundings>>> = {
  linkedVirtual: { workspace: 'virtual' },
  loading: { isCopied: true },
  presetsInFolders: { workspace: 'folders' },
  presetsUntrusted: { isTrusted: false },
  presetsVirtual: { workspace: 'virtual' },
  testsVirtual: { workspace: 'virtual' },
};

/** What host tests that share a VS Code need, by the first of their files. */
export function surroundingsOf([file = '']: readonly string[]): Surroundings {
  return { ...usual, ...unusual[file.split('.')[0] ?? ''] };
}

/** The scheme of the virtual workspace; test/host/virtualFiles.ts serves it. */
const virtualScheme = 'test-files';

/** Makes the workspace below a folder. Returns the arguments that open it. */
export function makeWorkspace(folder: string, { workspace }: Pick<Surroundings, 'workspace'>): string[] {
  const path = join(folder, 'workspace');
  mkdirSync(path);
  if (workspace === 'virtual') return [`--folder-uri=${virtualScheme}://memory/workspace`];
  if (workspace === 'folder') return [path];
  const folders = ['first/app', 'second/app'];
  for (const name of folders) mkdirSync(join(path, name), { recursive: true });
  const file = join(path, 'tests.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: folders.map((name) => ({ path: name })) }));
  return [file];
}

/** Installs what the workspace needs beside the extension under test. */
export function installForWorkspace(
  extensions: string,
  { workspace }: Pick<Surroundings, 'workspace'>,
): void {
  if (workspace !== 'virtual') return;
  const target = join(extensions, 'tests.virtual-files');
  mkdirSync(target, { recursive: true });
  cpSync(virtualFiles, join(target, 'main.cjs'));
  const manifest = {
    name: 'virtual-files',
    publisher: 'tests',
    version: '1.0.0',
    engines: { vscode: '^1.100.0' },
    main: './main.cjs',
    activationEvents: [`onFileSystem:${virtualScheme}`],
    capabilities: { virtualWorkspaces: true },
  };
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
}

/** The user's settings that decide on trust. */
export function trustSettings({ isTrusted }: Surroundings): JsonObject {
  return isTrusted
    ? {}
    : { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };
}
