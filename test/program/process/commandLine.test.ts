// The command line as processes, over the real service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isJsonArray, isJsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import { commands } from '../../../src/program/commandLine/commandTable.ts';
import { optionsOf } from '../../../src/program/commandLine/arguments.ts';
import { textAt } from '../../service/calls.ts';
import { type CommandLine, commandLinePath, createCommandLine, finish } from '../../support/commandLine.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  startProgram,
} from '../../service/process/program.ts';

const samples = fileURLToPath(new URL('../../../media/samples/', import.meta.url));

const definition = (name: string, expression: string, waitSeconds?: number): string =>
  JSON.stringify({
    name,
    nodes: [
      { id: 'start', type: 'trigger', config: {} },
      ...(waitSeconds === undefined
        ? []
        : [{ id: 'wait', type: 'delay', config: { milliseconds: waitSeconds * 1000 } }]),
      { id: 'end', type: 'output', config: { expression } },
    ],
    edges:
      waitSeconds === undefined
        ? [{ source: 'start', target: 'end' }]
        : [
            { source: 'start', target: 'wait' },
            { source: 'wait', target: 'end' },
          ],
  });

describe('the command line', () => {
  let folder = '';
  let service: Program;
  let line: CommandLine;
  let environment: CommandLine['environment'] = {};
  const start = (...given: Parameters<CommandLine['start']>) => line.start(...given);
  const run = (...words: string[]) => line.run(...words);

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

  /** What a command writes with --json, which must end as wanted. */
  async function json(code: number, ...words: string[]): Promise<JsonValue | undefined> {
    const finished = await run(...words, '--json');
    assert.equal(finished.code, code, finished.stderr);
    const value = parseJson(finished.stdout);
    assert.notEqual(value, undefined, finished.stdout);
    return value;
  }

  async function create(name: string, expression: string, waitSeconds?: number): Promise<string> {
    const text = definition(name, expression, waitSeconds);
    const { code, stdout, stderr } = await finish(start(['workflow', 'create', '-']), text);
    assert.equal(code, 0, stderr);
    const workflowId = stdout.trim();
    assert.deepEqual(await json(0, 'workflow', 'deploy', workflowId), { workflowId, isDeployed: true });
    return workflowId;
  }

  it('has a help for each command, with its options and an example', async () => {
    const { stdout, code } = await run('help');
    assert.equal(code, 0);
    for (const command of commands) {
      assert.ok(stdout.includes(`  ${[command.name, ...command.takes].join(' ')}`), command.name);
      assert.ok(command.example.includes(`workflow-automation ${command.name}`), command.name);
    }
    // A process each would say the same: the table is what both read.
    const [execute] = commands.filter(({ name }) => name === 'workflow execute');
    assert.ok(execute);
    const own = await run('workflow', 'execute', '--help');
    assert.equal(own.stdout, (await run('help', 'workflow', 'execute')).stdout);
    for (const option of Object.keys(optionsOf(execute)))
      assert.ok(own.stdout.includes(`--${option}`), option);
    assert.match((await run('--version')).stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('refuses a wrong command line with exit code 2, and says what is right', async () => {
    for (const [words, says] of [
      [['workflow', 'nothing'], /There are: workflow list/],
      [['workflow', 'show'], /The command is: workflow-automation workflow show W/],
      [['workflow', 'list', '--nothing'], /Unknown option '--nothing'/],
      [['workflow', 'delete', 'wf_1'], /Add --yes/],
      [['workflow', 'execute', 'wf_1', '--data', '[]'], /isn't a JSON object/],
      [['workflow', 'create', 'missing.json'], /no such file/],
      [['execution', 'list', '--limit', '0'], /a number from 1 on/],
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

  it('creates, lists, shows, changes, duplicates and deletes workflows', async () => {
    const workflowId = await create('Changing', 'input');
    const listed = await json(0, 'workflow', 'list', '--search', 'changing');
    assert.deepEqual(listed, [{ id: workflowId, name: 'Changing', isDeployed: true }]);
    const file = join(folder, 'changing.workflow.json');
    const shown = await run('workflow', 'show', 'Changing');
    await writeFile(file, shown.stdout.replace('"Changing"', '"Changed"'));
    assert.deepEqual(await json(0, 'workflow', 'update', workflowId, file), { workflowId });
    assert.equal(textAt(await json(0, 'workflow', 'show', workflowId), 'name'), 'Changed');
    const copy = await json(0, 'workflow', 'duplicate', workflowId, '--name', 'Changed');
    const copyId = textAt(copy, 'workflowId');
    const two = await run('workflow', 'show', 'Changed');
    assert.equal(two.code, 2);
    assert.ok(two.stderr.includes(workflowId) && two.stderr.includes(copyId));
    assert.deepEqual(await json(0, 'workflow', 'undeploy', workflowId), { workflowId, isDeployed: false });
    for (const id of [workflowId, copyId])
      assert.deepEqual(await json(0, 'workflow', 'delete', id, '--yes'), { workflowId: id });
    assert.equal((await run('workflow', 'show', workflowId)).code, 3);
  });

  it('executes, waits, and reads what came of it', async () => {
    const workflowId = await create('Doubling', 'input.amount * 2');
    const value = await json(0, 'workflow', 'execute', 'Doubling', '--data', '{"amount": 4}', '--wait');
    assert.ok(isJsonObject(value));
    assert.deepEqual([value['status'], value['output'], value['error']], ['completed', 8, null]);
    const executionId = textAt(value, 'executionId');
    assert.deepEqual(await json(0, 'execution', 'list', '--workflow', 'Doubling'), [
      { id: executionId, workflowId, status: 'completed' },
    ]);
    assert.equal(textAt(await json(0, 'execution', 'show', executionId), 'id'), executionId);
    assert.equal(await json(0, 'execution', 'output', executionId), 8);
    const rows = await json(0, 'execution', 'logs', executionId);
    assert.ok(isJsonArray(rows) && rows.length > 0);
    const followed = await run('execution', 'logs', executionId, '--follow');
    assert.equal(followed.code, 0);
    assert.match(followed.stdout, /^\d{4}-\d\d-\d\d .*\[info\] /m);
    assert.equal(await json(0, 'execution', 'explain', executionId), null);
    assert.equal((await run('execution', 'explain', executionId)).stdout, "The execution didn't fail.\n");
    const waited = await run('workflow', 'execute', workflowId, '--data', '{"amount": 5}', '--wait');
    assert.equal(waited.stdout, '10\n');
    assert.match(waited.stderr, /\[info\] end/);
  });

  it('ends with 1 where an execution failed, explains it, and retries it', async () => {
    await create('Failing', '$number(input.amount.text)');
    const value = await json(
      1,
      'workflow',
      'execute',
      'Failing',
      '--data',
      '{"amount": {"text": "x"}}',
      '--wait',
    );
    const executionId = textAt(value, 'executionId');
    const explained = await json(0, 'execution', 'explain', executionId);
    assert.equal(textAt(explained, 'nodeId'), 'end');
    assert.equal((await run('execution', 'explain', 'exec_none')).code, 3);
    const retried = await json(1, 'execution', 'retry', executionId, '--wait');
    assert.notEqual(textAt(retried, 'executionId'), executionId);
  });

  it('executes a draft that is saved nowhere', async () => {
    await create('Drafted', '1');
    const file = join(folder, 'draft.json');
    await writeFile(file, definition('Drafted', '2'));
    const { code, stdout } = await run('workflow', 'execute', 'Drafted', '--draft', file, '--wait');
    assert.deepEqual([code, stdout], [0, '2\n']);
  });

  it('stops following with Ctrl+C, and the execution goes on until it is cancelled', async function () {
    if (process.platform === 'win32') this.skip();
    await create('Waiting', '1', 60);
    const child = start(['workflow', 'execute', 'Waiting', '--wait']);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const { code, stderr, stdout } = await finish(child);
    assert.deepEqual([code, stdout], [130, '']);
    const [, executionId = ''] = /The execution (\S+) goes on\./.exec(stderr) ?? [];
    const running = await json(0, 'execution', 'show', executionId);
    assert.match(textAt(running, 'status'), /running|waiting/);
    assert.match((await run('execution', 'explain', executionId)).stdout, /^The execution hasn't ended/);
    const timed = await run('execution', 'logs', executionId, '--follow', '--timeout', '1');
    assert.equal(timed.code, 3);
    // A process that was killed leaves nothing behind that keeps others from going on.
    const killed = start(['execution', 'logs', executionId, '--follow']);
    killed.stdout?.once('data', () => killed.kill('SIGKILL'));
    await finish(killed);
    const cancelled = await json(0, 'execution', 'cancel', executionId);
    assert.equal(textAt(cancelled, 'executionId'), executionId);
    assert.equal(await json(0, 'execution', 'explain', executionId), null);
  });

  it('ends quietly where nobody reads any more', async () => {
    const child = start(['workflow', 'list']);
    child.stdout?.destroy();
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin?.end();
    await once(child, 'close');
    assert.deepEqual([child.exitCode, stderr], [0, '']);
  });

  it('checks definitions without a service', async () => {
    const good = join(samples, 'order-totals.json');
    assert.deepEqual(await json(0, 'check', good), []);
    const file = join(folder, 'broken.workflow.json');
    await writeFile(file, definition('Broken', '1').replace('"target":"end"', '"target":"nowhere"'));
    const problems = await json(1, 'check', good, file);
    assert.ok(isJsonArray(problems));
    assert.equal(textAt(problems[0], 'file'), file);
    assert.match((await run('check', file)).stdout, /broken\.workflow\.json:1:\d+: error: /);
    // They take far longer to check than a check may take.
    const manyExpressions = Array.from({ length: 350_000 }, (_, n) => `{{ a${n} }}`).join('');
    const endless = join(folder, 'endless.workflow.json');
    await writeFile(
      endless,
      definition('Endless', manyExpressions).replace('output', 'log').replace('expression', 'message'),
    );
    const all = await json(1, 'check', good, endless);
    assert.match(
      textAt(isJsonArray(all) ? all.at(-1) : undefined, 'message'),
      /could not be checked: it took longer/,
    );
  });

  it('runs tests of workflows, for people, a CI and code', async () => {
    await create('Tested', 'input.amount * 2');
    const test = (name: string, output: number) => ({
      name,
      input: { amount: 2 },
      expected: { status: 'completed', output },
    });
    const file = join(folder, 'tested.workflow-test.json');
    await writeFile(
      file,
      JSON.stringify({ workflow: 'Tested', tests: [test('doubles', 4), test('<fails>', 5)] }),
    );
    const spec = await run('test', '--coverage');
    assert.equal(spec.code, 1, spec.stderr);
    assert.match(spec.stdout, /✓ doubles[^]*✗ <fails>[^]*1 passed, 1 failed[^]*2 of 2 nodes ran/);
    const junit = await run('test', file, '--reporter', 'junit');
    assert.match(junit.stdout, /tests="2" failures="1"[^]*name="&lt;fails&gt;"[^]*<failure message=/);
    const results = await json(1, 'test', file);
    assert.ok(isJsonArray(results));
    assert.deepEqual(
      results.map((each) => textAt(each, 'outcome')),
      ['passed', 'failed'],
    );
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
    await create('Order totals', 'input.orderId');
    const place = join(folder, 'pipeline');
    await mkdir(join(place, 'workflows'), { recursive: true });
    await writeFile(join(place, 'workflows/totals.workflow.json'), definition('Order totals', '1'));
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
