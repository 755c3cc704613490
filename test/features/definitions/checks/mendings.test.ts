// What a quick fix does to a definition's text: the fault goes, and everything else stays as the author wrote it.
import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { checkText } from '../../../../src/definition/checkText.ts';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { findMendings, type Mending } from '../../../../src/features/definitions/checks/mendings.ts';

const faultsOf = (text: string) => checkText(text, 'local')?.faults ?? assert.fail(text);

/** What is offered for the first fault. */
function mendingsOf(text: string): readonly Mending[] {
  const [fault] = faultsOf(text);
  assert.ok(fault, text);
  return findMendings(new DefinitionText(text), fault);
}

function mend(text: string, title: string): string {
  const mending = mendingsOf(text).find((each) => each.title === title);
  assert.ok(
    mending,
    mendingsOf(text)
      .map((each) => each.title)
      .join(),
  );
  return applyEdits(
    text,
    mending.edits.map((edit) => ({ ...edit })),
  );
}

const write = (nodes: readonly string[], edges: readonly string[]): string => `{
  "name": "Mine",
  "nodes": [
    ${['{ "id": "start", "type": "trigger" }', ...nodes].join(',\n    ')}
  ],
  "edges": [${edges.map((edge) => `\n    ${edge}`).join(',')}${edges.length > 0 ? '\n  ' : ''}],
  "settings": {}
}
`;
const edge = (source: string, target: string, branch?: string): string =>
  `{ "source": "${source}", "target": "${target}"${branch === undefined ? '' : `, "branch": "${branch}"`} }`;

const wait = '{ "id": "wait", "type": "delay", "config": { "milliseconds": 1 } }';
const say = '{ "id": "say", "type": "log", "config": { "message": "Hi" } }';
const each = '{ "id": "each", "type": "forEach", "config": { "items": "[1]" } }';
const isLarge = '{ "id": "isLarge", "type": "condition", "config": { "expression": "true" } }';
const answer = '{ "id": "answer", "type": "output", "config": { "expression": "1" } }';
const started = edge('start', 'wait');

interface Row {
  readonly what: string;
  readonly text: string;
  readonly title: string;
  readonly mended: string;
  readonly isPreferred?: false;
}

const rows: readonly Row[] = [
  {
    what: 'a mistyped type',
    text: write([wait.replace('delay', 'dealy')], [started]),
    title: 'Change to "delay"',
    mended: write([wait], [started]),
  },
  {
    what: 'the source of an edge',
    text: write([wait], [edge('strat', 'wait')]),
    title: 'Change to "start"',
    mended: write([wait], [started]),
  },
  {
    what: 'the target of an edge',
    text: write([wait], [edge('start', 'wiat')]),
    title: 'Change to "wait"',
    mended: write([wait], [started]),
  },
  {
    what: 'a node that an expression reads, behind escapes',
    text: write([wait, say.replace('Hi', '\\"{{ nodes.wiat.waitedMs }}')], [started, edge('wait', 'say')]),
    title: 'Change to "wait"',
    mended: write([wait, say.replace('Hi', '\\"{{ nodes.wait.waitedMs }}')], [started, edge('wait', 'say')]),
  },
  {
    what: 'a function of an expression',
    text: write([answer.replace('"1"', '"$sume(input.rows)"')], [edge('start', 'answer')]),
    title: 'Change to "$sum"',
    mended: write([answer.replace('"1"', '"$sum(input.rows)"')], [edge('start', 'answer')]),
  },
  {
    what: 'a branch of a loop',
    text: write([each, say], [edge('start', 'each'), edge('each', 'say', 'eahc')]),
    title: 'Change to "each"',
    mended: write([each, say], [edge('start', 'each'), edge('each', 'say', 'each')]),
  },
  {
    what: 'a branch that a condition lacks',
    text: write([isLarge, say], [edge('start', 'isLarge'), edge('isLarge', 'say')]),
    title: 'Set "branch" to "true"',
    mended: write([isLarge, say], [edge('start', 'isLarge'), edge('isLarge', 'say', 'true')]),
    isPreferred: false,
  },
  {
    what: 'a branch where there is none',
    text: write([wait], [edge('start', 'wait', 'next')]),
    title: 'Remove "branch"',
    mended: write([wait], [started]),
  },
  {
    what: 'a value of a config',
    text: write([say.replace('{ "message"', '{ "level": "eror", "message"')], [edge('start', 'say')]),
    title: 'Change to "error"',
    mended: write([say.replace('{ "message"', '{ "level": "error", "message"')], [edge('start', 'say')]),
  },
  {
    what: 'a member of a config',
    text: write([say.replace('{ "message"', '{ "levle": "warn", "message"')], [edge('start', 'say')]),
    title: 'Change to "level"',
    mended: write([say.replace('{ "message"', '{ "level": "warn", "message"')], [edge('start', 'say')]),
  },
  {
    what: 'a missing edge, from the node before',
    text: write([wait, say], [started]),
    title: 'Add the Missing Edge from "wait" to "say"',
    mended: write([wait, say], [started, edge('wait', 'say')]),
  },
  {
    what: 'a missing edge from a condition',
    text: write([isLarge, wait, say], [edge('start', 'isLarge'), edge('isLarge', 'wait', 'true')]).replace(
      '"delay", "config": { "milliseconds": 1 }',
      '"fail", "config": { "message": "no" }',
    ),
    title: 'Add the Missing Edge from "isLarge" to "say" (Branch "false")',
    mended: write(
      [isLarge, wait, say],
      [edge('start', 'isLarge'), edge('isLarge', 'wait', 'true'), edge('isLarge', 'say', 'false')],
    ).replace('"delay", "config": { "milliseconds": 1 }', '"fail", "config": { "message": "no" }'),
  },
  {
    what: 'a missing edge to an output, which cannot be in the body before it',
    text: write([each, say, answer], [edge('start', 'each'), edge('each', 'say', 'each')]),
    title: 'Add the Missing Edge from "each" to "answer" (Branch "done")',
    mended: write(
      [each, say, answer],
      [edge('start', 'each'), edge('each', 'say', 'each'), edge('each', 'answer', 'done')],
    ),
  },
  {
    what: 'a node that is not reached',
    text: write([say, wait], [started]),
    title: 'Remove Node "say" with Its Edges',
    mended: write([wait], [started]),
    isPreferred: false,
  },
  {
    what: 'a node with its edges',
    text: write([say.replace('Hi', '{{ ( }}'), wait], [edge('start', 'say'), started, edge('say', 'wait')]),
    title: 'Remove Node "say" with Its Edges',
    mended: write([wait], [started]),
    isPreferred: false,
  },
];

