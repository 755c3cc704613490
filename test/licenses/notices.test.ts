// What is bundled is what is named, and a package whose license has no text stops the build.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundledPackages, readNotice, renderNotices, suppliedTexts } from '../../src/licenses/notices.ts';
import { root } from '../rig/paths.ts';

describe('Notices', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'notices-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A package in the folder; answers where. */
  function addPackage(path: string, manifest: object, files: Readonly<Record<string, string>>): string {
    const at = join(folder, 'node_modules', ...path.split('/'));
    mkdirSync(at, { recursive: true });
    writeFileSync(
      join(at, 'package.json'),
      JSON.stringify({ version: '1.0.0', main: 'index.js', ...manifest }),
    );
    for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text);
    return at;
  }

  it('name the packages of which the bundle holds something, nested ones too, and no others', async () => {
    const code = { 'index.js': 'export const name = import.meta.url; export const unused = 1;' };
    addPackage('plain', { name: 'plain' }, code);
    addPackage('@scope/named', { name: '@scope/named' }, code);
    addPackage('plain/node_modules/inner', { name: 'inner' }, code);
    addPackage('shaken', { name: 'shaken', sideEffects: false }, code);
    addPackage('plain', { name: 'plain' }, { 'index.js': "export * from 'inner'; console.log(2);" });
    writeFileSync(
      join(folder, 'entry.js'),
      "import { name } from 'plain'; import { unused } from 'shaken'; import { name as other } from '@scope/named'; console.log(name, other);",
    );
    const { metafile } = await build({
      absWorkingDir: folder,
      entryPoints: ['entry.js'],
      outdir: 'dist',
      bundle: true,
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    assert.deepEqual(bundledPackages(metafile.outputs), [
      'node_modules/@scope/named',
      'node_modules/plain',
      'node_modules/plain/node_modules/inner',
    ]);
  });

  it('hold the name, the version, the license and every text that the package ships', () => {
    const at = addPackage(
      'plain',
      { name: 'plain', license: 'MIT' },
      { 'License.txt': 'Copyright (c) Ada\r\nDo as you like.\n', NOTICE: 'Made by Ada.', 'README.md': 'No.' },
    );
    mkdirSync(join(at, 'lib', 'taken'), { recursive: true });
    writeFileSync(join(at, 'lib', 'taken', 'LICENSE.md'), 'Copyright (c) Grace');
    addPackage('plain/node_modules/inner', { name: 'inner' }, { LICENSE: 'One of its own' });
    const notice = readNotice(at);
    assert.deepEqual(notice, {
      name: 'plain',
      version: '1.0.0',
      license: 'MIT',
      text: 'Copyright (c) Ada\nDo as you like.\n\nMade by Ada.\n\nCopyright (c) Grace',
    });
    const text = renderNotices([notice, notice]);
    assert.ok(text.includes(notice.text));
    assert.equal(text.match(/^plain 1\.0\.0 \(MIT\)$/gm)?.length, 1, 'named once');
  });

  it('refuse a package whose license has no text', () => {
    const bare = addPackage('bare', { name: 'bare', license: 'MIT' }, { NOTICE: 'Made by Ada.' });
    assert.throws(() => readNotice(bare), { message: /^bare 1\.0\.0 has no text of its license \(MIT\)/ });
    const unnamed = addPackage('unnamed', { name: 'unnamed' }, { LICENSE: 'Text' });
    assert.throws(() => readNotice(unnamed), /license/);
  });

  for (const { name, license, file } of suppliedTexts)
    it(`take over the text of ${name} only as long as it is under ${license}`, () => {
      const text = readFileSync(join(root, 'src', 'licenses', 'texts', file), 'utf8');
      assert.ok(readNotice(join(root, 'node_modules', ...name.split('/'))).text.includes(text.trim()));
      const changed = addPackage(name, { name, license: 'BUSL-1.1' }, { LICENSE: 'Another one' });
      assert.throws(() => readNotice(changed), { message: new RegExp(`^${name} is under BUSL-1.1 now`) });
    });
});
