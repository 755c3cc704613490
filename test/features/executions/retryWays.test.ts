// The ways between an execution and its retry: known without a request, and offered on rows and in documents.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Execution } from '../../../src/domain/execution.ts';
import { lensToExecution, recordLenses } from '../../../src/features/executions/documents/nodeRunLenses.ts';
import type { ExecutionChange } from '../../../src/model/executions/connectionExecutions.ts';
import { renderExecution } from '../../../src/ui/rows/executionRows.ts';
import { makeExecution, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const retry = (id: string, retryOf: string, hour: number) =>
  makeExecution(id, { retryOf, createdAt: new Date(Date.UTC(2026, 0, 5, hour)) });

describe('the retry of an execution', () => {
  it('is the newest that is known, without a request, and the row of the execution is drawn again', async () => {
    const { executions, first, connectionId } = await open();
    const changes: ExecutionChange[] = [];
    executions.onDidChange((change) => changes.push(change));
    const found = (id: string) => executions.findRetry({ connectionId, executionId: id })?.id;
    const calls = first.calls.length;
    assert.equal(found('e1'), undefined);
    for (const [record, expected] of [
      [retry('r2', 'e1', 2), 'r2'],
      [retry('r1', 'e1', 1), 'r2'],
      [retry('r3', 'e1', 3), 'r3'],
      [retry('r3', 'e1', 3), 'r3'],
      [retry('other', 'e2', 4), 'r3'],
    ] as const) {
      executions.upsert(connectionId, record);
      assert.equal(found('e1'), expected);
    }
    const redrawn = changes.flatMap((change) => (change.kind === 'rows' ? change.executionIds : []));
    assert.deepEqual(redrawn, ['e1', 'e1', 'e2']);
    assert.equal(first.calls.length, calls);
  });

  it('that is no longer held is no longer known', async () => {
    const { executions, connectionId } = await open();
    const ended = { status: statusOf('completed') };
    executions.upsert(connectionId, { ...retry('r1', 'e1', 1), ...ended });
    for (let at = 0; at < 2000; at += 1) executions.upsert(connectionId, makeExecution(`x${at}`, ended));
    assert.equal(executions.findRetry({ connectionId, executionId: 'e1' }), undefined);
  });

  it('is reached from the row of the execution, and the other way round', () => {
    const rowOf = (execution: Execution, known?: Execution) =>
      renderExecution(execution, undefined, 0, { retry: known });
    const row = rowOf(makeExecution('e1', { status: statusOf('failed') }), retry('r1', 'e1', 1));
    assert.equal(row.contextValue, 'execution,failed,retried');
    assert.ok(row.tooltip instanceof vscode.MarkdownString && row.tooltip.value.includes('Retried as: r1'));
    assert.equal(rowOf(retry('r1', 'e1', 1)).contextValue, 'execution,queued,cancellable,retry');
  });

  it('is reached from the row of a child', () => {
    const rowOf = (parent: string | undefined) =>
      renderExecution(makeExecution('e1', { status: statusOf('failed'), parent }), undefined, 0);
    const { contextValue, tooltip } = rowOf('p1');
    assert.equal(contextValue, 'execution,failed,child');
    assert.ok(tooltip instanceof vscode.MarkdownString && tooltip.value.includes('Started by: p1'));
    assert.equal(rowOf(undefined).contextValue, 'execution,failed,child');
  });
});

describe('a document that names other executions', () => {
  const target = { connectionId: 'c', executionId: 'r1' };
  const text = JSON.stringify(
    { id: 'r1', input: { retryOf: 'no' }, retryOf: 'exec_123456', basedOn: null },
    null,
    2,
  );
  const linesOf = (lenses: readonly vscode.CodeLens[]) =>
    lenses.map(({ range, command }) => [range.start.line, command?.title, command?.command]);

  it('leads to them above their members, and to the retry at its top', () => {
    const lenses = recordLenses(text, target, retry('r1', 'exec_123456', 1), retry('r2', 'r1', 2));
    assert.deepEqual(linesOf(lenses), [
      [0, 'Open Retry r2', 'workflowAutomation.execution.openRetry'],
      [5, 'Open Execution 123456', 'workflowAutomation.execution.open'],
    ]);
    assert.ok(text.split('\n')[5]?.startsWith('  "retryOf"'));
  });

  it('leads a child to the execution that started it', () => {
    const child = JSON.stringify({ id: 'c1', parentExecution: { executionId: '43' } }, null, 2);
    const lenses = recordLenses(child, target, makeExecution('c1', { parent: '43' }), undefined);
    assert.deepEqual(linesOf(lenses), [[2, 'Open Execution 43', 'workflowAutomation.execution.open']]);
  });

  it('has no lines of actions where it names none', () => {
    assert.deepEqual(recordLenses(text, target, makeExecution('r1'), undefined), []);
    assert.deepEqual(lensToExecution('{}', 'reusedFrom', 'c', 'e1'), []);
  });
});

async function open() {
  const world = createWorld();
  const [connectionId] = await connectBoth(world);
  return { ...world, connectionId };
}
