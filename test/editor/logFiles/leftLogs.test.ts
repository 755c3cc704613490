// What a killed window leaves over of the files of long logs is deleted when another one starts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteLeftLogs, logsFolder, ownFolderName } from '../../../src/editor/logFiles/leftLogs.ts';

describe('the files of long logs of a window that is gone', () => {
  let storage: string;
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), 'workflow-automation-left-'));
  });
  afterEach(() => rmSync(storage, { recursive: true, force: true }));

  const names = () => readdirSync(logsFolder(storage));
  const make = (name: string) => mkdirSync(join(logsFolder(storage), name), { recursive: true });

  it('are deleted at the next start when it was killed, and no sooner', async () => {
    const program = join(import.meta.dirname, '../../support', 'logFilesProgram.ts');
    const register = join(import.meta.dirname, '../../support', 'registerVscode.ts');
    const window = spawn(process.execPath, ['--require', register, program, storage], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(window.stdout, 'data');
    const [left = ''] = names();
    assert.equal(readdirSync(join(logsFolder(storage), left)).length, 1);
    await deleteLeftLogs(storage);
    assert.deepEqual(names(), [left]);
    window.kill('SIGKILL');
    await once(window, 'exit');
    await deleteLeftLogs(storage);
    assert.deepEqual(names(), []);
  });

  it('are told from those of this window, of another machine, and of an earlier process with the same id', async () => {
    const own = ownFolderName();
    const machine = own.slice(0, 8);
    const earlier = `${machine}-${process.pid}-00000000`;
    for (const name of [own, earlier, `${machine}-999999999-00000000`, '00000000-1-00000000']) make(name);
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    for (const name of [earlier, '00000000-1-00000000'])
      utimesSync(join(logsFolder(storage), name), yesterday, yesterday);
    await deleteLeftLogs(storage);
    assert.deepEqual(names().sort(), ['00000000-1-00000000', own].sort());
  });

  it('are nowhere before a window had any', () => assert.doesNotReject(deleteLeftLogs(storage)));
});
