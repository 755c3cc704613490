// Workflows as files on the command line, as processes over two real services.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  parseJson,
  stringifyJson,
} from '../../../src/base/json.ts';
import { at, textAt } from '../../service/calls.ts';
import {
  createDataFolder,
  createKey,
  type Finished,
  type Program,
  removeDataFolder,
  startProgram,
} from '../../service/process/program.ts';
import { type CommandLine, commandLinePath, createCommandLine, finish } from '../../support/commandLine.ts';

const file = 'Order totals.workflow.json';

const definition = (expression: string, more: JsonObject = {}): JsonObject => ({
  name: 'Order totals',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'end', type: 'output', config: { expression } },
  ],
  edges: [{ source: 'start', target: 'end' }],
  ...more,
});

describe('files on the command line', () => {
  let place = '';
  let staging: Program;
  let production: Program;
  let keys: Readonly<Record<string, string>> = {};
  let folder = '';
  let line: CommandLine;

  before(async () => {
    place = await createDataFolder();
    const [one, other] = [join(place, 'one'), join(place, 'other')];
    staging = await startProgram(one);
    production = await startProgram(other);
    keys = {
      WORKFLOW_API_KEY_STAGING: await createKey(one),
      WORKFLOW_API_KEY_PRODUCTION: await createKey(other),
    };
  });
  after(async () => {
    await staging.terminate();
    await production.terminate();
    await removeDataFolder(place);
  });
  beforeEach(async () => {
    folder = join(place, crypto.randomUUID());
    await mkdir(folder);
    line = createCommandLine(folder, staging.baseUrl, '');
  });

  const variables = (): Readonly<Record<string, string>> => {
    const { WORKFLOW_BASE_URL: _url, WORKFLOW_API_KEY: _key, ...rest } = line.environment;
    return { ...rest, ...keys };
  };
  const run = (...words: string[]): Promise<Finished> => finish(line.start(['files', ...words], variables()));
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const write = (name: string, value: JsonObject): Promise<void> =>
    writeFile(join(folder, name), stringifyJson(value, 2));

  /** What a command writes with --json, by file. */
  async function steps(code: number, ...words: string[]): Promise<ReadonlyMap<string, JsonObject>> {
    const { stdout, stderr, code: ended } = await run(...words, '--json');
    assert.equal(ended, code, stderr + stdout);
    const value = parseJson(stdout);
    assert.ok(isJsonArray(value), stdout);
    return new Map(value.filter(isJsonObject).map((step) => [textAt(step, 'file'), step]));
  }

  async function begin(): Promise<void> {
    await write('workflows.json', {
      environments: {
        staging: { url: staging.baseUrl },
        production: { url: production.baseUrl, guarded: true },
      },
      default: 'staging',
    });
    await write(file, definition('1'));
  }

  async function json(name: string): Promise<JsonObject | undefined> {
    const value = parseJson(await read(name));
    return isJsonObject(value) ? value : undefined;
  }

  it('do what their page of the guide shows', async function () {
    if (process.platform === 'win32') this.skip();
    const page = await readFile(new URL('../../../media/guide/files.md', import.meta.url), 'utf8');
    const [first = '', ...others] = [...page.matchAll(/^(?: +- run: )?workflow-automation (.+)$/gm)].map(
      ([, words = '']) => words,
    );
    assert.ok(others.length >= 7);
    const shell = (words: string): Promise<unknown> =>
      promisify(execFile)('sh', ['-ec', `"$NODE" "$PROGRAM" ${words}`], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          ...variables(),
          WORKFLOW_BASE_URL: staging.baseUrl,
          NODE: process.execPath,
          PROGRAM: commandLinePath,
        },
      });
    await write('guide.json', { ...definition('1'), name: 'Guide' });
    const create = ['workflow', 'create', 'guide.json', '--url', staging.baseUrl];
    const { WORKFLOW_API_KEY_STAGING: key = '' } = keys;
    const made = await finish(line.start(create, { ...variables(), WORKFLOW_API_KEY: key }));
    assert.equal(made.code, 0, made.stderr);
    await shell(first);
    const begun = (await json('workflows.json')) ?? {};
    await write('workflows.json', {
      ...begun,
      environments: {
        staging: { url: staging.baseUrl },
        production: { url: production.baseUrl, guarded: true },
      },
    });
    const tests = [{ name: 'ends', input: {}, expected: { status: 'completed' } }];
    const workflow = Object.keys(at(begun, 'workflows') ?? {})[0] ?? '';
    await write('one.workflow-test.json', { workflow: `./${workflow}`, tests });
    for (const words of others) await shell(words);
    assert.match(await read('results.xml'), /failures="0"/);
  });

  it('come from a clone to deployed on a second service', async () => {
    await begin();
    const planned = await steps(0, 'push', '--deploy', '--dry-run');
    assert.equal(at(planned.get(file), 'action'), 'create');
    assert.equal(at((await steps(0, 'status')).get(file), 'state'), 'only here');
    const pushed = (await steps(0, 'push', '--deploy')).get(file);
    assert.deepEqual([at(pushed, 'action'), at(pushed, 'done')], ['create', true]);
    const workflowId = textAt(pushed, 'workflowId');
    assert.deepEqual(at(parseJson(await read('workflows.json')), 'workflows'), {
      [file]: { staging: workflowId },
    });
    const promote = ['promote', '--from', 'staging', '--to', 'production', '--deploy', file];
    for (const wrong of [[], ['--confirm', 'staging']]) {
      const { code, stderr } = await run(...promote, ...wrong);
      assert.equal(code, 2);
      assert.match(stderr, /"production" is guarded. Add --confirm production/);
    }
    assert.equal(at((await steps(0, ...promote, '--dry-run')).get(file), 'action'), 'create');
    const promoted = (await steps(0, ...promote, '--confirm', 'production')).get(file);
    assert.equal(at(promoted, 'done'), true);
    const there = await finish(
      line.start(['workflow', 'list', '--environment', 'production', '--json'], variables()),
    );
    const listed = parseJson(there.stdout);
    assert.deepEqual(isJsonArray(listed) && listed.filter((each) => at(each, 'name') !== 'Guide'), [
      { id: textAt(promoted, 'workflowId'), name: 'Order totals', isDeployed: true },
    ]);
    for (const words of [
      ['push', '--deploy'],
      [...promote, '--confirm', 'production'],
    ])
      assert.equal((await run(...words)).stdout, 'Nothing to do.\n');
  });

  it('say what differs, and stop only the file that both changed', async () => {
    await begin();
    await steps(0, 'push');
    const other = 'Other.workflow.json';
    await write(other, { ...definition('1'), name: 'Other' });
    const workflowId = textAt((await steps(0, 'status')).get(file), 'workflowId');
    await write('theirs.json', definition('theirs'));
    const update = ['workflow', 'update', workflowId, 'theirs.json', '--environment', 'staging'];
    assert.equal((await finish(line.start(update, variables()))).code, 0);
    assert.equal(at((await steps(0, 'status', file)).get(file), 'state'), 'changed there');
    await write(file, definition('mine'));
    const difference = await run('diff', '--exit-code', file);
    assert.equal(difference.code, 1);
    assert.match(difference.stdout, /^--- staging\/Order totals[^]*\n-.*"theirs"[^]*\n\+.*"mine"/);
    const pushed = await steps(1, 'push');
    assert.equal(at(pushed.get(file), 'action'), 'conflict');
    assert.match(textAt(pushed.get(file), 'message'), /--mine or --theirs decides/);
    assert.deepEqual([at(pushed.get(other), 'action'), at(pushed.get(other), 'done')], ['create', true]);
    assert.deepEqual(at((await steps(0, 'push', '--mine')).get(file), 'nodes'), ['end']);
    assert.equal((await run('diff', '--exit-code', file)).code, 0);
  });

  it('are the same workflows under other names', async () => {
    await begin();
    const workflowId = textAt((await steps(0, 'push')).get(file), 'workflowId');
    const renamed = 'shop/Totals.workflow.json';
    await mkdir(join(folder, 'shop'));
    await rename(join(folder, file), join(folder, renamed));
    const status = await steps(0, 'status');
    assert.deepEqual(status.get(renamed), { file: renamed, workflowId, state: 'same', renamedFrom: file });
    assert.match(
      (await run('status')).stdout,
      /^same +\tshop\/Totals.workflow.json\t.*\trenamed from Order totals/m,
    );
    const pushed = await run('push');
    assert.equal(pushed.stdout, `nothing\t${renamed}\t${workflowId}\trenamed from ${file}\n`);
    assert.deepEqual(at(await json('workflows.json'), 'workflows'), { [renamed]: { staging: workflowId } });
    await rm(join(folder, renamed));
    await write('Other.workflow.json', { ...definition('2'), name: 'Other' });
    const unsure = await run('push');
    assert.equal(unsure.code, 1);
    assert.match(unsure.stdout, /It may be shop\/Totals.workflow.json under another name/);
    assert.equal((await run('push')).stdout, unsure.stdout);
  });

  it('are pulled into an empty folder', async () => {
    const { WORKFLOW_API_KEY_STAGING: key = '' } = keys;
    const given = { ...variables(), WORKFLOW_BASE_URL: staging.baseUrl, WORKFLOW_API_KEY: key };
    const words = ['files', 'pull', '--environment', 'live'];
    const { code, stderr } = await finish(line.start(words, given));
    assert.equal(code, 0, stderr);
    const names = await readdir(folder);
    assert.ok(names.includes('Order totals.workflow.json'), names.join());
    const { environments, default: usual } = (await json('workflows.json')) ?? {};
    assert.deepEqual([environments, usual], [{ live: { url: staging.baseUrl } }, 'live']);
    assert.equal((await finish(line.start(['files', 'push'], given))).stdout, 'Nothing to do.\n');
  });

  it('stay inside their folder', async function () {
    if (process.platform === 'win32') this.skip();
    await begin();
    const outside = join(place, 'outside.workflow.json');
    await writeFile(outside, stringifyJson(definition('secret')));
    await symlink(outside, join(folder, 'linked.workflow.json'));
    const pushed = (await steps(1, 'push', 'linked.workflow.json')).get('linked.workflow.json');
    assert.match(textAt(pushed, 'message'), /is outside of the folder/);
    await write('workflows.json', {
      environments: { staging: { url: staging.baseUrl } },
      workflows: { '../outside.workflow.json': { staging: 'wf_1' } },
    });
    const { code, stderr } = await run('pull');
    assert.equal(code, 2);
    assert.match(stderr, /"\.\.\/outside\.workflow\.json" can't be the file of a workflow/);
    await begin();
    await rm(join(folder, 'linked.workflow.json'));
    await mkdir(join(place, 'elsewhere'), { recursive: true });
    await rm(join(folder, '.workflows'), { recursive: true });
    await symlink(join(place, 'elsewhere'), join(folder, '.workflows'));
    const refused = await run('push');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is outside of the folder/);
    assert.deepEqual(await readdir(join(place, 'elsewhere')), []);
  });

  it('go with a key of their own to the address that a file says', async () => {
    await begin();
    const { WORKFLOW_API_KEY_STAGING: key = '' } = keys;
    const elsewhere = {
      ...line.environment,
      WORKFLOW_BASE_URL: 'https://other.example/v1',
      WORKFLOW_API_KEY: key,
    };
    const refused = await finish(line.start(['files', 'status'], elsewhere));
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /Set WORKFLOW_API_KEY_STAGING .* is for WORKFLOW_BASE_URL/);
    const given = { ...variables(), WORKFLOW_API_KEY_STAGING: '', WORKFLOW_API_KEY: key };
    const byUrl = ['files', 'status', '--url', `${staging.baseUrl}/`];
    assert.equal((await finish(line.start(byUrl, variables()))).code, 0);
    assert.equal((await finish(line.start(['files', 'status'], given))).code, 0);
  });

  it('refuse a wrong command line, and say when a service is out of reach', async () => {
    for (const [words, says] of [
      [['status'], /There's no workflows\.json/],
      [['promote', '--from', 'staging'], /Add --to NAME/],
      [['push', '--mine', '--theirs'], /not both/],
    ] as const) {
      if (words[0] !== 'status') await begin();
      const { code, stderr } = await run(...words);
      assert.equal(code, 2, stderr);
      assert.match(stderr, says);
    }
    for (const [words, says] of [
      [['status', '--environment', 'other'], /It has: staging, production/],
      [['promote', '--from', 'staging', '--to', 'staging'], /two environments/],
      [['push', '../a.workflow.json'], /can't be the file/],
      [['push', 'none.workflow.json'], /no file and no workflow/],
    ] as const) {
      const { code, stderr } = await run(...words);
      assert.equal(code, 2, stderr);
      assert.match(stderr, says);
    }
    await write('workflows.json', { environments: { staging: { url: 'http://127.0.0.1:9/v1' } } });
    assert.equal((await run('push')).code, 3);
  });
});
