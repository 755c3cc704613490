// Pointing at a node's name or id tells what its run got and gave, short and harmless whatever the service says.
import assert from 'node:assert/strict';
import type { JsonValue } from '../../../../src/base/json.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import { noChanges } from '../../../../src/ui/changedNodes.ts';
import { explainNode } from '../../../../src/features/definitions/shownExecution/nodeHover.ts';
import { renderShortJson } from '../../../../src/features/definitions/shownExecution/shortJson.ts';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import {
  foldNodeRuns,
  makeExchange,
  makeNodeLog,
  makeShown,
  statusOf,
} from '../../../support/memory/records.ts';

const definition = `{
  "nodes": [
    {
      "id": "a",
      "type": "log",
      "name": "First"
    },
    { "id": "b" }, { "id": "c" }
  ]
}`;

function explain(text: string, rows: readonly Partial<NodeLog>[]) {
  const nodeRuns = foldNodeRuns(rows.map((row, at) => makeNodeLog(at + 1, { nodeId: 'a', ...row })));
  const shown = makeShown({ nodeRuns });
  const offset = definition.lastIndexOf('\n', definition.indexOf(text)) + 1;
  const facts = {
    shown,
    positions: [...new DefinitionText(definition).byId.values()],
    changes: noChanges,
    nodes: shown.runTree.select(shown.iterations),
  };
  return explainNode(facts, { offset, length: definition.indexOf('\n', offset) - offset });
}
const wordsOf = (found: ReturnType<typeof explain>) => found?.words.filter((each) => each !== '');

describe('a hover over a node', () => {
  const rows = [
    { status: statusOf('running'), message: 'node started', input: { a: 1 } },
    { status: statusOf('running'), message: 'said\nthis' },
    {
      status: statusOf('completed'),
      message: 'node completed',
      output: [1, 2],
      durationMs: 12,
    },
  ];

  for (const line of ['"id": "a"', '"name": "First"'])
    it(`on ${line} tells state, input, output and log`, () => {
      const found = explain(line, rows);
      assert.equal(found?.title, 'Node 1 · a');
      assert.deepEqual(wordsOf(found), ['✓ completed · 12 ms']);
      assert.deepEqual(
        found.values.map(({ title, code }) => `${title}: ${code}`),
        [
          'Input: { "a": 1 }',
          'Output: [ 1, 2 ]',
          'Last log lines: [info] started\n[info] said this\n[info] completed in 12 ms',
        ],
      );
      assert.equal(found.run?.nodeId, 'a');
    });

  it('tells what was sent, and what was answered to a run that failed', () => {
    const exchange = makeExchange(401);
    const valuesOf = (row: Partial<NodeLog>) =>
      explain('"id": "a"', [{ ...row, exchange, message: '' }])?.values.map(
        ({ title, code }) => `${title}: ${code.replaceAll(/\s+/g, ' ')}`,
      );
    const request =
      'Request: { "method": "GET", "url": "https://example.com/", "headers": {}, "body": null }';
    const failed = valuesOf({ status: statusOf('failed'), output: null });
    assert.deepEqual(failed?.slice(0, 2), [
      request,
      'Response: { "status": 401, "headers": {}, "body": "Try again later." }',
    ]);
    const completed = valuesOf({ status: statusOf('completed'), output: 1 });
    assert.deepEqual(completed?.slice(0, 2), ['Output: 1', request]);
    assert.ok(!completed.some((value) => value.startsWith('Response')));
  });

  it('tells the attempts before, and why it failed', () => {
    const error = (message: string) => ({ code: null, message, nodeId: null });
    const found = explain('"id": "a"', [
      { status: statusOf('failed'), error: error('busy') },
      { status: statusOf('failed'), error: error('gone'), attempt: 2 },
    ]);
    assert.deepEqual(wordsOf(found), ['✗ failed · attempt 2', 'attempt 1 · ✗ failed · busy', 'gone']);
  });

  it('tells the iteration', () => {
    const found = explain('"id": "a"', [{ status: statusOf('completed'), iteration: [0] }]);
    assert.deepEqual(wordsOf(found), ['✓ completed · Iteration 1 of 1']);
  });

  it('tells that a node was skipped and why, without values and a duration', () => {
    const message = 'Skipped: branch not taken';
    const row = { status: statusOf('skipped'), message, input: null, output: null, durationMs: 0 };
    const found = explain('"id": "a"', [row]);
    assert.deepEqual(wordsOf(found), ['» skipped']);
    assert.deepEqual(found?.values, [
      { title: 'Last log lines', code: '[info] skipped: branch not taken', language: 'log' },
    ]);
  });

  it('tells that a node was not reached', () => {
    const found = explain('"id": "a"', [{ nodeId: 'other', status: statusOf('completed') }]);
    assert.deepEqual(wordsOf(found), ['» not reached']);
    assert.equal(found?.run, undefined);
  });

  for (const [what, line] of [
    ['a line without a name or id', '"type": "log"'],
    ['a line with several nodes', '{ "id": "b" }'],
  ] as const)
    it(`is none on ${what}`, () => assert.equal(explain(line, rows), undefined));
});

describe('short JSON', () => {
  const long = 'x'.repeat(60);
  const table: readonly (readonly [string, JsonValue, string])[] = [
    ['is on one line where it is small', { a: [true, null], b: 'x' }, '{ "a": [ true, null ], "b": "x" }'],
    [
      'is on several lines where it is not',
      { a: [long, 1], b: { c: {} } },
      `{\n  "a": [\n    "${long}",\n    1\n  ],\n  "b": { "c": {} }\n}`,
    ],
    ['folds what lies deep', { a: { b: { c: 1 } }, d: [[1, 2]] }, '{ "a": { "b": {… 1} }, "d": [ [… 2] ] }'],
    [
      'leaves out what lies far behind',
      Array.from({ length: 10 }, (_, at) => at),
      '[ 0, 1, 2, 3, 4, 5, 6, 7, … 2 more ]',
    ],
    [
      'cuts texts, and shows their spaces and unseen characters',
      `a\u202eb\n  ${'x'.repeat(200)}`,
      String.raw`"a\u202eb\n  ${'x'.repeat(87)}…"`,
    ],
    [
      'shows the beginning of a value that the service cut',
      { $cut: { bytes: 9, preview: '{"a":\n1' } },
      '{"a": 1…',
    ],
    ['is exact in names', { 'a\tb': 'x\u00a0' }, String.raw`{ "a\tb": "x\u00a0" }`],
    ['is short for nothing', [], '[]'],
  ];
  for (const [what, value, text] of table) it(what, () => assert.equal(renderShortJson(value), text));

  it('is short whatever the value', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`name ${at} ${'x'.repeat(500)}`, 'y'.repeat(5000)]),
    );
    const text = renderShortJson({ ...wide, again: Array.from({ length: 1000 }, () => wide) });
    assert.ok(text.length < 12_000, String(text.length));
  });
});
