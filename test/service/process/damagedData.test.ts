// Data that can't be used is reported with its file and what to do, is never deleted, and makes room for new data.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LaunchError } from '../../../src/domain/errors.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { startLocalService } from '../../../src/launcher/startLocalService.ts';
import {
  AlreadyRunningError,
  countData,
  deleteData,
  setDataAside,
} from '../../../src/service/process/dataFolder.ts';
import { withStorage } from '../../../src/service/store/storageError.ts';
import { damagePages, pagesOfRows } from '../../support/damagedFile.ts';
import { assertRefused, call, listAt } from '../calls.ts';
import {
  createDataFolder,
  createKey,
  keeping,
  programPath,
  removeDataFolder,
  runProgram,
  serviceOf,
  startProgram,
} from './program.ts';

const noDatabase = 'This is no database. '.repeat(500);
const now = new Date('2026-11-22T05:06:07.890Z');

/** Whether this process may mount folders for its children, which a container can refuse. */
function canMount(): boolean {
  return spawnSync('unshare', ['-rm', 'mount', '--bind', '/tmp', '/tmp']).status === 0;
}

describe('Data that cannot be used', () => {
  let dataFolder = '';
  let file = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    file = join(dataFolder, 'service.db');
  });
  afterEach(() => removeDataFolder(dataFolder));

  const damageOf = (path: string) =>
    `${path} is damaged. Restore a copy of it, or move it away to start over.`;
  const readOnlyDiskOf = (path: string) =>
    `${path} is on a read-only disk. Mount it for writing, or choose another folder for the data.`;
  const open = () =>
    startLocalService({
      nodePath: process.execPath,
      servicePath: programPath,
      dataFolder,
      samples: true,
      logger: silentLogger,
      ...keeping,
      signal: new AbortController().signal,
    });
  const serve = () => runProgram('serve', '--data', dataFolder, '--port', '0');
  const listKeys = () => runProgram('keys', 'list', '--data', dataFolder);

  it('that are not a database end the service with an exit code of its own, and one sentence', async () => {
    await writeFile(file, noDatabase);
    for (const run of [serve, listKeys]) {
      const { code, stderr } = await run();
      assert.deepEqual(
        [code, stderr],
        [
          4,
          `${file} is not a database of the service. Restore a copy of it, or move it away to start over.\n`,
        ],
      );
    }
  });

  it('that are damaged end the service in the same way', async () => {
    await createKey(dataFolder);
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill(0xa5, 100));
    const { code, stderr } = await serve();
    assert.deepEqual([code, stderr], [4, `${damageOf(file)}\n`]);
  });

  it('with only the first page intact end the service in the same way, so that the window offers to set them aside', async () => {
    await (await startProgram(dataFolder, '--samples')).terminate();
    await damagePages(file, [2, 3, 4, 5, 6, 7, 8]);
    const { code, stderr } = await serve();
    assert.deepEqual([code, stderr.trimEnd().split('\n').at(-1)], [4, damageOf(file)]);
    await assert.rejects(
      open(),
      (error) => error instanceof LaunchError && error.reason.kind === 'dataDamaged',
    );
  });

  it('with damage found while the service runs end it in the same way, and each start until they are repaired', async () => {
    const key = await createKey(dataFolder);
    const first = await startProgram(dataFolder);
    for (let count = 0; count < 20; count += 1)
      await call(serviceOf(first, key), 'POST', '/v1/workflows', {
        name: 'Billing',
        settings: { text: 'x'.repeat(3000) },
      });
    await first.terminate();
    const copy = await readFile(file);
    await damagePages(file, pagesOfRows(file, 'workflows'));
    const program = await startProgram(dataFolder);
    const ended = once(program.child, 'exit');
    assertRefused(await call(serviceOf(program, key), 'GET', '/v1/workflows'), 500, 'internal_error');
    await ended;
    assert.equal(program.child.exitCode, 4, program.errors());
    assert.equal(program.errors().trimEnd().split('\n').at(-1), damageOf(file));
    const { code, stderr } = await serve();
    assert.deepEqual([code, stderr], [4, `${damageOf(file)}\n`]);
    await writeFile(file, copy);
    const whole = await startProgram(dataFolder);
    assert.equal(listAt((await call(serviceOf(whole, key), 'GET', '/v1/workflows')).body, 'data').length, 20);
    await whole.terminate();
    assert.ok(!(await readdir(dataFolder)).includes('service.db-damaged'));
  });

  it('that cannot be opened are reported by name', async () => {
    await mkdir(file);
    const { code, stderr } = await serve();
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `${file} cannot be opened. Give the user of the service the right to read and write it and its folder.\n`,
    );
  });

  it('on a read-only disk are reported as such', () => {
    for (const code of ['EROFS', 'EACCES']) {
      const error = Object.assign(new Error(code), { code, syscall: 'access', path: dataFolder });
      assert.throws(
        () =>
          withStorage(dataFolder, () => {
            throw error;
          }),
        { message: code === 'EROFS' ? readOnlyDiskOf(dataFolder) : /cannot be opened\. Give the user/ },
      );
    }
  });

  it('on a disk that is mounted for reading end the service with that sentence', async function () {
    if (!canMount()) this.skip();
    await createKey(dataFolder);
    for (const folder of [dataFolder, join(dataFolder, 'none')]) {
      const mounting = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
      const words = [process.execPath, programPath, 'serve', '--data', folder, '--port', '0'];
      const child = spawn('unshare', ['-rm', 'sh', '-c', mounting, dataFolder, ...words]);
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      await once(child, 'close');
      assert.deepEqual([child.exitCode, errors], [1, `${readOnlyDiskOf(folder)}\n`]);
    }
  });

  it('are reported to the window separately from other faults, and can be set aside', async () => {
    await writeFile(file, noDatabase);
    await assert.rejects(open(), (error) => {
      assert.ok(error instanceof LaunchError && error.reason.kind === 'dataDamaged', String(error));
      assert.ok(error.reason.words.startsWith(`${file} is not a database`), error.reason.words);
      return true;
    });
    const folder = await setDataAside(dataFolder, now);
    assert.equal(basename(folder), 'set-aside-2026-11-22T050607Z');
    assert.equal(await readFile(join(folder, 'service.db'), 'utf8'), noDatabase);
    const service = await open();
    await assert.rejects(setDataAside(dataFolder, now), AlreadyRunningError);
    await service.stop();
    service.dispose();
    assert.notEqual(await setDataAside(dataFolder, now), folder);
  });

  it('are deleted when no service uses them, and only the data', async () => {
    await writeFile(file, noDatabase);
    const aside = await setDataAside(dataFolder, now);
    await writeFile(join(dataFolder, 'notes.txt'), 'mine');
    await createKey(dataFolder);
    await createKey(dataFolder);
    const program = await startProgram(dataFolder);
    assert.deepEqual(countData(dataFolder), { workflows: 0, executions: 0, apiKeys: 2 });
    await assert.rejects(deleteData(dataFolder), AlreadyRunningError);
    assert.deepEqual(countData(dataFolder), { workflows: 0, executions: 0, apiKeys: 2 });
    await program.terminate();
    assert.deepEqual(countData(dataFolder), { workflows: 0, executions: 0, apiKeys: 2 });
    await deleteData(dataFolder);
    assert.deepEqual(countData(dataFolder), { workflows: 0, executions: 0, apiKeys: 0 });
    assert.deepEqual(
      (await readdir(dataFolder)).sort(),
      ['instance.lock', 'instance.port', 'notes.txt', basename(aside)].sort(),
    );
    await writeFile(file, noDatabase);
    assert.equal(countData(dataFolder), undefined);
    await deleteData(dataFolder);
  });

  it('with a damaged lock file are set aside with it', async () => {
    await writeFile(join(dataFolder, 'instance.lock'), noDatabase);
    const { code, stderr } = await serve();
    assert.equal(code, 4);
    assert.ok(stderr.startsWith(join(dataFolder, 'instance.lock')), stderr);
    assert.deepEqual(await readdir(await setDataAside(dataFolder, now)), ['instance.lock']);
    const program = await startProgram(dataFolder);
    await program.terminate();
  });
});

