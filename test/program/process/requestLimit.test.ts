// Commands that reach the request limit, as processes: the clock of the limit is behind while the minute is filled, so that it soon ends.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { Ledger, machineUptime } from '../../../src/api/budget/ledger/ledger.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { limits } from '../../../src/protocol/operations.ts';
import { createCommandLine, finish } from '../../support/commandLine.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { createDataFolder, removeDataFolder } from '../../service/process/program.ts';

/** How far back the filled minute began, in milliseconds. */
const behindMs = 48_000;
const processes = 8;
const said = /^waits \d+ s for the request limit\n$/;

const definition = {
  name: 'Counting',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'end', type: 'output', config: { expression: '1' } },
  ],
  edges: [{ source: 'start', target: 'end' }],
};

describe('commands that reach the request limit', function () {
  if (process.platform === 'win32') return;
  let folder = '';
  let service: TestService;
  let server: Running;
  let behind = 0;
  const statuses: number[] = [];

  beforeEach(async () => {
    folder = await createDataFolder();
    service = await createTestService({ steadyNow: () => machineUptime() - behind });
    const listener = getRequestListener(
      async (request) => {
        const response = await service.app.fetch(request);
        statuses.push(response.status);
        return response;
      },
      { overrideGlobalObjects: false },
    );
    server = await serve((request, response) => void listener(request, response));
  });
  afterEach(async () => {
    await server.close();
    await service.dispose();
    await removeDataFolder(folder);
  });

  const open = () => createCommandLine(folder, `http://127.0.0.1:${server.port}/v1`, service.key);

  async function ask(path: string, method = 'GET', body?: string): Promise<Response> {
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    return service.app.request(path, { method, headers, ...(body !== undefined && { body }) });
  }

  /** Uses up the minute, and deploys a workflow meanwhile. */
  async function useUp(path: string, baseUrl: string, count: number): Promise<void> {
    behind = behindMs;
    const uptime = (): number => machineUptime() - behindMs;
    const clock = systemClock;
    const ledger = new Ledger({ path, uptime, clock, logger: silentLogger });
    const budgets = new Budgets({ clock, uptime, ledger });
    const budget = budgets.open(baseUrl);
    budget.useKey(service.key);
    const send = async (...words: Parameters<typeof ask>): Promise<Response> => {
      const permit = await budget.admit('asked', new AbortController().signal);
      const response = await ask(...words);
      permit.release(null);
      assert.ok(response.ok, `${response.status}`);
      return response;
    };
    const created: unknown = await (await send('/v1/workflows', 'POST', JSON.stringify(definition))).json();
    assert.ok(created !== null && typeof created === 'object' && 'id' in created);
    await send(`/v1/workflows/${String(created.id)}/deploy`, 'POST');
    for (let sent = 2; sent < count; sent += 1) await send('/v1/workflows');
    budget.dispose();
    budgets.dispose();
    ledger.dispose();
    behind = 0;
  }

  it('say so once, wait, and are never refused; one that is killed holds nobody up', async () => {
    const { start, run, ledgerPath, environment } = open();
    await useUp(ledgerPath, environment['WORKFLOW_BASE_URL'] ?? '', limits.requestsPerMinute);
    const children = Array.from({ length: processes }, () => start(['workflow', 'execute', 'Counting']));
    const [killed] = children;
    killed?.stderr?.once('data', () => killed.kill('SIGKILL'));
    const [first, ...ended] = await Promise.all(children.map((child) => finish(child)));
    assert.equal(first?.code, null);
    for (const { code, stderr } of ended) {
      assert.equal(code, 0, stderr);
      assert.match(stderr, said);
    }
    const { stdout } = await run('execution', 'list', '--json');
    assert.equal(stdout.match(/"exec_/g)?.length, processes - 1);
    assert.ok(statuses.every((status) => status !== 429));
  });

  it('say so while they run tests, which leave something to people', async () => {
    const { run, ledgerPath, environment } = open();
    const tests = [{ name: 'counts', input: {}, expected: { status: 'completed', output: 1 } }];
    await writeFile(join(folder, 'a.workflow-test.json'), JSON.stringify({ workflow: 'Counting', tests }));
    await useUp(ledgerPath, environment['WORKFLOW_BASE_URL'] ?? '', limits.requestsPerMinute - 10);
    const listing = await run('workflow', 'list');
    assert.equal(listing.stderr, '');
    const { code, stdout, stderr } = await run('test');
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, said);
  });
});
