// Deletes each feature in a copy of the sources, with its line in app.ts, and sees that the rest compiles and its plain tests pass.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { argv, execPath, exit, stdout } from 'node:process';
import { promisify } from 'node:util';
import ts from 'typescript';
import { root } from '../rig/paths.ts';

const run = promisify(execFile);

/** Not copied: what is made, what is large, and what belongs to the checkout. */
const leftOut = new Set(['.git', '.n8n-test', '.vscode-test', 'dist', 'node_modules']);
/** Whose tests run: the layers below these know of no feature. */
const testedFolders = ['editor', 'features', 'ui'];
/** Tests that speak of all features or of files by their names. */
const testsOfAll = ['test/editor/pages.test.ts', 'test/editor/promises.test.ts'];

function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'feature-'));
  for (const name of readdirSync(root))
    if (!leftOut.has(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

function deleteFeature(copy: string, feature: string): void {
  for (const folder of ['src/features', 'test/features'])
    rmSync(join(copy, folder, feature), { recursive: true, force: true });
  const app = join(copy, 'src/app.ts');
  const lines = readFileSync(app, 'utf8').split('\n');
  const others = lines.filter((line) => !line.includes(`./features/${feature}/`));
  assert.equal(lines.length - others.length, 1, `${feature} is one line of app.ts`);
  writeFileSync(app, others.join('\n'));
}

/** True when all files that a file imports, and those that these import, are there. */
function isWhole(path: string, known: Map<string, boolean>): boolean {
  const before = known.get(path);
  if (before !== undefined) return before;
  known.set(path, true);
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'));
  const isFound = importedFiles
    .filter(({ fileName }) => fileName.startsWith('.') && fileName.endsWith('.ts'))
    .map(({ fileName }) => resolve(dirname(path), fileName))
    .every((imported) => existsSync(imported) && isWhole(imported, known));
  known.set(path, isFound);
  return isFound;
}

function remainingTests(copy: string): readonly string[] {
  const known = new Map<string, boolean>();
  return globSync(`test/{${testedFolders.join(',')}}/**/*.test.ts`, { cwd: copy })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !testsOfAll.includes(path) && isWhole(join(copy, path), known));
}

/** What a program says when it fails. */
async function failureOf(copy: string, ...args: readonly string[]): Promise<string | undefined> {
  try {
    await run(execPath, args, { cwd: copy, maxBuffer: 64 * 1024 * 1024 });
    return undefined;
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
  }
}

async function checkWithout(feature: string): Promise<string | undefined> {
  const copy = copySources();
  try {
    deleteFeature(copy, feature);
    const config = { extends: './tsconfig.json', include: ['src'] };
    writeFileSync(join(copy, 'tsconfig.src.json'), JSON.stringify(config));
    const compile = ['node_modules/@typescript/native/bin/tsc', '--project', 'tsconfig.src.json'];
    const notCompiled = await failureOf(copy, ...compile);
    if (notCompiled !== undefined) return notCompiled;
    const mocha = [
      'node_modules/mocha/bin/mocha.js',
      '--no-config',
      '--timeout',
      '120000',
      '--reporter',
      'dot',
    ];
    const tests = remainingTests(copy);
    return await failureOf(copy, ...mocha, '--require', './test/support/registerVscode.ts', ...tests);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const features = argv.length > 2 ? argv.slice(2) : readdirSync(join(root, 'src/features'));
let failed = 0;
for (const feature of features) {
  const failure = await checkWithout(feature);
  stdout.write(
    failure === undefined ? `ok: works without ${feature}\n` : `FAILS without ${feature}\n${failure}\n`,
  );
  if (failure !== undefined) failed += 1;
}
exit(failed === 0 ? 0 : 1);