describe('a quick fix mends', () => {
  for (const { what, text, title, mended, isPreferred = true } of rows)
    it(what, () => {
      assert.equal(mend(text, title), mended);
      assert.deepEqual(faultsOf(mended), []);
      const mending = mendingsOf(text).find((found) => found.title === title);
      assert.equal(mending?.isPreferred, isPreferred);
    });

  it('the first edge of all, and in a text on one line', () => {
    const title = 'Add the Missing Edge from "start" to "wait"';
    assert.equal(
      mend(write([wait], []), title),
      write([wait], []).replace(
        '"edges": []',
        '"edges": [\n    {\n      "source": "start",\n      "target": "wait"\n    }\n  ]',
      ),
    );
    const short = JSON.stringify({
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'wait', type: 'delay', config: { milliseconds: 1 } },
        { id: 'say', type: 'log', config: { message: 'Hi' } },
      ],
      edges: [{ source: 'start', target: 'wait' }],
    });
    assert.equal(
      mend(short, 'Add the Missing Edge from "wait" to "say"'),
      short.replace('"wait"}]}', '"wait"},{"source":"wait","target":"say"}]}'),
    );
  });

  it('an edge laid out on several lines like the others', () => {
    const several = (lines: string): string =>
      JSON.stringify(JSON.parse(lines), null, 4).replaceAll('\n', '\r\n');
    assert.equal(
      mend(several(write([wait, say], [started])), 'Add the Missing Edge from "wait" to "say"'),
      several(write([wait, say], [started, edge('wait', 'say')])),
    );
  });

  it('a loop without a body, with the next node that nothing leads to', () => {
    const text = write([each, answer, say], [edge('start', 'each'), edge('each', 'answer', 'done')]);
    assert.equal(
      mend(text, 'Add the Missing Edge from "each" to "say" (Branch "each")'),
      write(
        [each, answer, say],
        [edge('start', 'each'), edge('each', 'answer', 'done'), edge('each', 'say', 'each')],
      ),
    );
  });

  it('nothing where no word is close, and never removes the only trigger', () => {
    assert.deepEqual(mendingsOf(write([wait], [edge('start', 'nope')])), []);
    assert.deepEqual(mendingsOf(write([], []).replace('"trigger"', '"trigger", "name": ""')), []);
  });

  it('one of two nodes with the same ID, whose edges stay', () => {
    assert.equal(
      mend(write([wait, wait], [started]), 'Remove Node "wait" with Its Edges'),
      write([wait], [started]),
    );
  });
});
