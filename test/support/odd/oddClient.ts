// The client of a service that chose otherwise.
import assert from 'node:assert/strict';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { Execution } from '../../../src/domain/execution.ts';
import { resolveExecution } from '../../../src/model/executions/executionLookup.ts';
import { createAppPort } from '../appPort.ts';
import { createHastyClock } from '../hastyClock.ts';
import type { OddService } from './oddContext.ts';
import { createOddApp } from './oddService.ts';

const clock = createHastyClock();

/** `onRequest`: gets the method and the path of each request. */
export function createOddClient(
  service: OddService,
  onRequest: (method: string, path: string) => void = () => undefined,
): ServicePort {
  const app = createOddApp(service);
  const http = createAppPort({
    request: (url, init) => {
      onRequest(init.method ?? 'GET', new URL(url).pathname);
      return app(url, init);
    },
  });
  return createClient({
    http: () => Promise.resolve(http),
    baseUrl: 'https://odd.example/v1',
    key: () => Promise.resolve('svc_sk_odd0123456789'),
    keyPrefix: () => 'svc_sk_',
    budgets: new Budgets({ clock, requestsPerMinute: 1000 }),
    logger: silentLogger,
    clock,
  });
}

/** The workflow "First" is among those that each odd service has. */
export async function firstWorkflowId(client: ServicePort): Promise<string> {
  const all = await client.workflows.listWhole({ limit: 1000, purpose: 'workflows' });
  return all.find(({ name }) => name === 'First')?.id ?? assert.fail();
}

/** Deploys, executes, and finds the execution by its event. */
export async function runOdd(client: ServicePort, linksNoEvents = false): Promise<Execution> {
  const workflowId = await firstWorkflowId(client);
  assert.equal((await client.workflows.deploy(workflowId)).isDeployed, true);
  const trigger = await client.workflows.execute(workflowId, { n: 1 });
  assert.deepEqual(
    [trigger.workflowId, trigger.status, trigger.eventIds.length],
    [workflowId, 'triggered', 1],
  );
  const match = await resolveExecution({ client, clock, trigger, known: new Set() });
  assert.ok(match.kind === (linksNoEvents ? 'probable' : 'matched'));
  return client.executions.get(match.executionId);
}
