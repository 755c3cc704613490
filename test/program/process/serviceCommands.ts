// What commands do as processes over a service, wherever that stores its data.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../src/base/json.ts';
import { textAt } from '../../service/calls.ts';
import { createDataFolder, removeDataFolder } from '../../service/process/program.ts';
import { type CommandLine, createCommandLine, finish } from '../../support/commandLine.ts';

export interface OpenedService {
  readonly baseUrl: string;
  readonly key: string;
  readonly close: () => Promise<void>;
}

/** A definition with an output, which may come after some seconds. */
export const chain = (name: string, expression: string, waitSeconds?: number): string =>
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

/** By commands. Resolves with the workflow's id. */
export async function createDeployed(
  { start, json }: CommandLine,
  ...given: Parameters<typeof chain>
): Promise<string> {
  const { code, stdout, stderr } = await finish(start(['workflow', 'create', '-']), chain(...given));
  assert.equal(code, 0, stderr);
  const workflowId = stdout.trim();
  assert.deepEqual(await json(0, 'workflow', 'deploy', workflowId), { workflowId, isDeployed: true });
  return workflowId;
}

async function count(list: Promise<JsonValue>): Promise<number> {
  const rows = await list;
  return isJsonArray(rows) ? rows.length : 0;
}

/** open: `folder` is the test's own. */
export function describeServiceCommands(
  title: string,
  open: (folder: string) => Promise<OpenedService>,
): void {
  describe(`commands over ${title}`, () => {
    let folder = '';
    let service: OpenedService;
    let line: CommandLine;
    const start = (...given: Parameters<CommandLine['start']>) => line.start(...given);
    const run = (...words: string[]) => line.run(...words);
    const json: CommandLine['json'] = (...given) => line.json(...given);

    before(async () => {
      folder = await createDataFolder();
      service = await open(folder);
      line = createCommandLine(folder, service.baseUrl, service.key);
    });
    after(async () => {
      await service.close();
      await removeDataFolder(folder);
    });

    it('creates, lists, shows, changes, duplicates and deletes workflows', async () => {
      const workflowId = await createDeployed(line, 'Changing', 'input');
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

    it('finds executions by what is in them, and says where', async () => {
      const workflowId = await createDeployed(line, 'Searched', '{"sent": "to " & input.invoice}');
      const ids: string[] = [];
      for (const invoice of ['INV-7', 'INV-8']) {
        const data = JSON.stringify({ invoice });
        ids.push(
          textAt(await json(0, 'workflow', 'execute', workflowId, '--data', data, '--wait'), 'executionId'),
        );
      }
      const [id] = ids;
      const search = (...words: string[]) => json(0, 'execution', 'list', '--search', ...words);
      const found = await search('inv-7', '--workflow', 'Searched');
      assert.ok(isJsonArray(found) && isJsonObject(found[0]));
      const { found: places, ...record } = found[0];
      assert.deepEqual([found.length, record], [1, { id, workflowId, status: 'completed' }]);
      assert.ok(isJsonArray(places));
      assert.deepEqual(places.slice(0, 2), [
        { place: 'input', path: 'invoice', excerpt: 'INV-7' },
        { place: 'output', path: 'sent', excerpt: 'to INV-7' },
      ]);
      assert.equal(await count(search('INV workflow:Searched')), 2);
      assert.equal(await count(search('INV workflow:Searched', '--limit', '1')), 1);
      assert.deepEqual(await search('inv-7 workflow:Searched', '--status', 'failed'), []);
      const { stdout } = await run('execution', 'list', '--search', 'to INV-7');
      assert.equal(stdout.split('\n')[0], `${id}\tcompleted\t${workflowId}\toutput: sent · to INV-7`);
      const unknown = await run('execution', 'list', '--search', 'workflow:"No such"');
      assert.deepEqual([unknown.code, unknown.stdout], [3, '']);
    });

    it('executes, waits, and reads what came of it', async () => {
      const workflowId = await createDeployed(line, 'Doubling', 'input.amount * 2');
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
      await createDeployed(line, 'Failing', '$number(input.amount.text)');
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

    it('retries with the correction that was deployed since, or with what the execution ran', async () => {
      const workflowId = await createDeployed(line, 'Correcting', '$number(input.amount.text)');
      const words = ['workflow', 'execute', 'Correcting', '--data', '{"amount": {"text": "x"}}', '--wait'];
      const executionId = textAt(await json(1, ...words), 'executionId');
      const file = join(folder, 'corrected.json');
      await writeFile(file, chain('Correcting', 'input.amount.text'));
      await json(0, 'workflow', 'update', workflowId, file);
      await json(0, 'workflow', 'deploy', workflowId);
      const retry = ['execution', 'retry', executionId, '--wait'];
      assert.equal((await run(...retry)).stdout, '"x"\n');
      assert.equal((await run(...retry, '--definition', 'same')).code, 1);
      const { code, stderr } = await run(...retry, '--definition', 'other');
      assert.deepEqual([code, stderr], [2, '--definition is one of: same, deployed.\n']);
    });

    it('executes a draft that is saved nowhere', async () => {
      await createDeployed(line, 'Drafted', '1');
      const file = join(folder, 'draft.json');
      await writeFile(file, chain('Drafted', '2'));
      const { code, stdout } = await run('workflow', 'execute', 'Drafted', '--draft', file, '--wait');
      assert.deepEqual([code, stdout], [0, '2\n']);
    });

    it('stops following with Ctrl+C, and the execution goes on until it is cancelled', async function () {
      if (process.platform === 'win32') this.skip();
      await createDeployed(line, 'Waiting', '1', 60);
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

    it('runs tests of workflows, for people, a CI and code', async () => {
      await createDeployed(line, 'Tested', 'input.amount * 2');
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
  });
}
