// Workflows of two n8n as files, by processes: pulled, pushed, renamed, in conflict, and promoted with what they call.
import assert from 'node:assert/strict';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  parseJson,
  stringifyJson,
} from '../../../src/base/json.ts';
import { findCalled } from '../../../src/workflowFiles/subWorkflows.ts';
import { at, textAt } from '../../service/calls.ts';
import { createDataFolder, type Finished, removeDataFolder } from '../../service/process/program.ts';
import { type CommandLine, createCommandLine, finish } from '../../support/commandLine.ts';
import type { OpenN8n } from './n8nCommands.ts';

interface TwoN8n {
  readonly staging: OpenN8n;
  readonly live: OpenN8n;
}

const node = (name: string, type: string, typeVersion: number, parameters: JsonObject): JsonObject => ({
  id: name,
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 0],
  parameters,
});
const child: JsonObject = {
  name: 'Files child',
  nodes: [node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' })],
  connections: {},
  settings: { executionOrder: 'v1' },
};
const parentOf = (childId: string, path = 'files-parent'): JsonObject => ({
  name: 'Files and parent',
  nodes: [
    node('Begin', 'webhook', 2, { path, httpMethod: 'POST', options: {} }),
    node('Call', 'executeWorkflow', 1.2, {
      workflowId: { __rl: true, mode: 'list', value: childId, cachedResultName: 'Files child' },
      options: {},
    }),
  ],
  connections: { Begin: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
});
const [childFile, parentFile] = ['Files child.n8n.workflow.json', 'Files and parent.n8n.workflow.json'];

export function describeN8nFiles(title: string, open: () => Promise<TwoN8n>): void {
  describe(`files of ${title}`, function () {
    this.timeout(120_000);
    let folder = '';
    let n8n: TwoN8n;
    let line: CommandLine;
    const made: (readonly [environment: string, id: string])[] = [];

    before(async () => {
      folder = await createDataFolder();
      n8n = await open();
      line = createCommandLine(folder, n8n.staging.address, '');
    });
    after(async () => {
      for (const [environment, id] of made) {
        await run('workflow', 'undeploy', id, '--environment', environment);
        await run('workflow', 'delete', id, '--yes', '--environment', environment);
      }
      await n8n.live.close();
      await n8n.staging.close();
      await removeDataFolder(folder);
    });

    const path = (name: string): string => join(folder, name);
    function run(...words: readonly string[]): Promise<Finished> {
      const { WORKFLOW_BASE_URL: _url, WORKFLOW_API_KEY: _key, ...rest } = line.environment;
      const keys = { WORKFLOW_API_KEY_STAGING: n8n.staging.key, WORKFLOW_API_KEY_LIVE: n8n.live.key };
      return finish(line.start(words, { ...rest, ...keys }));
    }
    async function json(code: number, ...words: readonly string[]) {
      const ended = await run(...words, '--json');
      assert.equal(ended.code, code, ended.stderr + ended.stdout);
      return parseJson(ended.stdout);
    }
    /** What a command says of each file that this test has made. */
    async function steps(code: number, member: string, ...words: readonly string[]) {
      const value = await json(code, 'files', ...words);
      assert.ok(isJsonArray(value));
      const ours = value.filter((step) => /Files|Called/.test(textAt(step, 'file')));
      return Object.fromEntries(ours.map((step) => [textAt(step, 'file'), at(step, member)]));
    }
    async function create(document: JsonObject): Promise<string> {
      await writeFile(path('new.json'), stringifyJson(document));
      const id = textAt(
        await json(0, 'workflow', 'create', 'new.json', '--environment', 'staging'),
        'workflowId',
      );
      made.push(['staging', id]);
      return id;
    }
    async function linkOf(file: string, environment: string): Promise<string> {
      const links = parseJson(await readFile(path('workflows.json'), 'utf8'));
      const ids = at(links, 'workflows');
      return textAt(isJsonObject(ids) ? ids[file] : undefined, environment);
    }
    async function shown(id: string, environment: string): Promise<JsonObject> {
      const value = await json(0, 'workflow', 'show', id, '--environment', environment);
      assert.ok(isJsonObject(value));
      return value;
    }
    const edit = async (file: string, from: string, to: string): Promise<void> => {
      const text = await readFile(path(file), 'utf8');
      assert.ok(text.includes(from), text);
      await writeFile(path(file), text.replace(from, to));
    };

    it('go both ways, under other names too, and stop where both changed', async () => {
      const environments = {
        staging: { url: n8n.staging.address, kind: 'n8n' },
        live: { url: n8n.live.address, kind: 'n8n' },
      };
      await writeFile(path('workflows.json'), stringifyJson({ environments, default: 'staging' }, 2));
      const childId = await create(child);
      const parentId = await create(parentOf(childId));
      await run('files', 'pull');
      assert.deepEqual(await steps(0, 'state', 'status'), { [parentFile]: 'same', [childFile]: 'same' });
      await edit(parentFile, '"POST"', '"PUT"');
      assert.deepEqual(await steps(0, 'nodes', 'push', parentFile, '--dry-run'), { [parentFile]: ['Begin'] });
      assert.deepEqual(await steps(0, 'done', 'push', parentFile), { [parentFile]: true });
      assert.match(stringifyJson(await shown(parentId, 'staging')), /"PUT"/);
      await mkdir(path('called'));
      await rename(path(childFile), path('called/Called.n8n.workflow.json'));
      assert.deepEqual(await steps(0, 'renamedFrom', 'status'), {
        [parentFile]: undefined,
        'called/Called.n8n.workflow.json': childFile,
      });
      assert.deepEqual(await steps(0, 'action', 'push'), {
        [parentFile]: 'nothing',
        'called/Called.n8n.workflow.json': 'nothing',
      });
      assert.equal(await linkOf('called/Called.n8n.workflow.json', 'staging'), childId);
      await writeFile(path('theirs.json'), stringifyJson(parentOf(childId, 'files-theirs')));
      await json(0, 'workflow', 'update', parentId, 'theirs.json', '--environment', 'staging');
      await edit(parentFile, '"PUT"', '"PATCH"');
      assert.deepEqual(await steps(1, 'action', 'push', parentFile), { [parentFile]: 'conflict' });
      // n8n deploys a workflow only after those that it calls.
      const deployed = ['push', parentFile, 'called/Called.n8n.workflow.json', '--mine', '--deploy'];
      assert.deepEqual(await steps(0, 'done', ...deployed), {
        [parentFile]: true,
        'called/Called.n8n.workflow.json': true,
      });
      assert.deepEqual(await steps(0, 'state', 'status', parentFile), { [parentFile]: 'same' });
    });

    it('are promoted with the ids of the other n8n, once', async () => {
      const files = [parentFile, 'called/Called.n8n.workflow.json'];
      const promote = ['promote', '--from', 'staging', '--to', 'live', ...files];
      const created = { [parentFile]: 'create', 'called/Called.n8n.workflow.json': 'create' };
      assert.deepEqual(await steps(0, 'action', ...promote, '--dry-run'), created);
      assert.deepEqual(Object.values(await steps(0, 'done', ...promote, '--deploy')), [true, true]);
      const ids = await Promise.all(files.map((file) => linkOf(file, 'live')));
      const [parentId = '', childId = ''] = ids;
      for (const id of ids) made.push(['live', id]);
      const there = await shown(parentId, 'live');
      assert.deepEqual(
        findCalled(there).map(({ workflowId }) => workflowId),
        [childId],
      );
      assert.equal((await run('files', ...promote, '--deploy')).stdout, 'Nothing to do.\n');
    });
  });
}
