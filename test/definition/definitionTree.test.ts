// Completion and problems stand where the author wrote, also in a text that isn't finished.
import assert from 'node:assert/strict';
import { findExpressionAt, readPlacedEdges, readPlacedNodes } from '../../src/definition/definitionTree.ts';
import { readUnfinishedJsonTree } from '../../src/ui/jsonText.ts';

function read(text: string) {
  const root = readUnfinishedJsonTree(text);
  assert.ok(root);
  return root;
}

describe('the tree of a definition', () => {
  it('has nodes and edges with their places, as far as they are written', () => {
    const text =
      '{"nodes": [{"id": "a", "type": "log"}, 5, {"name": "B"}], "edges": [{"source": "a", "target": "';
    const root = read(text);
    const at = ({ offset, length }: { offset: number; length: number }) =>
      text.slice(offset, offset + length);
    const [first, second] = readPlacedNodes(root);
    assert.ok(first?.id && first.type && second?.name);
    assert.deepEqual([first.index, first.id.value, at(first.id), at(first.type)], [0, 'a', '"a"', '"log"']);
    assert.deepEqual(
      [second.index, second.id, second.config, at(second.name)],
      [2, undefined, undefined, '"B"'],
    );
    const [edge] = readPlacedEdges(root);
    assert.ok(edge?.source && edge.target);
    assert.deepEqual([edge.source.value, edge.target.value, edge.branch], ['a', '', undefined]);
    assert.equal(at(edge.target), '"');
  });

  /** `|` is the cursor; what is found is the expression with the cursor in it. */
  const node = (config: string, type = 'log') => `{"nodes": [{"type": "${type}", "config": ${config}`;
  for (const [what, text, expected] of [
    ['a whole expression', node('{"expression": "inp|ut"}}]}'), 'inp|ut'],
    ['its beginning and end', node('{"items": "|"}}]}'), '|'],
    ['an unfinished one', node('{"expression": "nodes.|'), 'nodes.|'],
    ['escapes', node('{"expression": "\\"a\\u00e4\\n\\" & |x"}}]}'), '"aä\n" & |x'],
    ['a template', node('{"url": "http://{{ input.|a }}/b"}}]}'), ' input.|a '],
    ['the second of a template', node('{"url": "{{ a }}{{ b| }}"}}]}'), ' b| '],
    ['an unfinished template', node('{"message": "Hi {{ |"}}]}'), ' |'],
    ['a template deep inside', node('{"headers": {"x": ["{{|y}}"]}}}]}'), '|y'],
    ['text beside a template', node('{"message": "Hi| {{ a }}"}}]}'), undefined],
    ['text after one', node('{"message": "{{ a }} |"}}]}'), undefined],
    ['the marks themselves', node('{"message": "{|{ a }}"}}]}'), undefined],
    ['a name', node('{"expres|sion": "a"}}]}'), undefined],
    ['what only looks like a member', node('{"headers": {"expression": "a|"}}}]}'), undefined],
    ['before the quotation mark', node('{"expression": |"a"}}]}'), undefined],
    ['after the quotation mark', node('{"expression": "a"|}}]}'), undefined],
    ['a trigger', node('{"expression": "a|"}}]}', 'trigger'), undefined],
    ['another place', '{"settings": {"expression": "a|"}}', undefined],
  ] as const) {
    it(`${expected === undefined ? 'has no expression at' : 'finds the expression at'} ${what}`, () => {
      const offset = text.indexOf('|');
      const plain = text.replace('|', '');
      const found = findExpressionAt(plain, read(plain), offset);
      const shown =
        found && `${found.expression.slice(0, found.cursor)}|${found.expression.slice(found.cursor)}`;
      assert.equal(shown, expected);
      if (found) assert.equal(found.toOffset(found.cursor), offset);
    });
  }
});