describe('The files of the service', () => {
  let dataFolder = '';
  beforeEach(async function () {
    if (process.platform === 'win32') this.skip();
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  const modeOf = async (name: string) => ((await stat(join(dataFolder, name))).mode & 0o777).toString(8);
  const own = [
    'service.db',
    'service.db-wal',
    'service.db-shm',
    'instance.lock',
    'instance.json',
    'instance.port',
  ];

  it('are for their user alone, in a folder and with files that were there before', async () => {
    await createKey(dataFolder);
    await writeFile(join(dataFolder, 'service.log'), '');
    for (const name of await readdir(dataFolder)) await chmod(join(dataFolder, name), 0o644);
    await chmod(dataFolder, 0o755);
    const program = await startProgram(dataFolder);
    for (const name of [...own, 'service.log']) assert.equal(await modeOf(name), '600', name);
    assert.equal(await modeOf('.'), '700');
    await program.kill();
  });

  it('are so in a folder with other files, which stay unchanged', async () => {
    await writeFile(join(dataFolder, 'notes.txt'), '', { mode: 0o644 });
    await chmod(dataFolder, 0o755);
    const program = await startProgram(dataFolder);
    for (const name of own) assert.equal(await modeOf(name), '600', name);
    assert.deepEqual([await modeOf('notes.txt'), await modeOf('.')], ['644', '755']);
    await program.kill();
  });
});
