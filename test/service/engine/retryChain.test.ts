// A chain of retries has an end, since each retry reads those before it.
import assert from 'node:assert/strict';
import { assertRefused, follow, textAt } from '../calls.ts';
import { useCallingService } from './callingService.ts';

describe('Retrying', () => {
  const { server, service, line, run, askRetry } = useCallingService();

  it('is refused after a chain of a hundred retries', async () => {
    server.fail('/a', 100);
    let { executionId } = await run(line());
    for (let count = 1; count < 100; count += 1) {
      executionId = textAt((await askRetry(executionId)).body, 'executionIds', 0);
      await follow(service, executionId);
    }
    const answer = await askRetry(executionId);
    assertRefused(answer, 409, 'chain_too_long');
    assert.match(
      textAt(answer.body, 'error', 'message'),
      /chain of 100 retries\. Execute the workflow again/,
    );
  });
});
