// One window as a process of its own: the real client on the shared ledger. Told by its environment, it prints one line of JSON at its end.
import * as v from 'valibot';
import { Budgets } from '../../../../src/api/budget/budgets.ts';
import { createClient } from '../../../../src/api/client.ts';
import { HttpLoader } from '../../../../src/api/http/httpLoader.ts';
import { Ledger, machineUptime } from '../../../../src/api/budget/ledger/ledger.ts';
import { parseJson } from '../../../../src/base/json.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { systemClock, wait } from '../../../../src/base/time.ts';

/** What the window is told. askAt: when a person asks, in milliseconds from its start. */
const Task = v.object({
  path: v.string(),
  baseUrl: v.string(),
  key: v.string(),
  lengthMs: v.number(),
  askAt: v.array(v.number()),
});

export type Task = v.InferOutput<typeof Task>;

/** What it tells: calls of the person that were answered, of the background, what failed, what was warned of. */
export const Told = v.object({
  persons: v.number(),
  background: v.number(),
  failures: v.array(v.string()),
  warnings: v.array(v.string()),
});

export const taskVariable = 'WORKFLOW_TEST_WINDOW';

async function run({ path, baseUrl, key, lengthMs, askAt }: Task): Promise<void> {
  const told = { persons: 0, background: 0, failures: new Array<string>(), warnings: new Array<string>() };
  const note = (text: string): void => {
    told.warnings.push(text);
  };
  process.on('warning', ({ message }) => note(message));
  const logger = { ...silentLogger, warn: note };
  const http = new HttpLoader(() => ({}));
  const ledger = new Ledger({ path, uptime: machineUptime, clock: systemClock, logger });
  const budgets = new Budgets({ clock: systemClock, uptime: machineUptime, ledger });
  const client = createClient({
    http: http.load,
    baseUrl,
    key: () => Promise.resolve(key),
    keyPrefix: () => 'svc_sk_',
    budgets,
    logger: silentLogger,
  });
  const end = AbortSignal.timeout(lengthMs);
  const fail = (error: unknown): void => {
    if (!end.aborted) told.failures.push(String(error));
  };
  /** As much as it can: each call another one, so that none shares an answer. */
  const inBackground = async (limit: number): Promise<void> => {
    while (!end.aborted) {
      await client.workflows
        .list({ limit }, { signal: end, purpose: 'workflows' })
        .then(() => void (told.background += 1), fail);
    }
  };
  const asPerson = async (at: number, limit: number): Promise<void> => {
    await wait(systemClock, at);
    await client.executions.list({ limit }).then(() => void (told.persons += 1), fail);
  };
  await Promise.all([
    ...[1, 2, 3, 4, 5, 6].map(inBackground),
    ...askAt.map((at, index) => asPerson(at, index + 1)),
  ]);
  client.dispose();
  budgets.dispose();
  ledger.dispose();
  http.dispose();
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

const task = process.env[taskVariable];
if (task !== undefined) await run(v.parse(Task, parseJson(task)));
