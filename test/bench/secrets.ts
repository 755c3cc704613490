// What secrets cost: an execution of five HTTP request nodes with ten secrets, beside the same one with the values in its definition.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/base/json.ts';
import { call, chain, createDeployed, execute, follow, type Service, textAt } from '../service/calls.ts';
import {
  createDataFolder,
  createKey,
  removeDataFolder,
  runProgramWith,
  serviceOf,
  startProcess,
} from '../service/process/program.ts';
import { type Benchmark, median } from './benchmark.ts';

const rounds = 200;
const nodes = [0, 1, 2, 3, 4];
const environment = { WORKFLOW_SECRETS_KEY: 'a key of thirty-two characters or more' };
const valueOf = (name: string): string => `the value of ${name}, as long as a token is`;

/** `write`: what stands for the secret of the name. */
function definitionWith(url: string, write: (name: string) => string): JsonObject {
  return chain(
    ['start', 'trigger'],
    ...nodes.map((index): readonly [string, string, JsonObject] => [
      `ask${index}`,
      'httpRequest',
      {
        method: 'POST',
        url,
        headers: { 'X-Token': `Bearer ${write(`A${index}`)}` },
        body: { token: write(`B${index}`), index: '{{ 1 + 1 }}' },
      },
    ]),
  );
}

/** Milliseconds, from the execution's own times. */
async function measureExecution(service: Service, workflowId: string): Promise<number> {
  const executionId = await execute(service, workflowId, {});
  await follow(service, executionId);
  const { body } = await call(service, 'GET', `/v1/executions/${executionId}`);
  return Number(body['durationMs']);
}

export const secrets: Benchmark = {
  name: 'Secrets: an execution of five HTTP request nodes',
  async measure() {
    const server = createServer((request, response) => {
      request.resume().on('end', () => void response.end('x'.repeat(2000)));
    }).listen(0, '127.0.0.1');
    const dataFolder = await createDataFolder();
    const words = ['serve', '--data', dataFolder, '--port', '0', '--requests-per-minute', '1000000'];
    const { line, ...running } = await startProcess(words, [], environment);
    try {
      for (const name of nodes.flatMap((index) => [`A${index}`, `B${index}`]))
        await runProgramWith(
          { stdin: valueOf(name), environment },
          ...['secrets', 'set', name, '--data', dataFolder],
        );
      const service = serviceOf(
        { ...running, baseUrl: textAt(line, 'baseUrl') },
        await createKey(dataFolder),
      );
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const other = (name: string): string => valueOf(name).replace('value', 'other');
      const literal = await createDeployed(
        service,
        definitionWith(url, (name) => `{{ "${other(name)}" }}`),
      );
      const secret = await createDeployed(
        service,
        definitionWith(url, (name) => `{{ secrets.${name} }}`),
      );
      const measure = async (workflowId: string, into: number[]): Promise<void> => {
        into.push(await measureExecution(service, workflowId));
      };
      const without: number[] = [];
      const withTen: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        // Neither always comes after the other.
        const both = [() => measure(literal, without), () => measure(secret, withTen)];
        for (const each of round % 2 === 0 ? both : both.reverse()) await each();
      }
      return [
        { name: 'with the values in expressions', values: [median(without)], unit: 'ms' },
        {
          name: 'with ten secrets',
          values: [median(withTen)],
          unit: 'ms',
          comparedTo: 'with the values in expressions',
          aim: 'at most 1.1 ×',
        },
      ];
    } finally {
      await running.terminate();
      await removeDataFolder(dataFolder);
      server.close();
      server.closeAllConnections();
    }
  },
};
