// Whatever a server does to an HTTP request node, the node ends within its time.
import assert from 'node:assert/strict';
import { createTestService, type TestService } from '../../support/service.ts';
import type { RudeServer } from '../../support/rudeServers.ts';
import { testRudeServers } from '../../support/rudeTable.ts';
import { call, chain, createDeployed, execute, follow, textAt } from '../calls.ts';

describe('An HTTP request node ends at a server', () => {
  let service: TestService;
  let patient = '';
  let hasty = '';
  const asking = (timeoutMs: number) =>
    chain(
      ['start', 'trigger'],
      ['ask', 'httpRequest', { url: 'http://127.0.0.1:{{ input.port }}/', timeoutMs }],
    );
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
    patient = await createDeployed(service, asking(15_000));
    hasty = await createDeployed(service, asking(1000));
  });
  after(() => service.dispose());

  const isSwitch = ({ name }: RudeServer) => name === 'changes the protocol (101)';
  testRudeServers(
    async (port, server) => {
      // That the node fails for this reason, and not by its time, is seen however slow the machine is.
      const executionId = await execute(service, isSwitch(server) ? patient : hasty, { port });
      await follow(service, executionId);
      const { body } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
      return body['status'] === 'completed' ? undefined : textAt(body, 'error', 'message');
    },
    (end, server) => {
      if (isSwitch(server)) assert.match(end ?? '', /changed the protocol/);
      else if (server.isFailure)
        assert.match(
          end ?? '',
          /did not respond within 1000 ms|could not be reached: .|answered 101|redirects more than|exceeds|more than/,
        );
    },
  );
});
