// What a row, a line or an error looks like is decided by pure functions; these are their tables.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ServiceError, type ServiceErrorReason } from '../../src/domain/serviceError.ts';
import { findInputProblems } from '../../src/features/inputs/inputProblems.ts';
import { renderLogLine } from '../../src/ui/words/renderLogLine.ts';
import { renderWorkflow } from '../../src/features/workflows/renderWorkflow.ts';
import { describeError } from '../../src/ui/words/describeError.ts';
import { escapeMarkdown, formatAge, formatDuration, plainLine } from '../../src/editor/format.ts';
import { statusIcon, statusWord } from '../../src/ui/words/statusIcon.ts';
import { ElementCache } from '../../src/editor/treeElements.ts';
import { executionElement } from '../../src/ui/rows/elements.ts';
import { renderExecution } from '../../src/ui/rows/renderExecution.ts';
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import type { RunState, Status } from '../../src/domain/status.ts';
import type { Workflow } from '../../src/domain/workflow.ts';

const now = Date.parse('2026-01-05T12:00:00.000Z');
const escape = '\u001b[31m';

function status(state: RunState): Status {
  return { state, word: state, isTerminal: state === 'completed' || state === 'failed', hasWarning: false };
}

const workflow: Workflow = {
  id: 'wf_1',
  name: 'Lead intake',
  description: null,
  isDeployed: true,
  deployedAt: null,
  hasUndeployedChanges: false,
  deployedDefinition: null,
  version: '1',
  createdAt: null,
  updatedAt: new Date(now - 5 * 60_000),
  hasDefinition: false,
  raw: {},
};

const log: NodeLog = {
  key: 'log_1',
  sequence: 1,
  nodeId: 'n1',
  nodeName: 'Add up',
  nodeType: 'transform',
  iteration: [],
  attempt: 1,
  level: 'info',
  message: 'done',
  status: status('completed'),
  input: undefined,
  output: undefined,
  error: null,
  timestamp: new Date(2026, 0, 5, 9, 8, 7, 6),
  startedAt: null,
  completedAt: null,
  durationMs: null,
};

describe('words for time', () => {
  for (const [milliseconds, words] of [
    [0, '0 ms'],
    [999, '999 ms'],
    [2400, '2.4 s'],
    [59_000, '59 s'],
    [185_000, '3 min 5 s'],
    [7_800_000, '2 h 10 min'],
  ] as const) {
    it(`${milliseconds} ms is "${words}"`, () => assert.equal(formatDuration(milliseconds), words));
  }

  for (const [minutes, words] of [
    [0, 'now'],
    [5, '5 min ago'],
    [120, '2 h ago'],
    [1500, 'yesterday'],
    [4500, '3 days ago'],
  ] as const) {
    it(`${minutes} minutes ago is "${words}"`, () =>
      assert.equal(formatAge(new Date(now - minutes * 60_000), now), words));
  }
});

describe('text from outside', () => {
  it('loses control characters, escapes, line ends and direction tricks', () => {
    assert.equal(plainLine(`a${escape}b\r\nc\u202ed\u0007`), 'a[31mb cd');
    assert.equal(plainLine('x'.repeat(400)).length, 300);
  });

  it('shows literally in Markdown, as no link, image, HTML or heading', () => {
    const escaped = escapeMarkdown('[x](command:evil) <img src=x> # *y* `z`');
    for (const mark of ['[', ']', '(', ')', '<', '>', '#', '*', '`']) {
      assert.ok(!new RegExp(`(?<!\\\\)\\${mark}`).test(escaped), mark);
    }
  });

  it('is never trusted in a tooltip', () => {
    const item = renderWorkflow({ ...workflow, name: '[a](command:evil)' }, now);
    assert.ok(item.tooltip instanceof vscode.MarkdownString);
    assert.notEqual(item.tooltip.isTrusted, true);
    assert.notEqual(item.tooltip.supportHtml, true);
    assert.ok(!item.tooltip.value.includes('[a](command'));
  });
});

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
    const execution = {
      id: 'exec_123456',
      workflowId: 'wf_1',
      eventIds: [],
      status: status('running'),
      trigger: null,
      input: undefined,
      output: undefined,
      error: null,
      createdAt: null,
      startedAt: new Date(now - 60_000),
      completedAt: null,
      durationMs: null,
      raw: {},
    };
    const follow = { kind: 'catchingUp', retryAt: now, error: null } as const;
    const item = renderExecution(execution, follow, now);
    assert.equal(item.label, 'running · 123456');
    assert.equal(item.description, '1 min ago · connection lost, catching up…');
    assert.equal(item.contextValue, 'execution,running,followed');
  });
});

