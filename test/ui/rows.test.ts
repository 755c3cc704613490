import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { statusIcon, statusWord } from '../../src/ui/words/status.ts';
import { ElementCache } from '../../src/editor/treeElements.ts';
import { executionElement, runTreeElement } from '../../src/ui/rows/executionElements.ts';
import { renderExecution } from '../../src/ui/rows/executionRows.ts';
import { renderRunTree } from '../../src/ui/rows/nodeRunRows.ts';
import { LogFeed } from '../../src/model/log/logFeed.ts';
import type { RunState } from '../../src/domain/status.ts';
import { makeExecution, makeNodeLog, statusOf } from '../support/memory/records.ts';

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
    assert.equal(item.contextValue, 'execution,running,followed');
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

  it('say that a node was skipped, and for how long others ran', () => {
    const feed = new LogFeed();
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
    [{ status: statusOf('waiting'), startedAt: ended.startedAt }, 'waiting · 3 min', 'waiting, 3 min'],
    [{ status: statusOf('queued'), createdAt: null }, 'queued', 'queued'],
  ] as const)
    it(`put what tells most first: "${description}"`, () => {
      const execution = makeExecution('exec_123456', change);
      const item = renderExecution(execution, undefined, now, 'Greeting');
      assert.deepEqual([item.label, item.description], ['Greeting', `${description} · 123456`]);
      assert.equal(item.accessibilityInformation?.label, `Greeting, Execution 123456, ${spoken}`);
      assert.ok(item.tooltip instanceof vscode.MarkdownString && item.tooltip.value.includes('123456'));
      const below = renderExecution(execution, undefined, now);
      assert.deepEqual([below.label, below.description], ['123456', description]);
      assert.equal(below.accessibilityInformation?.label, `Execution 123456, ${spoken}`);
    });
});
