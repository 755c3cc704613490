import assert from 'node:assert/strict';
import { describeUnknown } from '../../../src/features/inputs/execute.ts';

describe('an execution that could not be told', () => {
  const trigger = { workflowId: 'w', executionIds: [], status: 'triggered', respondedAt: null };
  const say = (...eventIds: readonly string[]): string => describeUnknown({ ...trigger, eventIds });

  it('is spoken of with the events that the service named, a few of them', () => {
    assert.match(say(), /Look at the newest executions\.$/);
    assert.match(say('evt_1'), /newest executions\. Event: evt_1$/);
    assert.match(say('e1', 'e2\n', 'e3', 'e4'), / Event: e1, e2, e3, …$/);
  });
});
