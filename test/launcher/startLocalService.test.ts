// Windows start, share and leave the local service; none may end with a service of its own or a stale one.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LaunchError } from '../../src/domain/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { sessionHeader } from '../../src/protocol/operations.ts';
import { type RunningLocalService, startLocalService } from '../../src/launcher/startLocalService.ts';
import { listen } from '../../src/service/process/listen.ts';
import { createTestService } from '../support/service.ts';
import {
  createDataFolder,
  keeping,
  programPath,
  removeDataFolder,
  startProgram,
} from '../service/process/program.ts';
import { readInstance } from '../../src/protocol/localService/instance.ts';
import { readLastPort } from '../../src/protocol/localService/lastPort.ts';

describe('Starting or joining the local service', () => {
  let dataFolder = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  const open = (
    servicePath = programPath,
    signal = new AbortController().signal,
    readSecretsKey = keeping.readSecretsKey,
  ): Promise<RunningLocalService> =>
    startLocalService({
      nodePath: process.execPath,
      servicePath,
      dataFolder,
      samples: true,
      ...keeping,
      readSecretsKey,
      signal,
      logger: silentLogger,
    });
  const whenEnded = (service: RunningLocalService): Promise<void> =>
    new Promise((resolve) => service.onDidEnd(resolve));

  it('starts one service for two windows at the same time, and both notice its end', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    assert.equal(one.baseUrl, other.baseUrl);
    const headers = { [sessionHeader]: one.sessionToken };
    assert.equal((await fetch(`${one.origin}/settings/api-keys`, { headers })).status, 200);
    const heard = whenEnded(other);
    await one.stop();
    await heard;
    one.dispose();
    other.dispose();
  });

  it('follows a crashed service at its address', async () => {
    const crashed = await startProgram(dataFolder);
    await crashed.kill();
    assert.equal((await readInstance(dataFolder))?.baseUrl, crashed.baseUrl);
    const service = await open();
    assert.equal(service.baseUrl, crashed.baseUrl);
    await service.stop();
    service.dispose();
  });

  it('keeps its address after a stop and a start', async () => {
    const first = await open();
    await first.stop();
    first.dispose();
    const second = await open();
    assert.equal(second.baseUrl, first.baseUrl);
    assert.notEqual(second.sessionToken, first.sessionToken);
    await second.stop();
    second.dispose();
  });

  it('takes another address when another program listens at the address of the stopped service, and sends it nothing', async () => {
    const first = await open();
    await first.stop();
    first.dispose();
    const heard: (string | undefined)[] = [];
    const squatter = createServer((request, response) => {
      heard.push(request.url);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"proof":true}');
    }).listen(Number(new URL(first.baseUrl).port), '127.0.0.1');
    await once(squatter, 'listening');
    const second = await open();
    assert.notEqual(second.baseUrl, first.baseUrl);
    assert.deepEqual(heard, []);
    await second.stop();
    second.dispose();
    squatter.close();
    squatter.closeAllConnections();
  });

  it('takes any port if the stored last port is invalid', async () => {
    const path = join(dataFolder, 'instance.port');
    for (const text of [
      '',
      'port',
      '80',
      '1023',
      '65536',
      '0x1f90',
      ' 8080',
      '8080\n',
      '808080',
      '9'.repeat(100_000),
    ]) {
      await writeFile(path, text);
      assert.equal(await readLastPort(dataFolder), 0, text.slice(0, 10));
    }
    await writeFile(path, '8080');
    assert.equal(await readLastPort(dataFolder), 8080);
    await writeFile(path, '-1');
    const service = await open();
    assert.equal(await readLastPort(dataFolder), Number(new URL(service.baseUrl).port));
    await service.stop();
    service.dispose();
  });

  it('takes another address when another program has taken that of the crashed service', async () => {
    const crashed = await startProgram(dataFolder);
    await crashed.kill();
    const squatter = createServer((_request, response) => response.writeHead(404).end()).listen(
      Number(new URL(crashed.baseUrl).port),
      '127.0.0.1',
    );
    await once(squatter, 'listening');
    const service = await open();
    assert.notEqual(service.baseUrl, crashed.baseUrl);
    await service.stop();
    service.dispose();
    squatter.close();
    squatter.closeAllConnections();
  });

  it('joins a service that was started by hand, and notices its crash', async () => {
    const program = await startProgram(dataFolder);
    const service = await open();
    assert.equal(service.baseUrl, program.baseUrl);
    const heard = whenEnded(service);
    await program.kill();
    await heard;
    service.dispose();
  });

  it('starts another one if the one that it joins ends before it has taken the key', async () => {
    const program = await startProgram(dataFolder);
    let keysRead = 0;
    const service = await open(programPath, undefined, async () => {
      keysRead += 1;
      if (keysRead === 1) await program.kill();
      return 'a key of thirty-two characters or more';
    });
    assert.equal((await fetch(`${service.origin}/health`)).status, 200);
    assert.equal(keysRead, 2);
    await service.stop();
    service.dispose();
  });

  it('reports what the program wrote when it cannot start', async () => {
    const broken = join(dataFolder, 'broken.mjs');
    await writeFile(broken, "throw new Error('No such luck.');");
    await assert.rejects(open(broken), (error) => {
      assert.ok(error instanceof LaunchError);
      assert.deepEqual(error.reason, { kind: 'notStarted', words: 'No such luck.' });
      return /^The local service ended immediately\. [^]*No such luck\.\n +at /.test(error.message);
    });
  });

  it('starts the program with a limit for short-lived objects', async () => {
    const telling = join(dataFolder, 'telling.mjs');
    await writeFile(telling, 'console.error(`has ${process.execArgv}`); process.exit(1);');
    await assert.rejects(open(telling), /has --max-semi-space-size=8$/);
  });

  it('reports why its folder cannot be used', async () => {
    await removeDataFolder(dataFolder);
    await writeFile(dataFolder, '');
    await assert.rejects(
      open(),
      (error) => error instanceof LaunchError && error.reason.kind === 'notStarted',
    );
  });

  it('stops waiting when it is cancelled', async () => {
    const reason = new Error('cancelled');
    await assert.rejects(open(programPath, AbortSignal.abort(reason)), reason);
  });

  it('lets the service end when the last window has closed, over a real socket', async () => {
    let isEnded = false;
    const end = Promise.withResolvers<undefined>();
    const service = await createTestService({
      onEnd: () => {
        isEnded = true;
        end.resolve(undefined);
      },
    });
    const listener = await listen(service.app, 0);
    const lease = async () => {
      const closing = new AbortController();
      const response = await fetch(`http://127.0.0.1:${listener.port}/settings/lease`, {
        headers: { [sessionHeader]: service.sessionToken },
        signal: closing.signal,
      });
      await response.body?.getReader().read();
      return closing;
    };
    const [first, second] = await Promise.all([lease(), lease()]);
    first.abort();
    const third = await lease();
    second.abort();
    assert.equal(isEnded, false);
    third.abort();
    await end.promise;
    await listener.close();
    await service.dispose();
  });

  it('ends at once for a signal, with a window still holding it', async () => {
    const program = await startProgram(dataFolder);
    const service = await open();
    const heard = whenEnded(service);
    program.child.kill('SIGTERM');
    await Promise.all([heard, once(program.child, 'exit')]);
    service.dispose();
  });
});
