import assert from 'node:assert/strict';
import { findNodePositions } from '../../../../src/features/definitions/lastRun/nodePositions.ts';
import {
  renderExecutionLens,
  renderNodeFailures,
  renderNodeLenses,
} from '../../../../src/features/definitions/lastRun/renderLastRun.ts';
import {
  foldNodeRuns,
  makeExecution,
  makeNodeLog,
  makeShown,
  statusOf,
} from '../../../support/memory/records.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../../src/domain/status.ts';

const definition = `{
  "name": "Totals",
  "nodes": [
    { "id": "start", "name": "Start", "type": "trigger" },
    { "type": "log", "id": "say" },
    { "name": "without id" },
    { "id": 7 },
    { "id": "say", "name": "twice" }
  ]
}`;

function row(nodeId: string, state: RunState, change: Partial<NodeLog> = {}): NodeLog {
  return makeNodeLog(change.sequence ?? 1, { nodeId, status: statusOf(state), ...change });
}
const reason = (message: string) => ({ code: null, message, nodeId: null });
const textAt = (text: string, { offset, length }: { offset: number; length: number }) =>
  text.slice(offset, offset + length);

describe('positions of nodes in a definition', () => {
  const found = (text: string) =>
    findNodePositions(text).map(({ nodeId, label }) => [nodeId, textAt(text, label)]);

  it('are told by id, once each, with what names the node', () => {
    assert.deepEqual(found(definition), [
      ['start', '"Start"'],
      ['say', '"say"'],
    ]);
    const [first] = findNodePositions(definition);
    assert.ok(first);
    assert.ok(textAt(definition, first).startsWith('{ "id": "start"'));
  });

  for (const [what, text, ids] of [
    ['a text that breaks off', '{ "nodes": [ { "id": "a", "name": "A" }, { "id": "b", "na', ['a', 'b']],
    ['a missing comma', '{ "nodes": [ { "id": "a" } { "id": "b" } ] }', ['a', 'b']],
    ['a missing value', '{ "name": , "nodes": [ { "id": "a" } ] }', ['a']],
    ['comments', '{ /* x */ "nodes": [ { "id": "a" } ] }', ['a']],
    ['no text', '', []],
    ['no JSON at all', 'hello', []],
    ['nodes of another shape', '{ "nodes": { "id": "a" } }', []],
    ['another nodes further down', '{ "settings": { "nodes": [ { "id": "a" } ] } }', []],
  ] as const) {
    it(`are found in ${what}`, () =>
      assert.deepEqual(
        found(text).map(([id]) => id),
        ids,
      ));
  }
});

describe('lenses of nodes', () => {
  const positions = findNodePositions(definition);
  const lenses = (...rows: readonly NodeLog[]) => renderNodeLenses(foldNodeRuns(rows), positions);
  const titles = (...rows: readonly NodeLog[]) => lenses(...rows).map(({ title }) => title);

  it('say state and duration, only above nodes that ran', () => {
    const [lens, ...others] = lenses(row('say', 'completed', { durationMs: 12 }), row('gone', 'failed'));
    assert.equal(lens?.title, '$(pass) completed · 12 ms');
    assert.equal(lens.nodeId, 'say');
    assert.notEqual(lens.nodeRunKey, null);
    assert.equal(definition.slice(lens.offset, lens.offset + 9), '{ "type":');
    assert.deepEqual(others, []);
  });

  it('say how often a loop ran, the worst of it, and let choose', () => {
    const rows = (['completed', 'failed', 'completed'] as const).map((state, at) =>
      row('say', state, {
        iteration: [at],
        durationMs: 500,
        error: state === 'failed' ? reason('no mail') : null,
      }),
    );
    const [lens] = lenses(...rows);
    assert.equal(lens?.title, '$(error) failed · ×3 · 1.5 s · no mail');
    assert.equal(lens.nodeRunKey, null);
    assert.equal(lens.tooltip, '3 turns: 2 completed, 1 failed\nno mail\nSelect a node run to open');
  });

  for (const [what, rows, title] of [
    [
      'the attempt',
      [row('say', 'failed'), row('say', 'completed', { attempt: 2 })],
      '$(pass) completed · attempt 2',
    ],
    [
      'the attempts of a loop',
      [
        row('say', 'failed', { iteration: [0] }),
        row('say', 'completed', { iteration: [0], attempt: 2 }),
        row('say', 'completed', { iteration: [1] }),
      ],
      '$(pass) completed · ×2 · up to 2 attempts',
    ],
    ['that it still runs', [row('start', 'running')], '$(loading~spin) running'],
    ['that it was skipped', [row('start', 'skipped')], '$(debug-step-over) skipped'],
    [
      'a strange word without its icons',
      [row('say', 'unknown', { status: { ...statusOf('unknown'), word: '$(trash)\nfrobbing' } })],
      '$(question) $ (trash) frobbing',
    ],
    [
      'nothing of lines alone but that they are there',
      [row('say', 'unknown', { status: null })],
      '$(question) unknown',
    ],
  ] as const) {
    it(`say ${what}`, () => assert.deepEqual(titles(...rows), [title]));
  }
});

