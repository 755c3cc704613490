// A push of many workflows whose process is killed at each of its writes: the next one goes on, and none is there twice.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { isJsonArray, isJsonObject, parseJson, stringifyJson } from '../../../src/base/json.ts';
import { toDefinition } from '../../../src/model/workflows/workflowDefinition.ts';
import { textAt } from '../../service/calls.ts';
import { createDataFolder, removeDataFolder } from '../../service/process/program.ts';
import { type CommandLine, createCommandLine, finish } from '../../support/commandLine.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createRemote, definitionOf, type Remote } from '../../workflowFiles/filesWorld.ts';

const created = Array.from({ length: 13 }, (_, index) => `New ${index}`);
const updated = Array.from({ length: 12 }, (_, index) => `Old ${index}`);
const fileOf = (name: string): string => `${name}.workflow.json`;

describe('a push that is killed at each write', function () {
  if (process.platform === 'win32') return;
  this.timeout(240_000);
  let folder = '';
  let remote: Remote;
  let server: Running;
  let line: CommandLine;
  /** The process that ends at its next write, before or after that is carried out. */
  let victim: { readonly child: ChildProcess; readonly isBefore: boolean } | undefined;

  before(async () => {
    folder = await createDataFolder();
    await mkdir(join(folder, 'config'));
    remote = await createRemote();
    const listener = getRequestListener(
      async (request) => {
        const dying = request.method === 'GET' ? undefined : victim;
        victim = dying === undefined ? victim : undefined;
        if (dying?.isBefore === true) dying.child.kill('SIGKILL');
        const response =
          dying?.isBefore === true
            ? new Response('', { status: 500 })
            : await remote.service.app.fetch(request);
        if (dying?.isBefore === false) dying.child.kill('SIGKILL');
        return response;
      },
      { overrideGlobalObjects: false },
    );
    server = await serve((request, response) => void listener(request, response));
    line = createCommandLine(folder, `http://127.0.0.1:${server.port}/v1`, remote.service.key);
  });
  after(async () => {
    await server.close();
    await remote.dispose();
    await removeDataFolder(folder);
  });

  const write = (name: string, expression: string): Promise<void> =>
    writeFile(join(folder, fileOf(name)), stringifyJson(definitionOf(name, expression), 2));

  async function states(): Promise<readonly string[]> {
    const { stdout, stderr } = await line.run('files', 'status', '--json');
    const rows = parseJson(stdout);
    assert.ok(isJsonArray(rows), stderr);
    return rows.map((row) => textAt(row, 'state'));
  }

  it('goes on until all is there, once', async () => {
    for (const name of updated) await remote.create(definitionOf(name));
    assert.equal((await line.run('files', 'pull')).code, 0);
    for (const name of updated) await write(name, 'input.changed');
    for (const name of created) await write(name, 'input.new');
    let killed = 0;
    for (let run = 0; ; run += 1) {
      const child = line.start(['files', 'push']);
      victim = { child, isBefore: run % 4 === 3 };
      await finish(child);
      victim = undefined;
      if (child.signalCode !== 'SIGKILL') {
        assert.equal(child.exitCode, 0);
        break;
      }
      killed += 1;
    }
    assert.ok(killed >= created.length + updated.length, String(killed));
    assert.deepEqual(await remote.names(), [...created, ...updated].sort());
    assert.deepEqual(new Set(await states()), new Set(['same']));
    const { workflows = null } = (await readJson('workflows.json')) ?? {};
    assert.ok(isJsonObject(workflows));
    const { connectionId, workflows: model } = remote.model;
    for (const [names, expression] of [
      [created, 'input.new'],
      [updated, 'input.changed'],
    ] as const)
      for (const name of names) {
        const workflowId = textAt(workflows[fileOf(name)], 'default');
        const there = toDefinition(await model.read({ connectionId, workflowId }));
        assert.deepEqual(there, definitionOf(name, expression));
      }
  });

  async function readJson(name: string) {
    const value = parseJson(await readFile(join(folder, name), 'utf8'));
    return isJsonObject(value) ? value : undefined;
  }
});
