// The answers that drafts begin with: what the attempts of a request got, if the service has it whole.
import assert from 'node:assert/strict';
import type { JsonValue } from '../../../../src/base/json.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import { readAnswers } from '../../../../src/features/definitions/pins/answerRequest.ts';
import { hasAnswerableRequest } from '../../../../src/ui/pinning.ts';
import { foldNodeRuns, makeNodeLog, statusOf } from '../../../support/memory/records.ts';

const request = { method: 'GET', url: 'https://orders.example.com' };
const cut = { $cut: { bytes: 9_000_000, preview: '[1, 2' } };

describe('the answers of a request', () => {
  const attempt = (number: number, change: Partial<NodeLog>): NodeLog =>
    makeNodeLog(number, {
      nodeId: 'ask',
      nodeType: 'httpRequest',
      attempt: number,
      status: statusOf('completed'),
      ...change,
    });
  const got = (response: JsonValue): Partial<NodeLog> => ({ exchange: { request, response } });
  const answersOf = (...logs: readonly NodeLog[]) =>
    readAnswers(
      { executions: { readWholeValue: (_target, run, name) => Promise.resolve(run[name]) } },
      { execution: { connectionId: 'c', executionId: 'e' }, attempts: foldNodeRuns(logs) },
    );

  it('are what each attempt got, in their order', async () => {
    const timedOut = {
      status: statusOf('failed'),
      error: { code: 'request_timed_out', message: 'No response.', nodeId: 'ask' },
      exchange: { request },
    };
    const answers = await answersOf(
      attempt(1, got({ status: 503 })),
      attempt(2, timedOut),
      attempt(3, got({ status: 200, body: [1] })),
    );
    assert.deepEqual(answers, [
      { status: 503, headers: {}, body: null },
      { error: 'timeout' },
      { status: 200, headers: {}, body: [1] },
    ]);
  });

  it('are refused where the service has only their beginning', async () => {
    const words = /returns only the beginning of this response/;
    await assert.rejects(answersOf(attempt(1, got({ status: 200, body: cut }))), words);
    await assert.rejects(answersOf(attempt(1, { exchange: cut })), words);
  });

  it('are offered for node runs that sent a request', () => {
    const isOffered = (change: Partial<NodeLog>) =>
      foldNodeRuns([attempt(1, change)]).map(hasAnswerableRequest);
    assert.deepEqual(isOffered(got({ status: 200 })), [true]);
    assert.deepEqual(isOffered({}), [false]);
    assert.deepEqual(isOffered({ ...got({ status: 200 }), nodeType: 'n8n' }), [false]);
  });
});
