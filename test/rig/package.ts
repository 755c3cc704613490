// Makes the package of what is built. VS Code shows a README's pictures from an https address only and follows none of its relative
// links, so the package's README has neither, and nothing that only a clone of the sources can do. The pages of the guide are opened as files:
// their links work.
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { root } from './paths.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });

/** The files that .vscodeignore names. vsce would match each file of the whole checkout with each of its lines. */
function filesOfPackage(): readonly string[] {
  const lines = readFileSync(join(root, '.vscodeignore'), 'utf8').split(/\r?\n/);
  const wanted = lines.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  return globSync(wanted, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

/** A page without pictures, which aren't packaged, and without what only a clone can do. */
function pageOfPackage(text: string): string {
  return text
    .replaceAll(/^<!-- in a clone -->$.*?^<!-- end -->\n+/gms, '')
    .replaceAll(/^ *<picture>.*?<\/picture>\n+/gms, '')
    .replaceAll(/^ *!\[[^\]]*\]\([^)]*\)\n+/gm, '');
}

/** The README as the extension's page in VS Code shows it. */
function readmeOfPackage(text: string): string {
  return pageOfPackage(text).replaceAll(/\[([^\]]*)\]\((?!https:|#)[^)]*\)/g, '$1');
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(join(staged, file), change(readFileSync(join(root, file), 'utf8')));
}

const staged = mkdtempSync(join(tmpdir(), 'workflow-automation-'));
try {
  for (const file of ['.vscodeignore', ...filesOfPackage()]) {
    mkdirSync(dirname(join(staged, file)), { recursive: true });
    copyFileSync(join(root, file), join(staged, file));
  }
  rewrite('README.md', readmeOfPackage);
  for (const file of globSync('media/guide/*.md', { cwd: root })) rewrite(file, pageOfPackage);
  // Refuses a README or a CHANGELOG with a relative link.
  await createVSIX({
    cwd: staged,
    packagePath: values.out ?? root,
    dependencies: false,
    allowMissingRepository: true,
  });
} finally {
  rmSync(staged, { recursive: true, force: true });
}
