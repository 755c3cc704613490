// The commands as processes over an n8n: what it offers, and what is said of what it doesn't.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonArray, isJsonObject, type JsonObject, parseJson } from '../../../src/base/json.ts';
import { n8nDefinition } from '../../scenarios/n8nDefinitions.ts';
import type { Behavior } from '../../scenarios/subject.ts';
import { textAt } from '../../service/calls.ts';
import { createDataFolder, removeDataFolder } from '../../service/process/program.ts';
import { type CommandLine, createCommandLine, finish } from '../../support/commandLine.ts';

export interface OpenN8n {
  /** Of its editor. */
  readonly address: string;
  readonly key: string;
  /** Of its MCP server. */
  readonly token: string | undefined;
  readonly close: () => Promise<void>;
}

export function describeN8nCommands(title: string, open: () => Promise<OpenN8n>): void {
  describe(`the command line with ${title}`, () => {
    let folder = '';
    let n8n: OpenN8n;
    let line: CommandLine;
    const made: string[] = [];

    before(async () => {
      folder = await createDataFolder();
      n8n = await open();
      line = createCommandLine(folder, n8n.address, n8n.key, '--kind', 'n8n');
    });
    afterEach(async () => {
      for (const id of made.splice(0)) await run('workflow', 'delete', id, '--yes');
    });
    after(async () => {
      await n8n.close();
      await removeDataFolder(folder);
    });

    const start = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      line.start(words, { ...line.environment, ...more });
    const run = (...words: string[]) => line.run(...words);
    const json: CommandLine['json'] = (...given) => line.json(...given);

    async function create(
      behavior: Behavior,
      name: string,
      document = n8nDefinition(behavior, name),
    ): Promise<string> {
      const { code, stdout, stderr } = await finish(
        start(['workflow', 'create', '-']),
        JSON.stringify(document),
      );
      assert.equal(code, 0, stderr);
      made.push(stdout.trim());
      return stdout.trim();
    }

    async function createDeployed(behavior: Behavior, name: string): Promise<string> {
      const workflowId = await create(behavior, name);
      assert.deepEqual(await json(0, 'workflow', 'deploy', workflowId), { workflowId, isDeployed: true });
      return workflowId;
    }

    it('lists, shows, changes, duplicates and deletes workflows', async () => {
      const workflowId = await createDeployed('answers', 'Listed by commands');
      assert.deepEqual(await json(0, 'workflow', 'list', '--search', 'listed by commands'), [
        { id: workflowId, name: 'Listed by commands', isDeployed: true },
      ]);
      const file = join(folder, 'listed.workflow.json');
      const { stdout } = await run('workflow', 'show', 'Listed by commands');
      await writeFile(file, stdout.replaceAll('Listed by commands', 'Changed by commands'));
      assert.deepEqual(await json(0, 'workflow', 'update', workflowId, file), { workflowId });
      const shown = await json(0, 'workflow', 'show', workflowId);
      assert.equal(textAt(shown, 'name'), 'Changed by commands');
      assert.ok(isJsonObject(shown) && isJsonObject(shown['connections']));
      const copyId = textAt(await json(0, 'workflow', 'duplicate', workflowId), 'workflowId');
      made.push(copyId);
      const undeployed = await json(0, 'workflow', 'undeploy', workflowId);
      assert.deepEqual(undeployed, { workflowId, isDeployed: false });
      assert.deepEqual(await json(0, 'workflow', 'delete', copyId, '--yes'), { workflowId: copyId });
      const { json: without } = createCommandLine(folder, n8n.address, n8n.key);
      assert.deepEqual(await without(0, 'check', file), []);
    });

    it('executes, waits, and reads what came of it', async () => {
      const workflowId = await createDeployed('answers', 'Executed by commands');
      const value = await json(0, 'workflow', 'execute', workflowId, '--data', '{"message":"hi"}', '--wait');
      assert.ok(isJsonObject(value));
      assert.equal(value['status'], 'completed');
      assert.match(JSON.stringify(value['output']), /"reply":"hi"/);
      const executionId = textAt(value, 'executionId');
      assert.deepEqual(await json(0, 'execution', 'list', '--workflow', workflowId), [
        { id: executionId, workflowId, status: 'completed' },
      ]);
      const shown = await run('execution', 'show', executionId);
      assert.ok(shown.code === 0 && isJsonObject(parseJson(shown.stdout)));
      assert.deepEqual(await json(0, 'execution', 'output', executionId), value['output']);
      const rows = await json(0, 'execution', 'logs', executionId);
      assert.ok(isJsonArray(rows) && rows.some((row) => textAt(row, 'nodeName') === 'Answer'));
      assert.match((await run('execution', 'logs', executionId, '--follow')).stdout, / Answer/);
    });

    it('ends with 1 where an execution failed, explains it, and retries it with what is deployed', async () => {
      const workflowId = await createDeployed('fails', 'Failed by commands');
      const failed = await json(1, 'workflow', 'execute', workflowId, '--data', '{"message":"hi"}', '--wait');
      const executionId = textAt(failed, 'executionId');
      const explained = await json(0, 'execution', 'explain', executionId);
      assert.ok(isJsonObject(explained));
      assert.equal(explained['nodeName'], 'Stop');
      assert.match(textAt(explained, 'reason'), /No stock/);
      const retried = await json(1, 'execution', 'retry', executionId, '--wait');
      assert.notEqual(textAt(retried, 'executionId'), executionId);
    });

    it('cancels an execution', async () => {
      const workflowId = await createDeployed('waits', 'Cancelled by commands');
      await json(0, 'workflow', 'execute', workflowId, '--data', '{"message":"hi"}');
      const listed = await json(0, 'execution', 'list', '--workflow', workflowId);
      const executionId = textAt(isJsonArray(listed) ? listed[0] : undefined, 'id');
      const cancelled = await json(0, 'execution', 'cancel', executionId);
      assert.deepEqual(cancelled, { executionId, status: 'cancelled' });
    });

    it('says in the words of the windows what n8n does not do', async () => {
      const workflowId = await create('answers', 'Refused by commands');
      const file = join(folder, 'other.workflow.json');
      await writeFile(file, JSON.stringify(n8nDefinition('answers', 'Other')));
      const ours = join(folder, 'ours.workflow.json');
      await writeFile(ours, JSON.stringify({ name: 'Ours', nodes: [], edges: [] }));
      const token = n8n.token === undefined ? {} : { WORKFLOW_MCP_TOKEN: n8n.token };
      const manual = { ...n8nDefinition('answers', 'By hand'), nodes: [byHand], connections: {} };
      const manualId = await create('answers', 'By hand', manual);
      const failing = await createDeployed('fails', 'Retried by commands');
      const failed = await json(1, 'workflow', 'execute', failing, '--data', '{"message":"hi"}', '--wait');
      const executionId = textAt(failed, 'executionId');
      for (const [words, says, more] of [
        [['workflow', 'execute', workflowId], /^The workflow isn't deployed, so it can't be executed\.$/],
        [
          ['workflow', 'execute', manualId],
          /^This workflow is started by hand\. To execute it from here, add the MCP token of your n8n/,
        ],
        [['workflow', 'execute', workflowId, '--draft', file], /^This is not offered by n8n\.$/],
        ...(n8n.token === undefined
          ? []
          : [
              [
                ['workflow', 'execute', workflowId, '--draft', file],
                /^n8n executes what is saved\. Save the definition, then execute it\.$/,
                token,
              ] as const,
            ]),
        [
          ['workflow', 'create', ours],
          /^This isn't a workflow of n8n, which has "nodes" and "connections"\. Nothing was sent\.$/,
        ],
        [['execution', 'retry', executionId, '--from', 'Stop'], /^This is not offered by n8n\.$/],
        [['execution', 'show', '999999'], /^Not found\. It may have been deleted\./],
      ] as readonly (readonly [string[], RegExp, Readonly<Record<string, string>>?])[]) {
        const { code, stdout, stderr } = await finish(start(words, more));
        assert.deepEqual([code, stdout], [3, ''], words.join(' '));
        assert.match(stderr.trim(), says);
      }
      const keyless = await finish(start(['workflow', 'list'], { WORKFLOW_API_KEY: 'unknown-to-it' }));
      assert.equal(keyless.code, 3);
      assert.match(keyless.stderr, /^The service rejected the API key/);
    });

    it('executes what is saved as a draft, with the token', async function () {
      if (n8n.token === undefined) this.skip();
      const workflowId = await create(
        'answers',
        'Drafted by commands',
        withMcp('answers', 'Drafted by commands'),
      );
      const file = join(folder, 'saved.workflow.json');
      await writeFile(file, (await run('workflow', 'show', workflowId)).stdout);
      const words = ['workflow', 'execute', workflowId, '--draft', file, '--data', '{"message":"hi"}'];
      const child = start([...words, '--wait', '--json'], { WORKFLOW_MCP_TOKEN: n8n.token });
      const { code, stdout, stderr } = await finish(child);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /"reply":"hi"/);
    });

    it('runs tests of its workflows', async () => {
      const workflowId = await createDeployed('answers', 'Tested by commands');
      const file = join(folder, 'n8n.workflow-test.json');
      const test = (name: string, more: JsonObject = {}) => ({
        name,
        input: { message: 'hi' },
        expected: { status: 'completed', output: [{ reply: 'hi' }] },
        ...more,
      });
      const tests = [test('replies'), test('pinned', { pinned: { Answer: { reply: 'hi' } } })];
      await writeFile(file, JSON.stringify({ workflow: workflowId, tests }));
      const results = await json(0, 'test', file);
      assert.ok(isJsonArray(results));
      const [passed, skipped] = results;
      assert.equal(textAt(passed, 'outcome'), 'passed');
      // Pins need a draft, which needs the token.
      assert.equal(textAt(skipped, 'outcome'), 'skipped');
    });
  });
}

const byHand = {
  id: 'by-hand',
  name: 'Start',
  type: 'n8n-nodes-base.manualTrigger',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

const withMcp = (behavior: Behavior, name: string): JsonObject => ({
  ...n8nDefinition(behavior, name),
  settings: { executionOrder: 'v1', availableInMCP: true },
});
