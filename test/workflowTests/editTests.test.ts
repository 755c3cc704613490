// What changes a file with tests leaves everything else as its author wrote it.
import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { appendTest, editBetween, renameNode, updateExpected } from '../../src/workflowTests/editTests.ts';
import { TestFile } from '../../src/workflowTests/testFile.ts';

const text = `{
    "workflow": "Orders",
    "tests": [
        { "name": "first", "expected": { "status": "completed", "output": { "id": {"$any": true}, "list": [1, 2, 3] } } },
        {
            "name": "second",
            "pinned": { "call": 1, "other": 2 },
            "answers": { "call": [{ "status": 200 }] },
            "expected": {
                "status": "failed",
                "error": { "nodeId": "call", "message": "call" },
                "nodes": { "call": { "runs": 1, "requests": [{ "headers": { "X-Shop": "a" } }] } }
            },
            "ignore": ["nodes.call.output.date", "output.call", "nodes.callback.output"]
        }
    ]
}
`;

describe('a file with tests that is changed', () => {
  for (const [before, after, offset, length, content] of [
    ['"a 😀 b"', '"a 😁 b"', 3, 2, '😁'],
    ['"a \u{1f600} b"', '"a \u{1f200} b"', 3, 2, '\u{1f200}'],
    ['"😀"', '"😀😀"', 3, 0, '😀'],
    ['"😀😀"', '"😀"', 3, 2, ''],
    ['one', 'one', 3, 0, ''],
    ['', 'one', 0, 0, 'one'],
  ] as const)
    it(`is edited between whole characters: ${before} becomes ${after}`, () => {
      const edit = editBetween(before, after);
      assert.deepEqual(edit, { offset, length, content });
      assert.equal(applyEdits(before, [edit]), after);
    });

  it('expects what came, and keeps its matchers and its layout', () => {
    const updated = updateExpected(text, 0, [
      { path: ['output', 'list', 1], left: 2, right: 5 },
      { path: ['output', 'list', 2], left: 3, right: undefined },
      { path: ['output', 'more'], left: undefined, right: 'new' },
    ]);
    const line = updated.split('\n')[3] ?? '';
    assert.match(line, /"output": \{ "id": \{"\$any": true\}, "list": \[1, 5\],/);
    assert.deepEqual(new TestFile(updated).tests[0]?.spec?.expected.output, {
      id: { $any: true },
      list: [1, 5],
      more: 'new',
    });
    assert.equal(updated.slice(updated.indexOf('"second"')), text.slice(text.indexOf('"second"')));
  });

  it('expects all items that came, in their order', () => {
    const updated = updateExpected(text, 0, [
      { path: ['output', 'list', 3], left: undefined, right: 4 },
      { path: ['output', 'list', 4], left: undefined, right: 5 },
    ]);
    assert.deepEqual(new TestFile(updated).tests[0]?.spec?.expected.output, {
      id: { $any: true },
      list: [1, 2, 3, 4, 5],
    });
  });

  it('expects what came also where that looks like a matcher', () => {
    const updated = updateExpected(text, 0, [
      { path: ['output', 'more'], left: undefined, right: { $any: true } },
    ]);
    assert.ok(
      updated.includes('"more":{"$type":"object"}') || updated.includes('"more": {"$type":"object"}'),
      updated,
    );
  });

  it('finds a header in whichever case it is written', () => {
    const path = ['nodes', 'call', 'requests', 0, 'headers', 'x-shop'];
    const updated = updateExpected(text, 1, [{ path, left: 'a', right: 'b' }]);
    assert.equal(updated, text.replace('"X-Shop": "a"', '"X-Shop": "b"'));
  });

  it('names a node by its other id everywhere, and nothing else', () => {
    const renamed = applyEdits(
      text,
      renameNode(text, 'call', 'get it').map((edit) => ({ ...edit })),
    );
    assert.equal(
      renamed,
      text
        .replace('"call": 1', '"get it": 1')
        .replace('"call": [', '"get it": [')
        .replace('"nodeId": "call"', '"nodeId": "get it"')
        .replace('"call": { "runs"', '"get it": { "runs"')
        .replace('"nodes.call.output.date"', String.raw`"nodes[\"get it\"].output.date"`),
    );
  });

  it('gets one more test in its own indentation', () => {
    const more = appendTest(text, { name: 'third', expected: { status: 'completed' } });
    assert.match(more, /\n {8}\{\n {12}"name": "third",/);
    const kept = text.slice(0, text.lastIndexOf('}', text.lastIndexOf(']')) + 1);
    assert.ok(more.startsWith(`${kept},`));
  });
});
