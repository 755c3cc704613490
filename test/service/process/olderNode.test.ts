// An older Node can't load the service, and gets a message with the required version.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { programPath, programSource } from './program.ts';

/** Runs the program on this Node as if it were another version. */
async function runAs(version: string): Promise<readonly [code: number | null, stderr: string]> {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const preload = `data:text/javascript,${encodeURIComponent(versions)}`;
  const child = spawn(process.execPath, ['--import', preload, programPath, 'worker'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return [child.exitCode, stderr];
}

describe('A Node that is too old for the service', () => {
  for (const version of ['18.20.8', '20.20.2', '22.15.1'])
    it(`is reported in one line: ${version}`, async () =>
      assert.deepEqual(await runAs(version), [
        1,
        `The service needs Node 22.16 or newer, also with PostgreSQL; this is Node ${version}.\n`,
      ]));

  for (const version of ['22.16.0', '22.21.1', '24.0.0', '100.1.0'])
    it(`is not ${version}`, async () => {
      const [code, stderr] = await runAs(version);
      assert.equal(code, 2);
      assert.match(stderr, /^--database-url is missing\./);
    });

  it('is reported before anything else is loaded', async () =>
    assert.doesNotMatch(await readFile(programSource, 'utf8'), /^import /m));
});
