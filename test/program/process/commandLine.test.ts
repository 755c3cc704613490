// The command line as processes, over the real service.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { isJsonArray } from '../../../src/base/json.ts';
import { textAt } from '../../service/calls.ts';
import { type CommandLine, commandLinePath, createCommandLine, finish } from '../../support/commandLine.ts';
import { chain, createDeployed, describeServiceCommands } from './serviceCommands.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  startProgram,
} from '../../service/process/program.ts';

const samples = fileURLToPath(new URL('../../../media/samples/', import.meta.url));

describeServiceCommands('a service on SQLite', async (folder) => {
  const data = join(folder, 'data');
  const service = await startProgram(data);
  return { baseUrl: service.baseUrl, key: await createKey(data), close: () => service.terminate() };
});

describe('the command line', () => {
  let folder = '';
  let service: Program;
  let line: CommandLine;
  let environment: CommandLine['environment'] = {};
  const start = (...given: Parameters<CommandLine['start']>) => line.start(...given);
  const run = (...words: string[]) => line.run(...words);
  const json: CommandLine['json'] = (...given) => line.json(...given);

  before(async () => {
    folder = await createDataFolder();
    const data = join(folder, 'data');
    service = await startProgram(data);
    line = createCommandLine(folder, service.baseUrl, await createKey(data));
    ({ environment } = line);
  });

  after(async () => {
    await service.terminate();
    await removeDataFolder(folder);
  });

  it('has a help and a version', async () => {
    const { code, stdout, stderr } = await run('workflow', 'execute', '--help');
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout, (await run('help', 'workflow', 'execute')).stdout);
    assert.match((await run('--version')).stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('refuses a wrong command line with exit code 2, and says what is right', async () => {
    for (const [words, says] of [
      [['workflow', 'nothing'], /There are: workflow list/],
      [['serve', '--port', '1'], /There's no command "serve"\. workflow-automation help lists/],
      [['--json', 'workflow', 'list'], /The command comes first, then its options\./],
      [['workflow', 'show'], /The command is: workflow-automation workflow show W/],
      [['workflow', 'list', '--nothing'], /Unknown option '--nothing'/],
      [['workflow', 'delete', 'wf_1'], /Add --yes/],
      [['workflow', 'execute', 'wf_1', '--data', '[]'], /isn't a JSON object/],
      [['workflow', 'create', 'missing.json'], /no such file/],
      [['execution', 'list', '--limit', '0'], /a number from 1 on/],
      [['execution', 'list', '--search', 'status:fialed'], /Did you mean failed\?/],
      [['execution', 'list', '--search', '', '--json'], /Enter a text/],
      [['workflow', 'list', '--url', 'http://example.com/v1'], /must start with https/],
      [['test', '--reporter', 'other'], /one of: spec, junit, json/],
    ] as const) {
      const { code, stdout, stderr } = await run(...words);
      assert.equal(code, 2, words.join(' '));
      assert.match(stderr, says);
      assert.equal(stdout, '');
    }
  });

  it('takes no key as an argument, and repeats none', async () => {
    const key = environment['WORKFLOW_API_KEY'] ?? '';
    for (const words of [['--key', 'abc'], [`--api-key=${key}`], ['--url', `https://host/v1?${key}`]]) {
      const { code, stderr } = await run('workflow', 'list', ...words);
      assert.equal(code, 2);
      assert.match(stderr, /can't be an argument/);
      assert.ok(!stderr.includes(key));
    }
    const { WORKFLOW_API_KEY: _, ...none } = environment;
    const { code, stderr } = await finish(start(['workflow', 'list'], none));
    assert.equal(code, 2);
    assert.match(stderr, /Set WORKFLOW_API_KEY/);
  });

  it('ends with 3 where the service refuses or is out of reach', async () => {
    const rejected = { ...environment, WORKFLOW_API_KEY: 'svc_sk_' + 'x'.repeat(32) };
    const refused = await finish(start(['workflow', 'list'], rejected));
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /^The service rejected the API key/);
    const gone = await run('workflow', 'list', '--url', 'http://127.0.0.1:9/v1');
    assert.equal(gone.code, 3);
    assert.equal(gone.stderr, "The service can't be reached: connection refused.\n");
    assert.equal((await run('execution', 'show', 'exec_none')).code, 3);
  });

  /** What a command ends with whose result nobody reads. */
  async function endUnread(...words: readonly string[]) {
    const child = start(words);
    child.stdout?.destroy();
    const { code, stderr } = await finish(child);
    return [code, stderr];
  }

  it('ends quietly where nobody reads any more, and the execution that it follows goes on', async () => {
    assert.deepEqual(await endUnread('workflow', 'list'), [0, '']);
    const workflowId = await createDeployed(line, 'Unread', '1', 60);
    const [started] = (await run('workflow', 'execute', workflowId)).stdout.split('\n');
    const executionId = started ?? assert.fail();
    assert.deepEqual(await endUnread('execution', 'logs', executionId, '--follow'), [0, '']);
    const { status } = v.parse(
      v.looseObject({ status: v.string() }),
      await json(0, 'execution', 'cancel', executionId),
    );
    assert.match(status, /^(?:cancelled|running|waiting)$/);
  });

  it('says by its exit code that a test failed, also where nobody reads the report', async () => {
    await createDeployed(line, 'Unread test', '1');
    const file = join(folder, 'unread.workflow-test.json');
    const tests = [{ name: 'fails', expected: { status: 'completed', output: 2 } }];
    await writeFile(file, JSON.stringify({ workflow: 'Unread test', tests }));
    assert.deepEqual(await endUnread('test', file), [1, '']);
  });

  it('looks for tests in all folders that it may read, and names the others', async function () {
    if (process.platform === 'win32') this.skip();
    const place = await mkdtemp(join(tmpdir(), 'unreadable-'));
    await mkdir(join(place, 'locked'), { mode: 0 });
    // Root may read all.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    await chmod(place, 0o755);
    const child = spawn(process.execPath, [commandLinePath, 'test'], { cwd: place, ...nobody });
    const { code, stderr } = await finish(child);
    await rm(place, { recursive: true });
    const said = [
      "Can't read locked: it isn't allowed.",
      "There's no *.workflow-test.json below this folder.",
      '',
    ];
    assert.deepEqual([code, stderr], [2, said.join('\n')]);
  });

  it('writes all that it says before it ends, however much a pipe holds', async function () {
    if (process.platform === 'win32') this.skip();
    const path = 'a'.repeat(120_000);
    const script = '"$0" "$1" check "$2" 2>&1 >/dev/null | dd bs=1 2>/dev/null';
    const child = spawn('sh', ['-c', script, process.execPath, commandLinePath, path]);
    assert.equal(await text(child.stdout), `Can't read ${path}: it failed.\n`);
  });

  it('says that a result is not written, where the disk is full', async function () {
    if (process.platform !== 'linux') this.skip();
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [commandLinePath, 'help'], { stdio: ['ignore', full.fd, 'pipe'] });
    const says = await text(child.stderr ?? assert.fail());
    await full.close();
    assert.match(says, /^The result can't be written: ENOSPC/);
    assert.equal(child.exitCode ?? (await once(child, 'close'))[0], 3);
  });

  it('ends by its time, also while it waits for stdin', async () => {
    const child = start(['workflow', 'create', '-', '--timeout', '1']);
    const says = await text(child.stderr ?? assert.fail());
    assert.match(says, /^It took longer than --timeout allows\./);
    assert.equal(child.exitCode ?? (await once(child, 'close'))[0], 3);
  });

  it('checks definitions without a service', async () => {
    const good = join(samples, 'order-totals.json');
    assert.deepEqual(await json(0, 'check', good), []);
    const file = join(folder, 'broken.workflow.json');
    await writeFile(file, chain('Broken', '1').replace('"target":"end"', '"target":"nowhere"'));
    const problems = await json(1, 'check', good, file);
    assert.ok(isJsonArray(problems));
    assert.equal(textAt(problems[0], 'file'), file);
    assert.match((await run('check', file)).stdout, /broken\.workflow\.json:1:\d+: error: /);
    // They take far longer to check than a check may take.
    const manyExpressions = Array.from({ length: 350_000 }, (_, n) => `{{ a${n} }}`).join('');
    const endless = join(folder, 'endless.workflow.json');
    await writeFile(
      endless,
      chain('Endless', manyExpressions).replace('output', 'log').replace('expression', 'message'),
    );
    const all = await json(1, 'check', good, endless);
    assert.match(
      textAt(isJsonArray(all) ? all.at(-1) : undefined, 'message'),
      /could not be checked: it took longer/,
    );
  });

  it('tests with files of the workspace alone, as a window does', async () => {
    await createDeployed(line, 'Tested from a file', '2');
    const workspace = join(folder, 'workspace');
    const elsewhere = join(folder, 'elsewhere');
    for (const each of [join(workspace, 'tests'), elsewhere]) await mkdir(each, { recursive: true });
    const definition = chain('Tested from a file', '1');
    await writeFile(join(workspace, 'near.workflow.json'), definition);
    await writeFile(join(folder, 'far.workflow.json'), definition);
    const tests = [{ name: 'one', expected: { status: 'completed', output: 1 } }];
    const { start: startThere } = createCommandLine(
      workspace,
      service.baseUrl,
      environment['WORKFLOW_API_KEY'] ?? '',
    );
    for (const [place, workflow, outcome] of [
      [join(workspace, 'tests'), '../near.workflow.json', 'passed'],
      [join(workspace, 'tests'), '../../far.workflow.json', 'errored'],
      [workspace, join(folder, 'far.workflow.json'), 'errored'],
      // Of a test outside of the folder, its own folder counts.
      [elsewhere, '../far.workflow.json', 'errored'],
      [folder, './far.workflow.json', 'passed'],
    ] as const) {
      const file = join(place, 'files.workflow-test.json');
      await writeFile(file, JSON.stringify({ workflow, tests }));
      const { stdout, stderr } = await finish(startThere(['test', file, '--json']));
      const [result] = v.parse(v.array(v.looseObject({})), JSON.parse(stdout));
      assert.equal(result?.['outcome'], outcome, `${stdout}${stderr}`);
      if (outcome === 'errored') assert.equal(result['message'], 'A test uses only files of the workspace.');
    }
  });

  it('takes the service from workflows.json', async () => {
    const { WORKFLOW_BASE_URL: url = '', WORKFLOW_API_KEY: key = '', ...rest } = environment;
    await writeFile(join(folder, 'workflows.json'), JSON.stringify({ environments: { 'near-by': { url } } }));
    const variables = { ...rest, WORKFLOW_API_KEY: 'other', WORKFLOW_API_KEY_NEAR_BY: key };
    assert.equal((await finish(start(['workflow', 'list', '--environment', 'near-by'], variables))).code, 0);
    const other = await finish(start(['workflow', 'list', '--environment', 'far'], variables));
    assert.equal(other.code, 2);
    assert.match(other.stderr, /It has: near-by/);
  });

  it('does what its page of the guide shows', async function () {
    if (process.platform === 'win32') this.skip();
    const page = await readFile(new URL('../../../media/guide/command-line.md', import.meta.url), 'utf8');
    const written = [...page.matchAll(/^(?: +- run: )?workflow-automation (.+)$/gm)].map(
      ([, words = '']) => words,
    );
    assert.ok(written.length >= 5);
    await createDeployed(line, 'Order totals', 'input.orderId');
    const place = join(folder, 'pipeline');
    await mkdir(join(place, 'workflows'), { recursive: true });
    await writeFile(join(place, 'workflows/totals.workflow.json'), chain('Order totals', '1'));
    const expected = { status: 'completed', output: 7 };
    const tests = [{ name: 'counts', input: { orderId: 7 }, expected }];
    await writeFile(
      join(place, 'totals.workflow-test.json'),
      JSON.stringify({ workflow: 'Order totals', tests }),
    );
    for (const words of written)
      await promisify(execFile)('sh', ['-ec', `"$NODE" "$PROGRAM" ${words}`], {
        cwd: place,
        env: { PATH: process.env['PATH'], ...environment, NODE: process.execPath, PROGRAM: commandLinePath },
      });
    assert.match(await readFile(join(place, 'results.xml'), 'utf8'), /failures="0"/);
  });

  it('is packed for npm with the service, and nothing of VS Code', async function () {
    if (process.platform === 'win32') this.skip();
    const pack = promisify(execFile);
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const { stdout } = await pack('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
    await pack('tar', ['-xzf', join(folder, stdout.trim())], { cwd: folder });
    const names = await readdir(join(folder, 'package/dist'));
    assert.deepEqual(names.toSorted(), [
      'THIRD_PARTY_NOTICES.txt',
      'cli.js',
      'mask.js',
      'programs',
      'sandbox.js',
      'service.js',
      'serviceMain.js',
    ]);
    const own = join(folder, 'package/dist/cli.js');
    for (const words of [['--version'], ['service', '--help'], ['check', join(samples, 'order-totals.json')]])
      await pack(process.execPath, [own, ...words], { cwd: folder });
  });

  it('offers tools to a model until its input ends', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const child = start(['mcp']);
    child.stdin?.write(`${message}\n`);
    const answer: unknown = (await once(child.stdout ?? child, 'data')).at(0);
    assert.match(String(answer), /"workflow-automation"/);
    assert.equal((await finish(child)).code, 0);
  });

  it("hands on to the local service's program", async () => {
    const { code, stdout } = await run('service', '--help');
    assert.equal(code, 0);
    assert.match(stdout, /serve/);
  });
});
