// Whatever a server does to an HTTP request node, the node ends within its time.
import assert from 'node:assert/strict';
import { createTestService, type TestService } from '../../support/service.ts';
import { testRudeServers } from '../../support/rudeTable.ts';
import { chain, runToEnd, textAt } from '../calls.ts';

describe('An HTTP request node ends at a server', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  testRudeServers(
    async (port) => {
      const config = { url: `http://127.0.0.1:${port}/`, timeoutMs: 1000 };
      const { result } = await runToEnd(service, chain(['start', 'trigger'], ['ask', 'httpRequest', config]));
      return result['status'] === 'completed' ? undefined : textAt(result, 'error', 'message');
    },
    (end, { name, isFailure }) => {
      if (!isFailure) return;
      assert.match(
        end ?? '',
        /did not respond within 1000 ms|could not be reached: .|answered 101|redirects more than|exceeds|more than/,
      );
      if (name === 'changes the protocol (101)') assert.match(end ?? '', /changed the protocol/);
    },
  );
});
