// What masking costs others: how long it holds the thread that serves, and how long others wait beside long answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringifyJson } from '../../src/base/json.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Masking } from '../../src/service/secrets/masking.ts';
import { SecretMask } from '../../src/service/secrets/secretMask.ts';
import { call, chain, createDeployed, execute, follow, type Service, textAt } from '../service/calls.ts';
import {
  createDataFolder,
  createKey,
  removeDataFolder,
  runProgramWith,
  serviceOf,
  startProcess,
} from '../service/process/program.ts';
import type { Benchmark, Figure } from './benchmark.ts';

const mebibyte = 1024 * 1024;
const environment = { WORKFLOW_SECRETS_KEY: 'a key of thirty-two characters or more' };
/** What the text repeats. */
const alphabets = {
  words: 'The quick brown fox jumps over 13 lazy dogs. ',
  JSON: '{"a":"x \\"quoted\\" y","b":"https://a.b/c%20d"},',
  '%2525…': '%2525',
  '\\%5c…': '\\%5c',
  'one character': 'a',
} as const;
const requests = 300;
const executions = 30;

/** Returns the longest time that nothing else got its turn, in milliseconds, and the whole time. */
async function measureTurns(work: () => Promise<unknown>): Promise<{ longest: number; whole: number }> {
  let longest = 0;
  const began = performance.now();
  let last = began;
  const turns = new AbortController();
  const watched = (async () => {
    while (!turns.signal.aborted) {
      await nextTurn();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  await work();
  const whole = performance.now() - began;
  turns.abort();
  await watched;
  return { longest, whole };
}

async function measureAlphabets(count: number): Promise<readonly Figure[]> {
  const values = Array.from({ length: count }, (_, index) => `ghp_the-secret-number-${index}-of-many`);
  const masking = new Masking(new SecretMask(), silentLogger);
  try {
    masking.update(['a'.repeat(12_000) + 'b', ...values]);
    await masking.text('a'.repeat(mebibyte));
    const figures: Figure[] = [];
    for (const [name, part] of Object.entries(alphabets)) {
      const text = part.repeat(mebibyte / part.length);
      const { longest, whole } = await measureTurns(() => masking.json(stringifyJson(text)));
      figures.push(
        {
          name: `${count === 1 ? '1 secret' : `${count} secrets`}, ${name}: longest turn`,
          values: [longest],
          unit: 'ms',
          aim: 'at most 50 ms',
        },
        {
          name: `${count === 1 ? '1 secret' : `${count} secrets`}, ${name}: on its own thread`,
          values: [whole],
          unit: 'ms',
        },
      );
    }
    return figures;
  } finally {
    masking.dispose();
  }
}

/** Returns the 99th percentile of the times that lists take while executions receive long answers, in milliseconds. */
async function measureOthers(service: Service, workflowId: string): Promise<number> {
  const load = Array.from({ length: 3 }, async () => {
    for (let count = 0; count < executions / 3; count += 1)
      await follow(service, await execute(service, workflowId, {}));
  });
  const times: number[] = [];
  for (let count = 0; count < requests; count += 1) {
    const began = performance.now();
    await call(service, 'GET', '/v1/workflows');
    times.push(performance.now() - began);
  }
  await Promise.all(load);
  return times.sort((one, other) => one - other)[Math.floor(0.99 * requests)] ?? 0;
}

async function measureService(): Promise<readonly Figure[]> {
  const answer = stringifyJson(
    Array.from({ length: 15_000 }, (_, id) => ({ id, url: 'https://a.b/c%20d', text: 'a "b"' })),
  );
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer));
  }).listen(0, '127.0.0.1');
  const dataFolder = await createDataFolder();
  const words = ['serve', '--data', dataFolder, '--port', '0', '--requests-per-minute', '1000000'];
  const { line, ...running } = await startProcess(words, [], environment);
  try {
    const service = serviceOf({ ...running, baseUrl: textAt(line, 'baseUrl') }, await createKey(dataFolder));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const workflowId = await createDeployed(
      service,
      chain(['start', 'trigger'], ['ask', 'httpRequest', { url }]),
    );
    await measureOthers(service, workflowId);
    const without = await measureOthers(service, workflowId);
    await runProgramWith(
      { stdin: 'ghp_the-secret-of-this-service', environment },
      ...['secrets', 'set', 'TOKEN', '--data', dataFolder],
    );
    const withOne = await measureOthers(service, workflowId);
    const name = 'p99 beside long answers, no secret';
    return [
      { name, values: [without], unit: 'ms' },
      {
        name: 'p99 beside long answers, a secret',
        values: [withOne],
        unit: 'ms',
        comparedTo: name,
        aim: 'about 1 ×',
      },
    ];
  } finally {
    await running.terminate();
    await removeDataFolder(dataFolder);
    server.close();
    server.closeAllConnections();
  }
}

export const masks: Benchmark = {
  name: 'Masks: a text of 1 MiB',
  measure: async () => [
    ...(await measureAlphabets(1)),
    ...(await measureAlphabets(100)),
    ...(await measureService()),
  ],
};