describe('log lines', () => {
  it('carry time, level, execution, node and message', () =>
    assert.equal(
      renderLogLine('Totals abc', log),
      '2026-01-05 09:08:07.006 [info] Totals abc › Add up: done',
    ));

  it('name the turn of a loop and the attempt, and indent further lines', () => {
    const row: NodeLog = { ...log, iteration: [1], attempt: 2, message: 'one\ntwo' };
    assert.equal(
      renderLogLine('T', row),
      '2026-01-05 09:08:07.006 [info] T › Add up [2] (attempt 2): one\n    two',
    );
  });

  it('say the reason of a failure once, without terminal escapes', () => {
    const error = { code: null, message: `no ${escape}mail`, nodeId: null };
    const line = renderLogLine('T', { ...log, level: 'error', message: 'failed', error });
    assert.ok(line.endsWith('failed: no [31mmail'));
    const told = renderLogLine('T', {
      ...log,
      message: 'failed: gone',
      error: { ...error, message: 'gone' },
    });
    assert.ok(told.endsWith('failed: gone'));
  });
});

describe('problems of an input', () => {
  for (const [text, count] of [
    ['{}', 0],
    ['{"a": [1, 2]}', 0],
    ['', 1],
    ['{', 1],
    ['{"a": 1,}', 1],
    ['// no\n{}', 1],
    ['[]', 1],
    ['"text"', 1],
    ['null', 1],
  ] as const) {
    it(`${JSON.stringify(text)} has ${count}`, () => assert.equal(findInputProblems(text).length, count));
  }
});

describe('words for failures', () => {
  const reasons: readonly ServiceErrorReason[] = [
    { kind: 'keyMissing' },
    { kind: 'keyRejected', code: null },
    { kind: 'forbidden' },
    { kind: 'notFound' },
    { kind: 'notOffered' },
    { kind: 'notDeployed' },
    { kind: 'conflict' },
    { kind: 'invalid', details: [{ path: 'nodes.0', message: 'has no id' }] },
    { kind: 'tooLarge' },
    { kind: 'rateLimited', retryAt: now + 4200, isQuota: false },
    { kind: 'unavailable' },
    { kind: 'gap' },
    ...(['webPage', 'notJson', 'incomplete', 'tooLarge', 'encoded', 'redirect'] as const).map(
      (cause) => ({ kind: 'unreadable', cause }) as const,
    ),
    ...(['dns', 'refused', 'tls', 'proxy', 'timeout', 'reset', 'other'] as const).map(
      (cause) => ({ kind: 'unreachable', cause }) as const,
    ),
  ];

  it('differ for every reason, and never blame the internet connection', () => {
    const messages = reasons.map((reason) => describeError(new ServiceError(reason, ''), now).message);
    assert.equal(new Set(messages).size, reasons.length);
    for (const message of messages) assert.doesNotMatch(message, /internet connection/i);
  });

  it('give the seconds left, the details, and the words of the service', () => {
    const say = (reason: ServiceErrorReason, message = '', status = 400) =>
      describeError(new ServiceError(reason, message, { status }), now).message;
    assert.match(say({ kind: 'rateLimited', retryAt: now + 4200, isQuota: false }), / 5 s\.$/);
    assert.match(
      say({ kind: 'invalid', details: [{ path: 'nodes.0', message: 'has no id' }] }),
      /nodes\.0: has no id/,
    );
    assert.match(say({ kind: 'forbidden' }, 'Only owners may.'), /The service says: Only owners may\.$/);
    assert.doesNotMatch(say({ kind: 'notFound' }, 'Not in the list.', 0), /says/);
  });
});
