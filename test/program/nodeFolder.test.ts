// A folder on a disk: nothing outside of it is read or written, and a file is whole or as it was.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NodeFolder } from '../../src/program/nodeFolder.ts';
import { FilesError } from '../../src/workflowFiles/filesError.ts';

describe('a folder with definitions', () => {
  let place = '';
  let root = '';
  let folder: NodeFolder;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'folder-'));
    root = join(place, 'root');
    await mkdir(root);
    folder = new NodeFolder(root);
  });
  afterEach(() => rm(place, { recursive: true }));

  const refused = (work: Promise<unknown>, says: RegExp): Promise<void> =>
    assert.rejects(work, (error) => error instanceof FilesError && says.test(error.message));

  it('has what is written to it, with its byte order mark, also below', async () => {
    const path = 'shop/eu/a.workflow.json';
    assert.equal(await folder.read(path, 100), undefined);
    await folder.write(path, '\ufeff{}\r\n');
    assert.equal(await folder.read(path, 100), '\ufeff{}\r\n');
    await folder.write('b.workflow.json', 'ü');
    assert.deepEqual(await folder.list(), ['b.workflow.json']);
    await folder.remove(path);
    await folder.remove(path);
    assert.equal(await folder.read(path, 100), undefined);
    assert.deepEqual(await readdir(join(root, '.workflows')), []);
  });

  it('finds the definitions below, but none that are hidden or packages', async () => {
    const paths = ['shop/eu/a.workflow.json', 'shop/b.workflow.json'];
    const others = [
      'c.workflow.json',
      '.git/d.workflow.json',
      'node_modules/e/f.workflow.json',
      'shop/g.json',
    ];
    for (const path of [...paths, ...others]) await folder.write(path, '{}');
    assert.deepEqual([...(await folder.listBelow())].sort(), paths.toSorted());
  });

  it('refuses what is too large, and what is no text', async () => {
    await writeFile(join(root, 'a.workflow.json'), 'x'.repeat(101));
    await refused(folder.read('a.workflow.json', 100), /larger than/);
    await writeFile(join(root, 'a.workflow.json'), new Uint8Array([0x7b, 0xff, 0x7d]));
    await refused(folder.read('a.workflow.json', 100), /isn't UTF-8/);
    await mkdir(join(root, 'b.workflow.json'));
    await refused(folder.read('b.workflow.json', 100_000), /can't be read/);
    await refused(folder.write('b.workflow.json', '{}'), /can't be written/);
  });

  it('keeps the mode of a file', async function () {
    if (process.platform === 'win32') this.skip();
    await folder.write('a.workflow.json', '{}');
    await chmod(join(root, 'a.workflow.json'), 0o640);
    await folder.write('a.workflow.json', '{"a": 1}');
    assert.equal((await stat(join(root, 'a.workflow.json'))).mode & 0o777, 0o640);
  });

  it('takes a file also where a folder below is on another disk', async function () {
    if (process.platform !== 'linux') this.skip();
    const inOwnSpace = (...words: readonly string[]) => promisify(execFile)('unshare', ['-rm', ...words]);
    const mount = 'mount -t tmpfs none "$1"';
    await mkdir(join(root, 'other'));
    const disk = join(root, 'other');
    await inOwnSpace('sh', '-c', mount, 'sh', disk).catch(() => this.skip());
    const program = `
      import { readdir, readFile } from 'node:fs/promises';
      import { NodeFolder } from ${JSON.stringify(new URL('../../src/program/nodeFolder.ts', import.meta.url))};
      await new NodeFolder(${JSON.stringify(root)}).write('other/a.workflow.json', '{}');
      const disk = ${JSON.stringify(disk)};
      console.log(JSON.stringify([await readdir(disk), await readFile(disk + '/a.workflow.json', 'utf8')]));`;
    const script = `${mount} && exec "$2" --input-type=module --eval "$3"`;
    const { stdout } = await inOwnSpace('sh', '-c', script, 'sh', disk, process.execPath, program);
    assert.deepEqual(JSON.parse(stdout), [['a.workflow.json'], '{}']);
    assert.deepEqual(await readdir(join(root, '.workflows')), []);
  });

  it('loses what a process has left that was killed while it wrote, and nothing that is just being written', async () => {
    await folder.write('a.workflow.json', '{}');
    const own = join(root, '.workflows');
    for (const name of ['old.tmp', 'new.tmp', 'test.json']) await writeFile(join(own, name), '{');
    const yesterday = Date.now() / 1000 - 24 * 60 * 60;
    for (const name of ['old.tmp', 'test.json']) await utimes(join(own, name), yesterday, yesterday);
    (await folder.lock())?.dispose();
    assert.deepEqual((await readdir(own)).sort(), ['lock', 'new.tmp', 'test.json']);
  });

  it('follows links inside, and none out of it', async function () {
    if (process.platform === 'win32') this.skip();
    const outside = join(place, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'a.workflow.json'), 'theirs');
    await symlink(join(outside, 'a.workflow.json'), join(root, 'file.workflow.json'));
    await symlink(outside, join(root, 'below'));
    await symlink(join(outside, 'new.workflow.json'), join(root, 'dangling.workflow.json'));
    for (const path of ['file.workflow.json', 'below/a.workflow.json']) {
      await refused(folder.read(path, 100), /outside of the folder/);
      await refused(folder.write(path, 'mine'), /outside of the folder/);
      await refused(folder.remove(path), /outside of the folder/);
    }
    await refused(folder.write('below/new/b.workflow.json', 'mine'), /outside of the folder/);
    await folder.write('dangling.workflow.json', 'mine');
    assert.deepEqual(await readdir(outside), ['a.workflow.json']);
    assert.equal(await readFile(join(outside, 'a.workflow.json'), 'utf8'), 'theirs');
    await folder.write('one.workflow.json', '1');
    await symlink('one.workflow.json', join(root, 'other.workflow.json'));
    await folder.write('other.workflow.json', '2');
    assert.equal(await folder.read('one.workflow.json', 100), '2');
  });
});
