// Two pushes of one folder at once, as processes: one goes on, the other says why it doesn't, and nothing is there twice.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { stringifyJson } from '../../../src/base/json.ts';
import { createDataFolder, removeDataFolder } from '../../service/process/program.ts';
import { type CommandLine, createCommandLine, finish } from '../../support/commandLine.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createRemote, definitionOf, type Remote } from '../../workflowFiles/filesWorld.ts';

/** Holds the first request that it's about, until it's let go. */
class Gate {
  readonly #isMeant: (request: Request) => boolean;
  readonly #reached = Promise.withResolvers<undefined>();
  readonly #open = Promise.withResolvers<undefined>();
  #isUsed = false;

  constructor(isMeant: (request: Request) => boolean) {
    this.#isMeant = isMeant;
  }

  get reached(): Promise<unknown> {
    return this.#reached.promise;
  }

  open(): void {
    this.#open.resolve(undefined);
  }

  async pass(request: Request): Promise<void> {
    if (this.#isUsed || !this.#isMeant(request)) return;
    this.#isUsed = true;
    this.#reached.resolve(undefined);
    await this.#open.promise;
  }
}

const isCreate = ({ method }: Request): boolean => method === 'POST';
const isList = ({ method }: Request): boolean => method === 'GET';

describe('two pushes at once', function () {
  this.timeout(60_000);
  let folder = '';
  let remote: Remote;
  let server: Running;
  let line: CommandLine;
  let gate: Gate;

  beforeEach(async () => {
    folder = await createDataFolder();
    await mkdir(join(folder, 'config'));
    remote = await createRemote();
    const listener = getRequestListener(
      async (request) => {
        await gate.pass(request);
        return remote.service.app.fetch(request);
      },
      { overrideGlobalObjects: false },
    );
    server = await serve((request, response) => void listener(request, response));
    const url = `http://127.0.0.1:${server.port}/v1`;
    line = createCommandLine(folder, url, remote.service.key);
    await writeFile(join(folder, 'workflows.json'), stringifyJson({ environments: { test: { url } } }));
    for (const name of ['A', 'B'])
      await writeFile(join(folder, `${name}.workflow.json`), stringifyJson(definitionOf(name)));
  });
  afterEach(async () => {
    gate.open();
    await server.close();
    await remote.dispose();
    await removeDataFolder(folder);
  });

  /** Starts a push, and waits until its request is held. */
  async function holdPush(isMeant: (request: Request) => boolean): Promise<ChildProcess> {
    gate = new Gate(isMeant);
    const child = line.start(['files', 'push']);
    await gate.reached;
    return child;
  }

  it('refuse the one that finds the other one at work', async () => {
    const first = await holdPush(isCreate);
    const refused = await line.run('files', 'push');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /Another push or pull is changing this folder\. Nothing was done/);
    assert.equal((await line.run('files', 'status')).code, 0);
    gate.open();
    assert.equal((await finish(first)).code, 0);
    assert.equal((await line.run('files', 'push')).stdout, 'Nothing to do.\n');
    assert.deepEqual(await remote.names(), ['A', 'B']);
  });

  it('refuse the one whose plan the other one has carried out', async () => {
    const first = await holdPush(isList);
    assert.equal((await line.run('files', 'push')).code, 0);
    gate.open();
    const refused = await finish(first);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /Another push or pull has changed this folder meanwhile/);
    assert.deepEqual(await remote.names(), ['A', 'B']);
  });

  it('go on where the one that was at work was killed', async () => {
    const first = await holdPush(isCreate);
    first.kill('SIGKILL');
    await finish(first);
    gate.open();
    assert.equal((await line.run('files', 'push')).code, 0);
    assert.deepEqual(await remote.names(), ['A', 'B']);
  });
});
