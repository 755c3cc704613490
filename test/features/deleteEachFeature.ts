// Deletes each feature in a copy of the sources, with the lines that name it, and sees that the rest compiles and its plain tests pass.
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
const leftOut = new Set(['.git', '.vscode-test', 'dist', 'node_modules']);
/** The files that put the features together. */
const composing = ['src/app.ts', 'src/extension.ts', 'src/surfaces.ts'];
/** Whose tests run: the layers below these know of no feature. */
const testedFolders = ['editor', 'features', 'ui'];
/** Tests that speak of all features or of files by their names. */
const testsOfAll = ['test/editor/promises.test.ts'];

function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'feature-'));
  for (const name of readdirSync(root))
    if (!leftOut.has(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function namesOf({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  return bindings !== undefined && ts.isNamedImports(bindings)
    ? bindings.elements.map(({ name }) => name.text)
    : [];
}

/** The smallest statement around a name, which goes; a type that is named becomes unknown. */
function editFor(name: ts.Identifier): Edit {
  if (ts.isTypeReferenceNode(name.parent))
    return { from: name.parent.getStart(), to: name.parent.end, text: 'unknown' };
  let node: ts.Node = name;
  while (!ts.isStatement(node)) node = node.parent;
  return { from: node.getFullStart(), to: node.end, text: '' };
}

/** A source without its imports from a folder and the statements that use them. */
function withoutFeature(source: string, feature: string): string {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const imports = file.statements
    .filter(ts.isImportDeclaration)
    .filter(({ moduleSpecifier }) => moduleSpecifier.getText().includes(`/features/${feature}/`));
  const names = new Set(imports.flatMap(namesOf));
  const edits = new Map<number, Edit>();
  const add = (edit: Edit) => edits.set(edit.from, edit);
  for (const node of imports) add({ from: node.getFullStart(), to: node.end, text: '' });
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && names.has(node.text)) add(editFor(node));
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return [...edits.values()]
    .toSorted((left, right) => right.from - left.from)
    .reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), source);
}

function deleteFeature(copy: string, feature: string): void {
  for (const folder of ['src/features', 'test/features'])
    rmSync(join(copy, folder, feature), { recursive: true, force: true });
  for (const path of composing.map((name) => join(copy, name)))
    writeFileSync(path, withoutFeature(readFileSync(path, 'utf8'), feature));
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
    const compile = ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.src.json'];
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
