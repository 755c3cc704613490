// A property of a real process: whatever fails, and whenever it's killed, an execution that is retried until it completes gives the output of
// one that never failed, and calls no node again that has finished.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { tries } from '../../support/properties.ts';
import { type Running, serve } from '../../support/servers.ts';
import { call, createDeployed, follow, type Service, textAt } from '../calls.ts';
import { definitionOf, steps } from '../engine/randomDefinitions.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  serviceOf,
  startProgram,
} from './program.ts';

type Fate = 'ok' | 'fail' | 'kill' | 'killAfter';
/** What befalls each call in turn; those after the last one succeed. */
const fates = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('ok' as const) },
    { weight: 2, arbitrary: fc.constant('fail' as const) },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.constant('killAfter' as const) },
  ),
  { minLength: 3, maxLength: 15 },
);
/** A start takes a second. */
const maximumKills = 2;

describe('An execution of a process that is killed, retried until it completes', () => {
  let dataFolder = '';
  let key = '';
  let program: Program;
  let server: Running;
  let left: Fate[] = [];
  let kills = 0;
  /** What befell the calls, by path. */
  const befallen = new Map<string, Fate[]>();
  let restarting: Promise<void> | undefined;

  before(async () => {
    dataFolder = await createDataFolder();
    key = await createKey(dataFolder);
    program = await startProgram(dataFolder);
    server = await serve(({ url = '' }, response) => {
      const fate = nextFate();
      befallen.set(url, [...(befallen.get(url) ?? []), fate]);
      if (fate === 'kill') return void restart();
      response.sendDate = false;
      response.writeHead(fate === 'fail' ? 500 : 200).end(url);
      if (fate === 'killAfter') void restart();
    });
  });
  after(async () => {
    await program.kill();
    await server.close();
    await removeDataFolder(dataFolder);
  });

  function nextFate(): Fate {
    const fate = left.shift() ?? 'ok';
    if (fate !== 'kill' && fate !== 'killAfter') return fate;
    if (kills === maximumKills) return 'ok';
    kills += 1;
    return fate;
  }

  function restart(): Promise<void> {
    const next = async (): Promise<void> => {
      await program.kill();
      program = await startProgram(dataFolder);
      restarting = undefined;
    };
    return (restarting ??= next());
  }

  /** Asks again after a kill. */
  async function ask<T>(question: (service: Service) => Promise<T>): Promise<T> {
    for (;;) {
      await restarting;
      const asked = program;
      try {
        return await question(serviceOf(asked, key));
      } catch (error) {
        if (asked === program && restarting === undefined) throw error;
      }
    }
  }

  /** Starts one execution, however often it's asked. */
  async function begin(path: string, request: JsonObject): Promise<string> {
    const header = { 'Idempotency-Key': randomUUID() };
    const { status, body, text } = await ask((service) => call(service, 'POST', path, request, header));
    assert.equal(status, 202, text);
    return textAt(body, 'executionIds', 0);
  }

  async function settle(executionId: string): Promise<JsonValue | undefined> {
    await ask((service) => follow(service, executionId));
    return (await ask((service) => call(service, 'GET', `/v1/executions/${executionId}`))).body['status'];
  }

  const outputOf = async (id: string) =>
    (await ask((service) => call(service, 'GET', `/v1/executions/${id}/output`))).body['output'];

  it('gives the output of one that never failed, and calls no finished node again', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fates, async (all, fate) => {
        const definition = definitionOf(all, `http://127.0.0.1:${server.port}`);
        const workflowId = await ask((service) => createDeployed(service, definition));
        const path = `/v1/workflows/${workflowId}/execute`;
        const whole = await begin(path, { input: {} });
        assert.equal(await settle(whole), 'completed');
        befallen.clear();
        left = [...fate];
        kills = 0;
        let executionId = await begin(path, { input: {} });
        while ((await settle(executionId)) !== 'completed')
          executionId = await begin(`/v1/executions/${executionId}/retry`, {});
        left = [];
        assert.deepEqual(await outputOf(executionId), await outputOf(whole));
        for (const [url, each] of befallen) {
          // A response that the process couldn't store before it was killed isn't known to it.
          const finished = each.filter(
            (one, index) => one === 'ok' || (one === 'killAfter' && index === each.length - 1),
          );
          assert.equal(finished.length, 1, `${url}: ${each.join()}`);
        }
      }),
      tries(3),
    );
  });
});