describe('the lens of the execution', () => {
  const now = Date.parse('2026-01-05T10:05:00.000Z');
  const target = { connectionId: 'c', executionId: 'exec_123456' };
  const lens = (change: Parameters<typeof makeExecution>[1], isLatest = true) =>
    renderExecutionLens(
      makeShown({ isLatest, target, execution: makeExecution(target.executionId, change) }),
      now,
    );

  it('says which one, how it went, and how long ago', () => {
    assert.equal(
      lens({ status: statusOf('failed'), durationMs: 320 }),
      '$(error) Latest execution 123456: failed · 320 ms · 5 min ago',
    );
    assert.equal(lens({ createdAt: null }), '$(circle-large-outline) Latest execution 123456: queued');
    assert.equal(lens({ createdAt: null }, false), '$(circle-large-outline) Execution 123456: queued');
  });

  it('says that there is none, and nothing while that is not known', () => {
    assert.equal(renderExecutionLens({ kind: 'none' }, now), 'Not executed yet');
    assert.equal(renderExecutionLens({ kind: 'unknown' }, now), undefined);
  });
});

describe('failed nodes', () => {
  const positions = findNodePositions(definition);
  const failures = (
    rows: readonly NodeLog[],
    change: Parameters<typeof makeExecution>[1] = {},
    isLatest = true,
  ) =>
    renderNodeFailures(
      makeShown({ isLatest, execution: makeExecution('e', change), nodeRuns: foldNodeRuns(rows) }),
      positions,
    ).map(({ message, ...stretch }) => `${textAt(definition, stretch)} ${message}`);

  it('are marked at their name with their error', () =>
    assert.deepEqual(
      failures([row('start', 'failed', { error: reason('bad\ninput') }), row('say', 'skipped')]),
      ['"Start" This node failed in the latest execution: bad input'],
    ));

  it('name the execution that was chosen', () =>
    assert.deepEqual(failures([row('start', 'failed', { error: reason('bad input') })], {}, false), [
      '"Start" This node failed in the execution e: bad input',
    ]));

  it('are counted in a loop, and made up for by a later attempt', () =>
    assert.deepEqual(
      failures([
        row('start', 'failed'),
        row('start', 'completed', { attempt: 2 }),
        row('say', 'completed', { iteration: [0] }),
        row('say', 'failed', { iteration: [1] }),
      ]),
      ['"say" This node failed in the latest execution (1 of 2).'],
    ));

  it('are known by the execution where there are no node runs, and none once it went well', () => {
    const error = { ...reason('no luck'), nodeId: 'say' };
    assert.deepEqual(failures([], { status: statusOf('failed'), error }), [
      '"say" This node failed in the latest execution: no luck',
    ]);
    assert.deepEqual(failures([row('say', 'completed')], { status: statusOf('completed') }), []);
  });
});
