// Installs a real n8n into an ignored folder, once. It's the user's own software under a licence of its own: nothing of it is part of this project.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../rig/paths.ts';
import { say } from '../rig/say.ts';

interface Dependencies {
  /** Versions of that day: later ones of some packages don't fit together. */
  readonly publishedBefore: string;
  readonly overrides: Readonly<Record<string, string>>;
}

/** The newest that is tried, and one of the last of version 1. */
const versions: Readonly<Record<string, Dependencies>> = {
  '2.40.7': {
    publishedBefore: '2026-09-28',
    overrides: { linkedom: '0.18.13', '@langchain/core': '1.2.8' },
  },
  // It names an archive that isn't in the registry.
  '1.119.2': { publishedBefore: '2026-05-06', overrides: { xlsx: '0.18.5' } },
};

const n8nVersion = process.env['WORKFLOW_TEST_N8N'] ?? '2.40.7';
/** Without an MCP server, and without what came with version 2. */
export const isVersion1 = n8nVersion.startsWith('1.');
export const n8nFolder = join(root, '.n8n-test', n8nVersion);
const mark = join(n8nFolder, 'installed');

async function npm(...args: readonly string[]): Promise<void> {
  const child = spawn('npm', args, { cwd: n8nFolder, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`npm ${args[0]} ended with ${code}.`);
}

/** Needs g++, make, 3 GB on the disk and 5 GB of memory, and some minutes. */
export async function installN8n(): Promise<void> {
  if (existsSync(mark)) return;
  const dependencies = versions[n8nVersion];
  if (dependencies === undefined)
    throw new Error(`WORKFLOW_TEST_N8N is one of ${Object.keys(versions).join(', ')}.`);
  const { publishedBefore, overrides } = dependencies;
  say(`Installing n8n ${n8nVersion} (2.7 GB, once) …`);
  rmSync(n8nFolder, { recursive: true, force: true });
  mkdirSync(n8nFolder, { recursive: true });
  writeFileSync(
    join(n8nFolder, 'package.json'),
    JSON.stringify({ name: 'n8n-under-test', private: true, overrides }),
  );
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await npm('install', `n8n@${n8nVersion}`, '--ignore-scripts', `--before=${publishedBefore}`, ...quiet);
  await npm('rebuild', 'sqlite3', ...quiet);
  writeFileSync(mark, '');
}
