import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { statusWord } from '../../src/words/status.ts';
import { ElementCache } from '../../src/editor/tree/treeElements.ts';
import { executionElement, runTreeElement } from '../../src/ui/rows/executionElements.ts';
import { renderExecution } from '../../src/ui/rows/executionRows.ts';
import { renderRunTree } from '../../src/ui/rows/nodeRunRows.ts';
import { createFeed } from '../support/memory/logs.ts';
import type { RunTreeItem } from '../../src/model/runs/runItems.ts';
import type { RunState } from '../../src/domain/status.ts';
import { countRuns } from '../../src/words/nodeState.ts';
import { makeExecution, makeNodeLog, statusOf } from '../support/memory/records.ts';
import { statusIcon } from '../../src/ui/icons.ts';

const now = Date.parse('2026-01-05T12:00:00.000Z');

describe('rows', () => {
  it('tell every state by shape and by word, not by colour alone', () => {
    const states: RunState[] = [
      'queued',
      'running',
      'waiting',
      'completed',
      'failed',
      'cancelled',
      'skipped',
      'unknown',
    ];
    assert.equal(new Set(states.map((state) => statusIcon(state).id)).size, states.length);
    assert.equal(new Set(states.map((state) => statusWord(state, ''))).size, states.length);
    assert.equal(statusWord('unknown', 'frobbing'), 'frobbing');
  });

  it('are the same objects from one refresh to the next', () => {
    const elements = new ElementCache();
    const execution = (id: string) => elements.intern(executionElement(id, 'wf', 'e'));
    assert.equal(execution('c'), execution('c'));
    assert.notEqual(execution('c'), execution('d'));
  });

  it('tell that a followed execution lost its connection', () => {
    const started = { status: statusOf('running'), createdAt: null, startedAt: new Date(now - 60_000) };
    const execution = makeExecution('exec_123456', started);
    const follow = { kind: 'catchingUp', retryAt: now, error: new Error('reset') } as const;
    const item = renderExecution(execution, follow, now);
    assert.equal(item.label, '123456');
    assert.equal(item.description, 'running · 1 min · reconnecting…');
    assert.equal(item.contextValue, 'execution,running,cancellable,followed');
  });

  it('tell in the tooltip whether an execution is followed, and that it continues when it no longer is', () => {
    const execution = makeExecution('exec_123456', { status: statusOf('running') });
    const tooltipOf = (follow: Parameters<typeof renderExecution>[1]): string => {
      const { tooltip } = renderExecution(execution, follow, now);
      assert.ok(tooltip instanceof vscode.MarkdownString);
      return tooltip.value;
    };
    assert.match(tooltipOf({ kind: 'following', by: 'stream' }), /Following live/);
    assert.match(tooltipOf({ kind: 'following', by: 'polling' }), /polled every few seconds/);
    assert.match(tooltipOf({ kind: 'stopped' }), /Stopped following; the execution continues/);
    assert.doesNotMatch(tooltipOf(undefined), /ollowing/);
  });

  it('count the runs of a node in no loop, such as a part of an AI node, as runs', () => {
    const feed = createFeed();
    feed.append(
      [1, 2, 3].map((sequence) =>
        makeNodeLog(sequence, {
          nodeId: 'a',
          nodeName: 'Model',
          status: statusOf('completed'),
          startedAt: new Date(sequence * 1000),
        }),
      ),
    );
    const [item] = feed.runTree.items;
    const row =
      item && renderRunTree(feed.runTree, runTreeElement(executionElement('c', 'wf', 'e'), item), now);
    assert.equal(row?.description, '3 runs');
    const summary = feed.runTree.summaries().get('a');
    assert.equal(summary && countRuns(summary), '3 runs');
  });

  it('say that a failure was handled, by shape and by word', () => {
    const feed = createFeed();
    const error = { code: null, message: 'answered 401', nodeId: null };
    feed.append([
      makeNodeLog(1, {
        nodeId: 'loop',
        nodeName: 'Loop',
        nodeType: 'forEach',
        status: statusOf('completed'),
      }),
      makeNodeLog(2, { nodeId: 'a', iteration: [0], status: statusOf('failed'), durationMs: 5, error }),
      makeNodeLog(3, { nodeId: 'b', iteration: [0], status: statusOf('completed'), durationMs: 0 }),
      makeNodeLog(4, { nodeId: 'a', iteration: [1], status: statusOf('failed'), durationMs: 5, error }),
    ]);
    const owner = executionElement('c', 'wf', 'e');
    const render = (item: RunTreeItem | undefined) => {
      const row = item && renderRunTree(feed.runTree, runTreeElement(owner, item), now);
      const icon = row?.iconPath instanceof vscode.ThemeIcon ? row.iconPath.id : undefined;
      return [icon, row?.description, row?.accessibilityInformation?.label];
    };
    const [loop] = feed.runTree.items;
    assert.ok(loop);
    const [first, second] = feed.runTree.childrenOf(loop);
    assert.ok(first && second);
    assert.deepEqual(render(loop), ['pass', '1 of 2 failed', 'Loop, completed, 1 of 2 failed']);
    assert.deepEqual(render(first), ['pass', '', 'Iteration 1, completed']);
    assert.deepEqual(render(feed.runTree.childrenOf(first)[0]), [
      'warning',
      'failed (handled) · 5 ms · answered 401',
      'Node 1 [1], failed (handled), 5 ms, answered 401',
    ]);
    assert.deepEqual(render(second), [
      'error',
      'Node 1: answered 401',
      'Iteration 2, failed, Node 1: answered 401',
    ]);
  });

  it('say that a node was skipped, and for how long others ran', () => {
    const feed = createFeed();
    feed.append([
      makeNodeLog(1, { nodeId: 'a', status: statusOf('skipped'), durationMs: 0 }),
      makeNodeLog(2, { nodeId: 'b', status: statusOf('completed'), durationMs: 0 }),
    ]);
    const owner = executionElement('c', 'wf', 'e');
    const rows = feed.runTree.items.map((item) => {
      const row = renderRunTree(feed.runTree, runTreeElement(owner, item), now);
      return [row?.description, row?.accessibilityInformation?.label];
    });
    assert.deepEqual(rows, [
      ['skipped', 'Node 1, skipped'],
      ['0 ms', 'Node 1, completed, 0 ms'],
    ]);
  });

  const began = new Date(now - 12_400);
  const ended = { startedAt: new Date(now - 3 * 60_000), durationMs: 989 };
  for (const [change, description, spoken] of [
    [{ status: statusOf('completed'), ...ended }, '989 ms · 3 min ago', 'completed, 989 ms, 3 min ago'],
    [{ status: statusOf('failed'), ...ended }, '989 ms · 3 min ago', 'failed, 989 ms, 3 min ago'],
    [
      { status: statusOf('cancelled'), ...ended },
      'cancelled · 989 ms · 3 min ago',
      'cancelled, 989 ms, 3 min ago',
    ],
    [
      { status: { ...statusOf('unknown'), word: 'frobbing' }, ...ended },
      'frobbing · 989 ms · 3 min ago',
      'frobbing, 989 ms, 3 min ago',
    ],
    [{ status: statusOf('running'), startedAt: began }, 'running · 12 s', 'running'],
    [
      { kind: 'draft', status: statusOf('running'), startedAt: began },
      'draft · running · 12 s',
      'draft, running',
    ],
    [{ status: statusOf('waiting'), startedAt: ended.startedAt }, 'waiting · 3 min', 'waiting, 3 min'],
    [{ status: statusOf('queued'), createdAt: null }, 'queued', 'queued'],
  ] as const)
    it(`put what tells most first: "${description}"`, () => {
      const execution = makeExecution('exec_123456', change);
      const item = renderExecution(execution, undefined, now, { owner: 'Greeting' });
      assert.deepEqual([item.label, item.description], ['Greeting', `${description} · 123456`]);
      assert.equal(item.accessibilityInformation?.label, `Greeting, Execution 123456, ${spoken}`);
      assert.ok(item.tooltip instanceof vscode.MarkdownString && item.tooltip.value.includes('123456'));
      const below = renderExecution(execution, undefined, now);
      assert.deepEqual([below.label, below.description], ['123456', description]);
      assert.equal(below.accessibilityInformation?.label, `Execution 123456, ${spoken}`);
    });
});
