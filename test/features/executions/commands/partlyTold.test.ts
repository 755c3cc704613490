// A service may tell the log and the output of an execution, but not the execution itself: a comparison and a report have the rest.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Commands } from '../../../../src/editor/commands.ts';
import { registerComparing } from '../../../../src/features/executions/commands/comparing.ts';
import { writeReport } from '../../../../src/features/executions/commands/register.ts';
import { readCompared, renderCompared } from '../../../../src/features/executions/documents/compared.ts';
import { Outputs } from '../../../../src/features/executions/documents/outputs.ts';
import { kindOf } from '../../../support/reasons.ts';
import { createScriptedClient } from '../../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../../support/scriptedPort.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';

const { signal } = new AbortController();
const rows = [{ id: '1', nodeId: 'a', nodeName: 'Start', message: 'began' }];

async function open(answer: (path: string) => ScriptedAnswer) {
  const { client, clock } = createScriptedClient((path) =>
    path.startsWith('/workflows') ? { body: [] } : answer(path),
  );
  const world: World = createWorld({ createClient: () => client, clock });
  const [connectionId] = await connectBoth(world);
  return { world, target: { connectionId, executionId: 'x' } };
}

describe('an execution that the service does not tell', () => {
  const withoutRecord = (path: string): ScriptedAnswer => {
    if (path.endsWith('/output')) return { body: { total: 3 } };
    return path.includes('/logs') ? { body: rows } : { status: 405 };
  };

  it('is compared by its output and its node runs', async () => {
    const { world, target } = await open(withoutRecord);
    const { output, nodes } = renderCompared(await readCompared(world.executions, target, undefined, signal));
    assert.deepEqual(output, { total: 3 });
    assert.ok(Array.isArray(nodes) && nodes.length === 1);
  });

  it('is reported with its output and its log', async () => {
    const { world, target } = await open(withoutRecord);
    const report = await writeReport(world, target, signal);
    assert.match(report, /Start: began[^]*"total": 3/);
  });

  it('is not reported where nothing of it is told', async () => {
    const { world, target } = await open(() => ({ status: 405 }));
    assert.equal(await kindOf(writeReport(world, target, signal)), 'notOffered');
  });
});

describe('an input that only the list tells', () => {
  const whole = { id: 'x', status: 'completed', input: { n: 1 } };
  const inList = (path: string): ScriptedAnswer => {
    if (path.startsWith('/executions?')) return { body: [whole] };
    if (path.endsWith('/output')) return { body: { total: 3 } };
    return path === '/executions/x' ? { body: { id: 'x', status: 'completed' } } : { status: 405 };
  };

  it('is compared, and reported', async () => {
    const { world, target } = await open(inList);
    const compared = await readCompared(world.executions, target, undefined, signal);
    assert.deepEqual(renderCompared(compared)['input'], { n: 1 });
    const other = await open(inList);
    assert.match(await writeReport(other.world, other.target, signal), /"n": 1/);
  });
});

describe('the last success', () => {
  it('is found on whichever page of the list it is', async () => {
    const executions = ['x', 'a', 'b', 'c', 'd'].map((id) => ({
      id,
      workflowId: 'w1',
      status: id === 'd' ? 'completed' : 'failed',
      input: {},
      logs: [],
    }));
    const { world, target } = await open((path) => {
      const from = Number(/cursor=(\d)/.exec(path)?.[1] ?? 0);
      if (path.startsWith('/executions?'))
        return {
          body: { data: executions.slice(from, from + 2), nextCursor: from > 2 ? null : `${from + 2}` },
        };
      return { body: executions.find(({ id }) => path === `/executions/${id}`) ?? [] };
    });
    const commands = new Commands({
      logger: silentLogger,
      describe: () => assert.fail('Nothing is shown to anybody.'),
      activeConnectionId: () => target.connectionId,
      findSubject: () => undefined,
    });
    const shown: string[] = [];
    const diff = vscode.commands.registerCommand(
      'vscode.diff',
      (original: vscode.Uri, modified: vscode.Uri) => {
        shown.push(original.query, modified.query);
      },
    );
    const comparing = registerComparing({ ...world, commands }, new Outputs());
    await commands.run('execution.compareWithLastSuccess', { executionId: 'x' });
    assert.deepEqual(
      shown.map((query) => /execution=(\w+)/.exec(decodeURIComponent(query))?.[1]),
      ['d', 'x'],
    );
    comparing.dispose();
    diff.dispose();
  });
});
