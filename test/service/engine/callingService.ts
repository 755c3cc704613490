// A service for the tests of a describe, whose nodes call a server that counts and fails.
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService, type TestServiceOptions } from '../../support/service.ts';
import { call, createDeployed, execute, follow } from '../calls.ts';
import { definitionsOn } from './callingDefinitions.ts';
import { FailingServer } from './failingServer.ts';

/** Starts both before the tests, and forgets the calls before each. */
export function useCallingService(options: TestServiceOptions = {}) {
  const server = new FailingServer();
  let started: TestService | undefined;
  before(async () => {
    started = await createTestService({ requestsPerMinute: 10_000, ...options });
    await server.start();
  });
  beforeEach(() => server.take());
  after(async () => {
    await started?.dispose();
    await server.close();
  });
  const running = (): TestService => {
    if (!started) throw new Error('The service has not started yet.');
    return started;
  };
  const service = {
    get key() {
      return running().key;
    },
    get app() {
      return running().app;
    },
    get store() {
      return running().store;
    },
    get secrets() {
      return running().secrets;
    },
  };
  return {
    server,
    service,
    ...definitionsOn(server),
    get: async (executionId: string) => (await call(service, 'GET', `/v1/executions/${executionId}`)).body,
    /** Deploys and executes the definition, to its end. */
    run: async (definition: JsonObject) => {
      const workflowId = await createDeployed(service, definition);
      const executionId = await execute(service, workflowId, {});
      await follow(service, executionId);
      return { workflowId, executionId };
    },
    askRetry: (executionId: string, body?: JsonObject) =>
      call(service, 'POST', `/v1/executions/${executionId}/retry`, body),
  };
}
