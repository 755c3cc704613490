import assert from 'node:assert/strict';
import { statusIcon, statusWord } from '../../src/ui/words/status.ts';
import { ElementCache } from '../../src/editor/treeElements.ts';
import { executionElement, renderExecution } from '../../src/ui/rows/executionRows.ts';
import type { RunState } from '../../src/domain/status.ts';
import { makeExecution, statusOf } from '../support/memory/records.ts';

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
    assert.equal(item.label, 'running · 123456');
    assert.equal(item.description, '1 min ago · connection lost, catching up…');
    assert.equal(item.contextValue, 'execution,running,followed');
  });
});
