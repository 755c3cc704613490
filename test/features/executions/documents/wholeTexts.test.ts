// Each document of one execution as a whole, as it is read.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Commands } from '../../../../src/editor/commands.ts';
import { DocumentOpener } from '../../../../src/editor/documents/documentOpener.ts';
import { schemes } from '../../../../src/editor/ids.ts';
import { LazyDocuments } from '../../../../src/editor/lazy/lazySurfaces.ts';
import { ComparedDocuments } from '../../../../src/features/executions/comparison/comparedDocuments.ts';
import { registerComparing } from '../../../../src/features/executions/commands/comparing.ts';
import { renderReport } from '../../../../src/features/executions/commands/renderReport.ts';
import { createSideSource } from '../../../../src/features/executions/comparison/compared.ts';
import type { ExecutionDocuments } from '../../../../src/features/executions/documents/executionDocuments.ts';
import {
  createDocuments,
  createTimelineSource,
} from '../../../../src/features/executions/documents/register.ts';
import { Outputs } from '../../../../src/features/executions/documents/outputs.ts';
import { LogTexts } from '../../../../src/features/executions/log/logTexts.ts';
import type { Execution } from '../../../../src/domain/execution.ts';
import { configuration, front } from '../../../support/vscodeStandIn.ts';
import { assertGolden } from '../../../support/golden.ts';
import { logOf, makeWorkflow, statusOf } from '../../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';
import { type ExecutionPart, executionUri } from '../../../../src/ui/addresses.ts';
import { error, executionFrom, rowsFrom } from './order.ts';

