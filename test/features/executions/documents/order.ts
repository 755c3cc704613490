// An order, as the documents of its execution show it: two items are picked, one of them in a second attempt, then mail fails.
import type { Execution } from '../../../../src/domain/execution.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../../src/domain/status.ts';
import { makeExchange, makeExecution, makeNodeLog, statusOf } from '../../../support/memory/records.ts';

const input = {
  orderId: 'A-1001',
  items: [
    { sku: 'cup', count: 2 },
    { sku: 'tea', count: 1 },
  ],
};
export const error = { code: 'upstream_error', message: 'The mail server answered 503', nodeId: 'mail' };

/** start: epoch milliseconds. */
export function rowsFrom(start: number): readonly NodeLog[] {
  const at = (millisecond: number): Date => new Date(start + millisecond);
  let count = 0;
  const row = (
    [nodeId, nodeName]: readonly [string, string],
    [state, from, to]: readonly [RunState, number, number?],
    change: Partial<NodeLog>,
  ): NodeLog =>
    makeNodeLog((count += 1), {
      nodeId,
      nodeName,
      status: statusOf(state),
      startedAt: at(from),
      timestamp: at(to ?? from),
      completedAt: to === undefined ? null : at(to),
      durationMs: to === undefined ? null : to - from,
      ...change,
    });
  const order = ['order', 'Order placed'] as const;
  const pick = ['pick', 'Pick item'] as const;
  const mail = ['mail', 'Send receipt'] as const;
  const busy = { code: null, message: 'shelf is busy', nodeId: 'pick' };
  return [
    row(order, ['completed', 120, 125], { message: 'Order A-1001 placed', output: input }),
    row(pick, ['completed', 130, 840], { iteration: [0], message: 'Picked 2 cups' }),
    row(pick, ['failed', 850, 1250], { iteration: [1], level: 'warn', message: 'Failed', error: busy }),
    row(pick, ['completed', 3250, 3600], { iteration: [1], attempt: 2, message: 'Picked:\n1 tea\n0 left' }),
    row(mail, ['running', 3610], {
      input: { to: 'ada@example.com' },
      message: 'Connecting to the mail server',
    }),
    row(mail, ['failed', 3610, 4100], {
      level: 'error',
      message: 'Failed',
      error,
      exchange: makeExchange(503),
    }),
  ];
}

/** start: epoch milliseconds. */
export function executionFrom(start: number): Execution {
  return makeExecution('exec_9f2c41', {
    status: statusOf('failed'),
    eventIds: ['evt_77'],
    input,
    error,
    createdAt: new Date(start),
    startedAt: new Date(start + 110),
    completedAt: new Date(start + 4110),
    durationMs: 4000,
    output: { picked: 3, receipt: null },
    raw: { id: 'exec_9f2c41', status: 'failed', input, error },
  });
}
