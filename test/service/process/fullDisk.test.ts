// A disk that is really full, as far as the process can tell: writes are refused, reads still work, and with free space everything does.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseJson } from '../../../src/base/json.ts';
import { portPath } from '../../../src/protocol/localService/dataFolder.ts';
import { assertRefused, at, call, chain, createDeployed, follow, execute, textAt } from '../calls.ts';
import { createDataFolder, createKey, programPath, removeDataFolder, runProgram } from './program.ts';

const hasLimits = (() => {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('A full disk', () => {
  let dataFolder = '';
  beforeEach(async function () {
    // No file of the process grows beyond its limit, which is lifted from outside while it runs.
    if (!hasLimits) this.skip();
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  it('is reported clearly when the service cannot write its files at the start', async function () {
    if (!existsSync('/dev/full')) this.skip();
    await symlink('/dev/full', portPath(dataFolder));
    const { code, stderr } = await runProgram('serve', '--data', dataFolder, '--port', '0');
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `The disk is full: nothing can be written to ${dataFolder}. Free some space there; a running service resumes automatically.\n`,
    );
  });

  it('leaves no key in use whose value could not be printed', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    const words = ['keys', 'create', '--data', dataFolder, '--name', 'lost', '--expiration', 'never'];
    const { status, stderr } = spawnSync(process.execPath, [programPath, ...words], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    assert.equal(
      stderr,
      'The result could not be printed: ENOSPC: no space left on device, write. Its value is lost, so the key was revoked.\n',
    );
    assert.equal(status, 1);
    const listed = parseJson((await runProgram('keys', 'list', '--data', dataFolder)).stdout);
    assert.equal(typeof at(listed, 0, 'revokedAt'), 'string');
  });

  it('is reported clearly when the tables cannot be created', () => {
    const words = [programPath, 'keys', 'list', '--data', dataFolder];
    const { status, stderr } = spawnSync('prlimit', ['--fsize=20000', process.execPath, ...words], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.equal(
      stderr,
      `The disk is full: nothing can be written to ${dataFolder}. Free some space there; a running service resumes automatically.\n`,
    );
  });

  it('causes 507 for writes, serves reads, logs one line, and recovers with free space', async () => {
    const key = await createKey(dataFolder);
    const words = [
      programPath,
      'serve',
      '--data',
      dataFolder,
      '--port',
      '0',
      '--requests-per-minute',
      '10000',
    ];
    const child = spawn('prlimit', ['--fsize=3000000:unlimited', process.execPath, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    let baseUrl = '';
    for await (const line of createInterface({ input: child.stdout })) {
      baseUrl = textAt(parseJson(line), 'baseUrl');
      break;
    }
    const { origin } = new URL(baseUrl);
    const service = {
      key,
      app: { request: (path: string, init?: RequestInit) => fetch(origin + path, init) },
    };
    const workflowId = await createDeployed(service, chain(['start', 'trigger']));
    const large = { name: 'Large', settings: { text: 'x'.repeat(500_000) } };
    let answer = await call(service, 'POST', '/v1/workflows', large);
    for (let count = 0; count < 20 && answer.status === 201; count += 1)
      answer = await call(service, 'POST', '/v1/workflows', large);
    assertRefused(answer, 507, 'storage_full');
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await call(service, 'GET', `/v1/workflows/${workflowId}`)).status, 200);
      assert.equal((await call(service, 'POST', '/v1/workflows', large)).status, 507);
    }
    assert.equal((await call(service, 'GET', '/health')).body['status'], 'degraded');
    assert.deepEqual(log.match(/The disk is full/g)?.length, 1, log);

    execFileSync('prlimit', [`--pid=${child.pid ?? 0}`, '--fsize=unlimited:unlimited']);
    assert.equal((await call(service, 'POST', '/v1/workflows', large)).status, 201);
    const executionId = await execute(service, workflowId, {});
    await follow(service, executionId);
    assert.equal((await call(service, 'GET', `/v1/executions/${executionId}`)).body['status'], 'completed');
    assert.equal((await call(service, 'GET', '/health')).body['status'], 'ok');
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});
