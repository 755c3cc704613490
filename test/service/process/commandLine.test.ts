// The words of the command line are fixed; scripts and the tests of others hold them.
import { noKeys } from '../../../src/service/secrets/secrets.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, parseJson } from '../../../src/base/json.ts';
import { readCommand } from '../../../src/service/process/commandLine.ts';
import { at, listAt, textAt } from '../calls.ts';
import { createDataFolder, createKey, removeDataFolder, runProgram, startProgram } from './program.ts';

const url = 'postgres://u:secret-word@h/d';
/** What one execution may take unless an option says otherwise. */
const limits = { iterations: 100_000, bytes: 1024 * 1024 * 1024 };

describe('The command line', () => {
  let dataFolder = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /A command is missing/],
    ['run', /"run" isn't a command/],
    ['serve --port 0', /--data or --database-url is missing/],
    ['serve --data x', /--port is missing/],
    ['serve --data x --port 70000', /--port must be a number from 0 to 65535/],
    ['serve --data x --port 0 --requests-per-minute none', /--requests-per-minute must be a number/],
    ['serve --data x --port 0 --fast', /--fast/],
    ['serve --data x --port 0 --max-iterations 0', /--max-iterations must be a number from 1 to 9999999/],
    [`worker --database-url ${url} --max-mebibytes 0`, /--max-mebibytes must be a number from 1 to 1000000/],
    ['keys create --data x --name a --expiration 7d', /--expiration must be one of 30d, 90d, 1y, never/],
    ['keys create --data x --expiration 30d', /--name is missing/],
    ['keys revoke --data x', /--id is missing/],
    ['serve --data x --port 0 --no-worker', /--no-worker is only for a service with --database-url/],
    [`serve --data x --database-url ${url} --port 0`, /--data and --database-url can't be used together/],
    [`serve --database-url ${url} --samples`, /--samples is only for a service with --data/],
    ['serve --database-url x', /must look like postgres:/],
    [`serve --database-url ${url} --host 0.0.0.0`, /needs --public-url or --behind-proxy.*TLS/s],
    [`serve --database-url ${url} --public-url https://a.example --behind-proxy`, /can't be used together/],
    [`serve --database-url ${url} --public-url http://a.example`, /--public-url must look like https/],
    [`serve --database-url ${url} --public-url https://a.example/v1`, /--public-url must look like https/],
    [`serve --database-url ${url} --no-worker --concurrency 2`, /can't be used together/],
    ['worker', /--database-url is missing/],
    [`worker --database-url ${url} --port 0`, /--port is only for a worker with --metrics/],
    [`worker --database-url ${url} --metrics`, /--port is missing/],
    [`worker --database-url ${url} --metrics --port 0 --host ::`, /needs --public-url or --behind-proxy/],
    ['serve --data x --port 0 --metrics', /--metrics is only for a service with --database-url/],
    [`worker --database-url ${url} --concurrency 0`, /--concurrency must be a number from 1 to 1000/],
    ['migrate', /--database-url is missing/],
  ];
  for (const [words, reason] of wrong)
    it(`refuses "${words}"`, () =>
      assert.throws(() => readCommand(words.split(' ').filter(Boolean)), {
        name: 'UsageError',
        message: reason,
      }));

  it('reads serve with its defaults', () =>
    assert.deepEqual(readCommand(['serve', '--samples', '--data', 'd', '--port', '0']), {
      kind: 'serve',
      dataFolder: 'd',
      port: 0,
      requestsPerMinute: 60,
      keepDays: 30,
      keepExecutions: 10_000,
      limits,
      refusesPrivateAddresses: false,
      secretsKeys: noKeys,
      hasSamples: true,
      isLeased: false,
    }));

  it('reads serve on a database with its defaults, the URL also from DATABASE_URL', () => {
    const expected = {
      kind: 'serveTeam',
      address: { url, name: 'h:5432/d' },
      host: '127.0.0.1',
      port: 8080,
      hosts: { kind: 'loopback' },
      requestsPerMinute: 60,
      keepDays: 30,
      keepExecutions: 10_000,
      limits,
      refusesPrivateAddresses: false,
      secretsKeys: noKeys,
      concurrency: 64,
      hasMetrics: false,
    };
    assert.deepEqual(readCommand(['serve', '--database-url', url]), expected);
    assert.deepEqual(readCommand(['serve'], { DATABASE_URL: url }), expected);
    const data = readCommand(['serve', '--data', 'd', '--port', '0'], { DATABASE_URL: url });
    assert.equal(data.kind, 'serve');
  });

  it('reads which hosts may reach a service on a database', () => {
    const read = (...more: string[]) => {
      const command = readCommand(['serve', '--database-url', url, ...more]);
      assert.equal(command.kind, 'serveTeam');
      return [command.host, command.hosts];
    };
    const origin = 'https://a.example';
    const isPublic = { kind: 'public', origin };
    assert.deepEqual(read('--host', '[::1]'), ['::1', { kind: 'loopback' }]);
    assert.deepEqual(read('--host', '0.0.0.0', '--public-url', `${origin}/`), ['0.0.0.0', isPublic]);
    assert.deepEqual(read('--host', '::', '--behind-proxy'), ['::', { kind: 'proxy' }]);
  });

  it('reads workers, migrations and keys on a database', () => {
    const address = { url, name: 'h:5432/d' };
    assert.deepEqual(
      readCommand(['worker', '--concurrency', '3', '--max-iterations', '5'], { DATABASE_URL: url }),
      {
        kind: 'worker',
        address,
        concurrency: 3,
        limits: { iterations: 5, bytes: limits.bytes },
        refusesPrivateAddresses: false,
        secretsKeys: noKeys,
      },
    );
    assert.deepEqual(
      readCommand(
        `worker --database-url ${url} --metrics --port 9 --host localhost --max-mebibytes 2`.split(' '),
      ),
      {
        kind: 'worker',
        address,
        concurrency: 64,
        limits: { iterations: limits.iterations, bytes: 2 * 1024 * 1024 },
        refusesPrivateAddresses: false,
        secretsKeys: noKeys,
        metrics: { host: 'localhost', port: 9, hosts: { kind: 'loopback' } },
      },
    );
    assert.deepEqual(readCommand(['migrate', '--database-url', url]), { kind: 'migrate', address });
    assert.deepEqual(readCommand(['keys', 'list', '--database-url', url]), {
      kind: 'listKeys',
      location: { address },
    });
  });

  for (const words of ['--help', '-h', 'help', 'serve --help', 'keys create -h', 'worker --help --port'])
    it(`prints help for "${words}" on stdout`, async () => {
      const { code, stdout, stderr } = await runProgram(...words.split(' '));
      assert.deepEqual([code, stderr], [0, '']);
      for (const command of ['serve --data', 'serve --database-url', 'worker', 'migrate', 'keys create'])
        assert.ok(stdout.includes(`\n  ${command} `), stdout);
    });

  it('prints the usage and exits with 2', async () => {
    const { code, stdout, stderr } = await runProgram('keys', 'create');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /--expiration is missing\.\nUsage:/);
  });

  it('serves with samples, makes and revokes keys beside it, refuses a second service, ends cleanly', async () => {
    const program = await startProgram(dataFolder, '--samples');
    const key = await createKey(dataFolder);
    const ask = async () =>
      fetch(`${program.baseUrl}/workflows`, { headers: { Authorization: `Bearer ${key}` } });
    assert.equal(listAt((await (await ask()).json()) as JsonObject, 'data').length, 3);

    const second = await runProgram('serve', '--data', dataFolder, '--port', '0');
    assert.equal(second.code, 3);
    assert.ok(second.stderr.includes(program.baseUrl), second.stderr);

    const listed = parseJson((await runProgram('keys', 'list', '--data', dataFolder)).stdout);
    const id = textAt(listed, 0, 'id');
    assert.equal((await runProgram('keys', 'revoke', '--data', dataFolder, '--id', id)).code, 0);
    assert.equal((await ask()).status, 401);
    assert.equal((await runProgram('keys', 'revoke', '--data', dataFolder, '--id', 'key_none')).code, 1);

    program.child.kill('SIGTERM');
    await once(program.child, 'exit');
    if (process.platform !== 'win32') {
      assert.equal(program.child.exitCode, 0);
      assert.deepEqual((await readdir(dataFolder)).sort(), ['instance.lock', 'instance.port', 'service.db']);
    }
    const left = parseJson((await runProgram('keys', 'list', '--data', dataFolder)).stdout);
    assert.equal(at(left, 0, 'requestCount'), 1);
    for (const file of await readdir(dataFolder))
      assert.ok(!(await readFile(join(dataFolder, file))).includes(key), `${file} holds the key`);
  });

  it('keeps the session token from other users', async function () {
    if (process.platform === 'win32') this.skip();
    const program = await startProgram(dataFolder);
    const { mode } = await stat(join(dataFolder, 'instance.json'));
    assert.equal(mode & 0o777, 0o600);
    await program.kill();
  });
});