/** Times in logs and timelines are local ones, in JSON and in reports they're UTC: both read 10:00. */
const localStart = new Date(2026, 0, 5, 10).getTime();
const utcStart = Date.UTC(2026, 0, 5, 10);
describe('the whole text of an execution', () => {
  const { signal } = new AbortController();
  let world: World;
  let connectionId: string;
  let outputs: Outputs;
  let executionDocuments: LazyDocuments;
  let documents: ExecutionDocuments;
  let compared: ComparedDocuments;
  let logs: LogTexts;
  let timeline: ReturnType<typeof createTimelineSource>;

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    outputs = new Outputs();
    const load = () => Promise.resolve();
    executionDocuments = new LazyDocuments(schemes.execution, new DocumentOpener(), load);
    compared = new ComparedDocuments(world);
    logs = new LogTexts(world);
    timeline = createTimelineSource(world);
    documents = createDocuments({ ...world, executionDocuments, logger: silentLogger }, outputs, {
      log: logs.source,
      timeline,
      comparison: createSideSource(world, outputs),
      differences: compared,
    });
    world.first.workflows = [makeWorkflow('w1', { name: 'Order totals' })];
    await world.workflows.read({ connectionId, workflowId: 'w1' }, signal);
  });

  afterEach(() => {
    for (const each of [documents, timeline, logs, compared]) each.dispose();
    front.close();
    executionDocuments.dispose();
  });

  /** The text of the document, as the editor asks for it. */
  async function read(part: ExecutionPart, start = utcStart, change: Partial<Execution> = {}) {
    const target = { connectionId, executionId: 'exec_9f2c41' };
    world.first.executions = [{ ...executionFrom(start), ...change }];
    world.first.logs.set(target.executionId, rowsFrom(start));
    const nodeRunKey = part === 'node' ? await keyOfMail(target) : '';
    const uri: vscode.Uri = executionUri(
      { target, part, nodeRunKey, isCompact: false },
      { connectionName: 'First', title: 'Order totals 9f2c41' },
    );
    return documents.read(uri, signal);
  }

  async function keyOfMail(target: { connectionId: string; executionId: string }): Promise<string> {
    const { nodeRuns } = await world.executions.readLogs(target, signal);
    return nodeRuns.find(({ nodeId }) => nodeId === 'mail')?.key ?? '';
  }

  for (const part of ['details', 'input', 'output', 'node'] as const)
    it(`is JSON of its ${part}`, async () => assertGolden(`execution/${part}`, await read(part)));

  for (const part of ['log', 'timeline'] as const)
    it(`is its ${part}`, async () => assertGolden(`execution/${part}`, await read(part, localStart)));

  it('says in its output that it is still running', async () => {
    const change = {
      status: statusOf('running'),
      completedAt: null,
      durationMs: null,
      error: null,
      output: undefined,
    };
    assertGolden('execution/outputNotReady', await read('output', utcStart, change));
  });

  describe('compared', () => {
    const first = executionFrom(utcStart);
    const error = { code: null, message: 'late', nodeId: 'mail' };
    const second = { ...first, id: 'exec_77ab03', status: statusOf('completed'), error: null };
    const output = { picked: 3, receipt: { to: 'ada@example.com', sent: true } };
    let commands: Commands;
    let closing: Disposable;

    beforeEach(() => {
      commands = new Commands({
        logger: silentLogger,
        describe: () => assert.fail('Nothing is shown to anybody.'),
        activeConnectionId: () => connectionId,
        findSubject: () => undefined,
      });
      world.first.executions = [first, { ...second, output }];
      for (const { id } of [first, second]) world.first.logs.set(id, rowsFrom(utcStart));
      closing = registerComparing({ ...world, commands, executionDocuments }, compared);
    });
    afterEach(() => closing.dispose());

    /** The comparison in front: its path, and its text. */
    const readShown = async (): Promise<readonly string[]> => {
      const uri = front.cursor ?? assert.fail('Nothing is shown.');
      return [uri.path, '', await documents.read(uri, signal)];
    };

    it('with another says what differs, and both sides are documents without ids and times', async () => {
      for (const id of [first.id, second.id])
        world.first.logs.set(id, rowsFrom(id === first.id ? localStart : localStart + 60_000));
      world.first.logs.set(second.id, rowsFrom(localStart + 60_000).slice(0, -1));
      world.first.executions = [first, { ...second, output }].map((each) => ({
        ...each,
        startedAt: new Date(localStart + 110),
      }));
      const uris = await commands.run('execution.compare', {
        executionId: first.id,
        otherExecutionId: second.id,
      });
      assert.equal(uris?.length, 2);
      assertGolden('execution/differences', (await readShown()).join('\n'));
      const calls = world.first.calls.filter((call) => call.startsWith('executions.'));
      assert.deepEqual(calls.toSorted(), [
        ...[second.id, first.id].map((id) => `executions.get ${id}`),
        ...[second.id, first.id].map((id) => `executions.logs ${id}`),
        ...[second.id, first.id].map((id) => `executions.output ${id}`),
      ]);
      const sides = await Promise.all(
        uris.map(async (text) => {
          const uri = vscode.Uri.parse(text, true);
          return `${uri.path}\n${await documents.read(uri, signal)}`;
        }),
      );
      assertGolden('execution/comparison', sides.join('\n'));
    });

    it('is written again when the ignored fields change, and read again only when an execution changes', async () => {
      await commands.run('execution.compare', { executionId: first.id, otherExecutionId: second.id });
      const before = await readShown();
      const { length } = world.first.calls;
      configuration.set('workflowAutomation.comparison.ignoredFields', ['**', 'a[']);
      const [, , text = ''] = await readShown();
      configuration.set('workflowAutomation.comparison.ignoredFields', undefined);
      assert.match(text, /no differences[^]*Invalid ignored field: a\[\n[^]*Ignored differences: \d/);
      assert.deepEqual(await readShown(), before);
      assert.equal(world.first.calls.length, length);
      world.first.changeExecution(second.id, { status: statusOf('cancelled') });
      await world.executions.read({ connectionId, executionId: second.id });
      assert.match((await readShown()).join('\n'), /> right +cancelled/);
    });

    it('with the last success is on the right, and found with one search', async () => {
      world.first.executions = [
        { ...second, id: 'exec_new', status: statusOf('failed'), error },
        { ...second, id: 'exec_other', workflowId: 'w2' },
        first,
        { ...second, output },
        { ...second, id: 'exec_old' },
      ];
      await commands.run('execution.compareWithLastSuccess', { executionId: first.id });
      assert.equal((await readShown())[0], '/First/Order totals 77ab03 ↔ 9f2c41.comparison.txt');
      assert.equal(world.first.calls.filter((call) => call === 'executions.listWhole').length, 1);
    });

    it('with the last success says where there is none', async () => {
      world.first.executions = [first, { ...second, workflowId: 'w2' }];
      await assert.rejects(
        commands.run('execution.compareWithLastSuccess', { executionId: first.id }),
        /No other execution of "Order totals" has completed yet\./,
      );
      assert.equal(front.cursor, undefined);
    });
  });

  it('is a report to paste into a ticket', () =>
    assertGolden(
      'execution/report',
      renderReport({
        workflowName: 'Order totals',
        execution: executionFrom(utcStart),
        logs: logOf(rowsFrom(utcStart)),
        output: { kind: 'ready', output: null, error },
      }),
    ));
});
