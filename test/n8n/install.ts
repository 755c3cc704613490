// Installs a real n8n into an ignored folder, once. It's the user's own software under a licence of its own: nothing of it is part of this project.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../rig/paths.ts';
import { say } from '../rig/say.ts';

const n8nVersion = '2.40.7';

export const n8nFolder = join(root, '.n8n-test', n8nVersion);
const mark = join(n8nFolder, 'installed');

/** Versions of that day: later ones of some packages don't fit together. */
const publishedBefore = '2026-09-28';
const packageJson = {
  name: 'n8n-under-test',
  private: true,
  overrides: { linkedom: '0.18.13', '@langchain/core': '1.2.8' },
};

async function npm(...args: readonly string[]): Promise<void> {
  const child = spawn('npm', args, { cwd: n8nFolder, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`npm ${args[0]} ended with ${code}.`);
}

/** Needs g++, make, 3 GB on the disk and 5 GB of memory, and some minutes. */
export async function installN8n(): Promise<void> {
  if (existsSync(mark)) return;
  say(`Installing n8n ${n8nVersion} (2.7 GB, once) …`);
  rmSync(n8nFolder, { recursive: true, force: true });
  mkdirSync(n8nFolder, { recursive: true });
  writeFileSync(join(n8nFolder, 'package.json'), JSON.stringify(packageJson));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await npm('install', `n8n@${n8nVersion}`, '--ignore-scripts', `--before=${publishedBefore}`, ...quiet);
  await npm('rebuild', 'sqlite3', ...quiet);
  writeFileSync(mark, '');
}
