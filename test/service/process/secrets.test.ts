// Secrets from the command line: encrypted with a key that isn't with the data, and never said again.
import assert from 'node:assert/strict';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isJsonObject, type JsonObject, parseJson } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { reasonOf } from '../../../src/base/reason.ts';
import { readCommand } from '../../../src/service/process/commandLine.ts';
import { runSecrets } from '../../../src/service/process/secretsCommands.ts';
import { at, call, chain, createDeployed, execute, follow, runToEnd, textAt } from '../calls.ts';
import { HearingServers } from '../engine/hearingServers.ts';
import {
  createDataFolder,
  createKey,
  type Finished,
  type ProgramInput,
  removeDataFolder,
  runProgramWith,
  serviceOf,
  startProcess,
} from './program.ts';

const firstKey = { WORKFLOW_SECRETS_KEY: 'the first key, of 32 characters or more' };
const secondKey = { WORKFLOW_SECRETS_KEY: 'the second key, of 32 characters or more' };
const value = 'a value of a secret';

describe('Secrets from the command line', () => {
  let dataFolder = '';
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(() => removeDataFolder(dataFolder));

  const secrets = (input: ProgramInput, ...words: string[]): Promise<Finished> =>
    runProgramWith(input, 'secrets', ...words, '--data', dataFolder);
  const set = (stdin: string, environment: Readonly<Record<string, string>> = firstKey) =>
    secrets({ stdin, environment }, 'set', 'TOKEN');
  const linesOf = ({ stdout }: Finished): readonly JsonObject[] =>
    stdout
      .split('\n')
      .map((line) => parseJson(line))
      .filter((line) => line !== undefined && isJsonObject(line));
  /** Returns why the command is refused, in this process, or nothing. */
  const refusalOf = async ({ stdin = '', environment = {} }: ProgramInput, ...words: string[]) => {
    try {
      const command = readCommand(['secrets', ...words, '--data', dataFolder], environment);
      assert.ok('keys' in command);
      await runSecrets(command, Readable.from([Buffer.from(stdin)]), silentLogger);
      return '';
    } catch (error) {
      return reasonOf(error);
    }
  };
  /** Returns what a node with the secret sends, or why it fails. */
  const use = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const servers = new HearingServers();
    const { origin, heard } = await servers.serve((response) => void response.end());
    const words = ['serve', '--data', dataFolder, '--port', '0'];
    const { line, ...running } = await startProcess(words, [], environment);
    const service = serviceOf({ ...running, baseUrl: textAt(line, 'baseUrl') }, await createKey(dataFolder));
    const config = { url: origin, headers: { 'X-Mine': '{{ secrets.TOKEN }}' } };
    const { result } = await runToEnd(service, chain(['start', 'trigger'], ['ask', 'httpRequest', config]));
    await running.terminate();
    servers.close();
    assert.ok(!running.errors().includes(value));
    const [sent] = heard;
    return sent ? String(sent.headers['x-mine']) : textAt(result, 'error', 'message');
  };

  it('are set, listed and deleted, with their names and dates only', async () => {
    const [line] = linesOf(await set(`${value}\n`));
    assert.deepEqual(Object.keys(line ?? {}), ['name', 'updatedAt']);
    assert.deepEqual(linesOf(await secrets({}, 'list')), [line]);
    assert.equal((await secrets({}, 'delete', 'TOKEN')).code, 0);
    assert.deepEqual(linesOf(await secrets({}, 'list')), []);
    assert.match((await secrets({}, 'delete', 'TOKEN')).stderr, /There is no secret with the name TOKEN\./);
  });

  it('report what a person should know when they are set: on stderr, as a sentence, without the value', async () => {
    const setWith = (stdin: string, ...words: string[]) =>
      secrets({ stdin, environment: firstKey }, 'set', 'TOKEN', ...words);
    const anywhere = await set(value);
    assert.match(anywhere.stderr, /^TOKEN may be sent to any server that a workflow names\./);
    const origins = ['--origin', 'https://API.example.com/', '--origin=http://127.0.0.1:8080'];
    const bound = await setWith(value, ...origins);
    assert.equal(bound.stderr, '');
    const expected = ['https://api.example.com', 'http://127.0.0.1:8080'];
    assert.deepEqual(linesOf(bound)[0]?.['origins'], expected);
    assert.deepEqual(linesOf(await secrets({}, 'list'))[0]?.['origins'], expected);
    assert.match(await use(firstKey), /"TOKEN" may not go to http:\/\/127\.0\.0\.1:\d+\. If it should/);
    const risky = await setWith('Administrator', ...origins);
    assert.match(risky.stderr, /The value of TOKEN looks like an ordinary word/);
    assert.ok(!risky.stderr.includes('Administrator'));
    assert.equal(linesOf(await set(value))[0]?.['origins'], undefined);
    for (const wrong of ['api.example.com', 'https://api.example.com/v1', 'https://u:p@api.example.com'])
      assert.match(
        await refusalOf({ stdin: value, environment: firstKey }, 'set', 'TOKEN', '--origin', wrong),
        /isn't an origin\. An origin is http/,
      );
    const many = Array.from({ length: 21 }, (_, each) => `--origin=https://a${each}.example`);
    assert.match(await refusalOf({ environment: firstKey }, 'set', 'TOKEN', ...many), /at most 20 origins/);
    assert.notEqual(await refusalOf({}, 'list', '--origin', 'https://a.example'), '');
  });

  it('have no byte order mark, which some shells put before what they hand over', async () => {
    const refusal = await refusalOf({ stdin: '\ufeff\r\n', environment: firstKey }, 'set', 'TOKEN');
    assert.match(refusal, /The value is empty/);
  });

  it('are in no file in a form that can be read without the key, and a node sends the value without the newline', async () => {
    await set(`${value}\n`);
    assert.equal(await use(firstKey), value);
    for (const name of await readdir(dataFolder)) {
      const content = await readFile(join(dataFolder, name), 'latin1');
      for (const form of [value, Buffer.from(value).toString('base64').slice(0, -2)])
        assert.ok(!content.includes(form), name);
    }
  });

  for (const [what, environment, reason] of [
    ['without the key', {}, /started without the key for the stored secrets/],
    ['with another key', secondKey, /can't be read with the key that this process has/],
  ] as const)
    it(`make executions that use them wait, in a service ${what}, until they are set again or deleted`, async () => {
      await set(value);
      const servers = new HearingServers();
      const { origin, heard } = await servers.serve((response) => void response.end());
      const words = ['serve', '--data', dataFolder, '--port', '0'];
      const { line, ...running } = await startProcess(words, [], environment);
      const service = serviceOf(
        { ...running, baseUrl: textAt(line, 'baseUrl') },
        await createKey(dataFolder),
      );
      const start = ['start', 'trigger'] as const;
      const config = { url: origin, headers: { 'X-Mine': '{{ secrets.TOKEN }}' } };
      const id = await createDeployed(service, chain(start, ['ask', 'httpRequest', config]));
      const waiting = await execute(service, id, {});
      await runToEnd(service, chain(start, ['answer', 'output', { expression: '1' }]));
      const { body: health } = await call(service, 'GET', '/health');
      assert.deepEqual([health['status'], health['ready']], ['degraded', true]);
      assert.match(textAt(health, 'reason'), reason);
      assert.equal((await call(service, 'GET', `/v1/executions/${waiting}`)).body['status'], 'queued');
      if (environment === secondKey) await set(value, secondKey);
      else await secrets({}, 'delete', 'TOKEN');
      const rows = await follow(service, waiting);
      if (environment === secondKey) assert.equal(heard[0]?.headers['x-mine'], value);
      else assert.match(JSON.stringify(rows), /the secret \\"TOKEN\\" isn't set/);
      assert.equal((await call(service, 'GET', '/health')).body['status'], 'ok');
      await running.terminate();
      servers.close();
      const said = (text: string): number => running.errors().split(text).length - 1;
      assert.equal(said('Executions that use secrets wait.'), 1, running.errors());
      assert.equal(said('All stored secrets can be read again.'), 1, running.errors());
    });

  it('get another key while the service can read both', async () => {
    await set(value);
    const both = { ...secondKey, WORKFLOW_OLD_SECRETS_KEY: firstKey.WORKFLOW_SECRETS_KEY };
    assert.equal(await use(both), value);
    assert.match((await secrets({ environment: secondKey }, 'rotate')).stderr, /wasn't given: TOKEN/);
    const [line] = linesOf(await secrets({ environment: both }, 'rotate'));
    assert.equal(at(line, 'name'), 'TOKEN');
    assert.equal(await use(secondKey), value);
  });

  it('are refused without a key, and with a key that is too short or that others can read', async () => {
    assert.match((await set(value, {})).stderr, /has no key to encrypt secrets with/);
    const short = { WORKFLOW_SECRETS_KEY: 'x'.repeat(31) };
    assert.match(
      await refusalOf({ environment: short }, 'set', 'TOKEN'),
      /WORKFLOW_SECRETS_KEY must have 32 characters or more/,
    );
    const keyFile = join(dataFolder, 'key');
    const setWithFile = () => secrets({ stdin: value }, 'set', 'TOKEN', '--secrets-key-file', keyFile);
    assert.match(
      await refusalOf({}, 'set', 'TOKEN', '--secrets-key-file', keyFile),
      /--secrets-key-file can't be read/,
    );
    await writeFile(keyFile, `${firstKey.WORKFLOW_SECRETS_KEY}\n`, { mode: 0o644 });
    if (process.platform !== 'win32')
      assert.match((await setWithFile()).stderr, /Other users can read the file of --secrets-key-file/);
    await chmod(keyFile, 0o600);
    assert.equal((await setWithFile()).code, 0);
    assert.equal(await use(firstKey), value);
  });

  it('are refused with a wrong name or value', async () => {
    const environment = firstKey;
    for (const name of ['1A', 'a-b', 'A'.repeat(65)])
      assert.match(
        await refusalOf({ environment, stdin: value }, 'set', name),
        /isn't a valid name of a secret/,
      );
    assert.match(await refusalOf({ environment }, 'set'), /name of the secret is missing/);
    const refusalOfValue = (stdin: string) => refusalOf({ environment, stdin }, 'set', 'TOKEN');
    for (const empty of ['', '\n']) assert.match(await refusalOfValue(empty), /The value is empty/);
    for (const size of [16_385, 100_000])
      assert.match(await refusalOfValue('x'.repeat(size)), /exceeds 16,384 bytes/);
    assert.equal(await refusalOfValue(`${'x'.repeat(16_384)}\n`), '');
  });
});
