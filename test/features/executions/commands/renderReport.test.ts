import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/domain/errors.ts';
import { renderReport, type ReportFacts } from '../../../../src/features/executions/commands/renderReport.ts';
import { configuration } from '../../../support/vscodeStandIn.ts';
import { logOf, makeExecution, makeNodeLog, statusOf } from '../../../support/memory/records.ts';

const key = ['svc', 'sk', 'abcdefghijklmnop'].join('_');
const failure = { code: 'x', message: `refused ${key}`, nodeId: 'n2' };
const facts: ReportFacts = {
  workflowName: 'Signup | <b>check</b>',
  execution: makeExecution('exec_1', {
    status: statusOf('failed'),
    error: failure,
    eventIds: ['evt_1'],
    input: { name: 'Ada', key },
    durationMs: 1200,
  }),
  logs: logOf([
    makeNodeLog(1, { message: 'first' }),
    makeNodeLog(2, { nodeId: 'n2', nodeName: 'Refuse', message: 'end ``` of\n# fence' }),
  ]),
  output: { kind: 'ready', output: null, error: null },
};

describe('a report', () => {
  it('says what, when, where it failed and why', () => {
    const report = renderReport(facts);
    for (const part of ['## Signup', 'exec\\_1', 'evt\\_1', '| Status | failed |', '| Duration | 1.2 s |'])
      assert.ok(report.includes(part), `${part}\n${report}`);
    assert.ok(report.includes('### Failed at Refuse'));
    assert.ok(report.includes('"name": "Ada"'));
  });

  it('says what it retries, and that a draft is one', () => {
    const execution = { ...facts.execution, retryOf: 'exec_0', kind: 'draft' } as const;
    const report = renderReport({ ...facts, execution });
    assert.ok(report.includes('| Retry of | exec\\_0 |'), report);
    assert.ok(report.includes('| Status | failed, draft |'), report);
  });

  it('names the node that failed for good where the execution names none', () => {
    const row = (sequence: number, nodeId: string, attempt: number, state: 'completed' | 'failed') =>
      makeNodeLog(sequence, {
        nodeId,
        nodeName: `Node ${nodeId}`,
        attempt,
        status: statusOf(state),
        message: `${nodeId}, attempt ${attempt}`,
        error: state === 'failed' ? { ...failure, message: `no ${nodeId}`, nodeId: null } : null,
      });
    const rows = [row(1, 'a', 1, 'failed'), row(2, 'b', 1, 'failed'), row(3, 'b', 2, 'completed')];
    const report = renderReport({
      ...facts,
      execution: { ...facts.execution, error: null },
      logs: logOf(rows),
    });
    assert.match(report, /### Failed at Node a\n\n```text\nno a\n/);
    assert.ok(report.includes('a, attempt 1') && !report.includes('b, attempt'));
  });

  it('names the nodes whose failure was handled, and none of them as what failed', () => {
    const failed = (sequence: number, nodeId: string, iteration: readonly number[] = []) =>
      makeNodeLog(sequence, { nodeId, nodeName: `Node ${nodeId}`, iteration, status: statusOf('failed') });
    const next = (sequence: number, iteration: readonly number[] = []) =>
      makeNodeLog(sequence, { nodeId: `after ${sequence}`, iteration, status: statusOf('completed') });
    const rows = [
      failed(1, 'a'),
      next(2),
      failed(3, 'b', [0]),
      next(4, [0]),
      failed(5, 'b', [1]),
      next(6, [1]),
      failed(7, 'c'),
    ];
    const report = renderReport({
      ...facts,
      execution: { ...facts.execution, error: { ...failure, nodeId: null } },
      logs: logOf(rows),
    });
    assert.ok(report.includes('| Handled failures | Node a, Node b ×2 |'), report);
    assert.ok(report.includes('### Failed at Node c'), report);
  });

  it('shows service text literally and holds no key', () => {
    const report = renderReport(facts);
    assert.ok(!report.includes(key));
    assert.ok(report.includes('Signup \\| \\<b\\>check'));
    assert.ok(report.includes('````text\n'));
    assert.ok(!/^# fence/m.test(report));
    const cut = renderReport({
      ...facts,
      output: { kind: 'text', text: 'x'.repeat(3985) + key, mediaType: 'text/plain' },
    });
    assert.ok(!cut.includes('abcdefgh'));
  });

  it('holds no key with a prefix of its own, and none that hidden characters split', () => {
    configuration.set('workflowAutomation.keyPrefix', 'acme-');
    try {
      const own = 'acme-abcdefghijklmnopqrst';
      const report = renderReport({
        ...facts,
        execution: { ...facts.execution, error: { ...failure, message: own }, input: { own } },
        logs: logOf([makeNodeLog(1, { message: `${own} ${key.slice(0, 12)}\u200b${key.slice(12)}` })]),
        output: { kind: 'text', text: own, mediaType: 'text/plain' },
      });
      assert.doesNotMatch(report, /efghij|fghijk/);
    } finally {
      configuration.set('workflowAutomation.keyPrefix', undefined);
    }
  });

  it('is bounded whatever the sizes', () => {
    const large = 'x'.repeat(1_000_000);
    const report = renderReport({
      ...facts,
      execution: { ...facts.execution, input: { large }, error: { ...failure, message: large } },
      logs: logOf(Array.from({ length: 500 }, (_, at) => makeNodeLog(at, { message: large }))),
      output: { kind: 'text', text: large, mediaType: 'text/plain' },
    });
    assert.ok(report.length < 30_000, String(report.length));
    assert.match(report, /more characters/);
  });

  it('says what could not be read', () => {
    const report = renderReport({
      ...facts,
      logs: new ServiceError({ kind: 'notOffered' }, 'no such route'),
      output: { kind: 'notReady', status: null },
    });
    assert.ok(report.includes("It couldn't be read: no such route"));
    assert.ok(report.includes('None yet.'));
    assert.ok(report.includes('### Failed at n2'));
  });
});
