// The line of a node says how its run came out, and nodes that weren't reached are known by the end of the execution.
import assert from 'node:assert/strict';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../../src/domain/status.ts';
import { type NodeChanges, noChanges } from '../../../../src/ui/changedNodes.ts';
import {
  findUnreached,
  renderLineEnds,
} from '../../../../src/features/definitions/shownExecution/renderInline.ts';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import {
  foldNodeRuns,
  makeExecution,
  makeNodeLog,
  makeShown,
  statusOf,
} from '../../../support/memory/records.ts';

const definition = `{
  "nodes": [
    { "id": "a", "name": "First" },
    { "id": "b", "type": "log" }
  ]
}`;
const positions = [...new DefinitionText(definition).byId.values()];

function row(nodeId: string, state: RunState, change: Partial<NodeLog> = {}): NodeLog {
  return makeNodeLog(change.sequence ?? 1, { nodeId, status: statusOf(state), message: '', ...change });
}
/** A line of text, which a service without states writes. */
const line = (nodeId: string, message: string, sequence = 1) =>
  makeNodeLog(sequence, { nodeId, status: null, message });

interface Given {
  readonly changes?: NodeChanges;
  readonly isWhole?: boolean;
  readonly execution?: Parameters<typeof makeExecution>[1];
}

function factsOf(rows: readonly NodeLog[], { changes = noChanges, isWhole = true, execution }: Given = {}) {
  const nodeRuns = foldNodeRuns(rows);
  const status = statusOf('completed');
  const shown = makeShown({ nodeRuns, isWhole, execution: makeExecution('e', { status, ...execution }) });
  return { shown, positions, changes, nodes: shown.runTree.select(shown.iterations) };
}
const lines = (rows: readonly NodeLog[], given?: Given) =>
  renderLineEnds(factsOf(rows, given)).map(({ nodeId, text }) => `${nodeId} ${text}`);
const unreached = (rows: readonly NodeLog[], given?: Given) =>
  findUnreached(factsOf(rows, given)).map(({ offset, length }) => definition.slice(offset, offset + length));

const running: Given = { isWhole: false, execution: { status: statusOf('running') } };
const error = (message: string) => ({ code: null, message, nodeId: null });

describe('the end of a node’s line', () => {
  const table: readonly (readonly [string, readonly NodeLog[], Given | undefined, readonly string[]])[] = [
    [
      'says the state and how long it took',
      [row('a', 'completed', { durationMs: 12, message: 'node completed' })],
      running,
      ['a ✓ completed · 12 ms'],
    ],
    [
      'says the last log line that says more than the state',
      [
        row('a', 'running', { message: 'one' }),
        row('a', 'running', { message: 'two', sequence: 2 }),
        row('a', 'completed', { message: 'node completed', sequence: 3 }),
      ],
      running,
      ['a ✓ completed · two'],
    ],
    [
      'says why the node failed, on one line without control characters, and cut',
      [row('a', 'failed', { error: error(`no\n\u202email ${'x'.repeat(200)}`), message: 'other' })],
      running,
      [`a ✗ failed · no mail ${'x'.repeat(80)}…`],
    ],
    [
      'says a warning',
      [row('a', 'completed', { status: { ...statusOf('completed'), hasWarning: true, word: 'warning' } })],
      running,
      ['a ! completed'],
    ],
    ['says what goes on', [row('a', 'running', { message: 'node started' })], running, ['a ▸ running']],
    [
      'says the service’s own word',
      [row('a', 'unknown', { status: { ...statusOf('unknown'), word: 'frob' } })],
      running,
      ['a ? frob'],
    ],
    [
      'says why a node was skipped, and no time',
      [row('a', 'skipped', { durationMs: 1, message: 'Skipped: branch not taken' })],
      running,
      ['a » skipped · branch not taken'],
    ],
    [
      'says that a node was not reached once the execution has ended',
      [row('a', 'completed')],
      undefined,
      ['a ✓ completed', 'b » not reached'],
    ],
    [
      'says nothing of a node that seems to run while the rest of a long log is read',
      [row('a', 'running'), row('b', 'completed')],
      { isWhole: false },
      ['b ✓ completed'],
    ],
    [
      'says that a node was not reached in the turn that is shown',
      [row('a', 'completed', { iteration: [0] }), row('b', 'completed', { iteration: [1] })],
      undefined,
      ['a ✓ completed', 'b » not reached in this iteration'],
    ],
    [
      'says nothing of a node that the execution names as failed',
      [row('a', 'completed')],
      { execution: { status: statusOf('failed'), error: { ...error('x'), nodeId: 'b' } } },
      ['a ✓ completed'],
    ],
    [
      'says nothing of nodes where the service has only lines of text',
      [line('a', 'hello')],
      undefined,
      ['a ? unknown · hello'],
    ],
    ['says nothing where no node run is known', [], undefined, []],
    [
      'says nothing of the other nodes where one was executed alone',
      [row('a', 'completed')],
      { execution: { kind: 'draft', basedOn: 'e' } },
      ['a ✓ completed'],
    ],
    [
      'says that the node has changed since',
      [row('a', 'completed', { message: 'said' }), row('b', 'completed')],
      { changes: new Map([['a', 'changed']]) },
      ['a ✓ completed · changed since this execution · said', 'b ✓ completed'],
    ],
    [
      'says that the node is new, and that a changed one was not reached',
      [],
      { changes: new Map([['a', 'added']]) },
      ['a added since this execution'],
    ],
    [
      'says nothing of a run of another type',
      [row('a', 'failed'), row('b', 'completed')],
      { changes: new Map([['a', 'replaced']]) },
      ['a had a different type in this execution', 'b ✓ completed'],
    ],
    [
      'says that a node was not reached, also one that had another type',
      [row('a', 'completed')],
      { changes: new Map([['b', 'replaced']]) },
      ['a ✓ completed', 'b » not reached · had a different type in this execution'],
    ],
  ];
  for (const [what, rows, given, expected] of table)
    it(what, () => assert.deepEqual(lines(rows, given), expected));

  it('is behind the label, and known as failed', () => {
    const [end] = renderLineEnds(factsOf([row('a', 'failed')], running));
    assert.equal(end?.hasFailed, true);
    assert.ok(definition.slice(0, end.offset).endsWith('"First"'));
  });

  it("isn't known as failed where the run was of another type", () => {
    const changes: NodeChanges = new Map([['a', 'replaced']]);
    const [end] = renderLineEnds(factsOf([row('a', 'failed')], { ...running, changes }));
    assert.equal(end?.hasFailed, false);
  });
});

describe('the nodes that were not reached', () => {
  const b = '{ "id": "b", "type": "log" }';
  for (const [what, rows, given, expected] of [
    ['have no run', [row('a', 'completed')], undefined, [b]],
    ['were skipped', [row('a', 'completed'), row('b', 'skipped')], undefined, [b]],
    ['are none while it runs', [row('a', 'completed'), row('b', 'skipped')], running, []],
    ['are none while not all node runs are known', [row('a', 'completed')], { isWhole: false }, []],
    [
      'are none that did not exist',
      [row('a', 'completed')],
      { changes: new Map([['b', 'added']] as const) },
      [],
    ],
    [
      'are none of which a run of another type was skipped',
      [row('a', 'completed'), row('b', 'skipped')],
      { changes: new Map([['b', 'replaced']] as const) },
      [],
    ],
    ['are not known from lines of text', [line('a', 'hello')], undefined, []],
  ] as const)
    it(what, () => assert.deepEqual(unreached(rows, given), expected));
});
