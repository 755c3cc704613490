// What a service refuses is marked where the author wrote it, however the service writes the place.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { readPath } from '../../src/definition/places.ts';

const text = `{"name": 5, "nodes": [
  {"id": "a", "config": {"url": "x\\n{{ b c }}", "a.b": 1}},
  {
    "id": "long"
  }
], "edges": [{"source": "a", "target": "no"}]}`;
const definition = new DefinitionText(text);

describe('the place of a fault', () => {
  for (const [path, found] of [
    ['name', '5'],
    ['nodes.0.config.url', '"x\\n{{ b c }}"'],
    ['nodes[0].id', '"a"'],
    ["nodes[0]['id']", '"a"'],
    ['$.nodes[0].id', '"a"'],
    ['/nodes/0/config/a.b', '1'],
    ['body.nodes.0.id', '"a"'],
    ['edges.0.target', '"no"'],
    ['edges.0.branch', '{"source": "a", "target": "no"}'],
    ['long', '"long"'],
    ['long.id', '"long"'],
    ['nodes.0.config', '"config"'],
    ['nodes.0.config.method', '"config"'],
    ['nodes.7.id', '"nodes"'],
    ['nodes.1', '{'],
    ['nodes.1.config', '{'],
    ['elsewhere', '{'],
    ['', '{'],
  ] as const) {
    it(`"${path}" is at ${found}`, () => {
      const { offset, length } = definition.locate(readPath(path));
      assert.equal(text.slice(offset, offset + length), found);
    });
  }

  it('can be a part of a string, counted without its escapes', () => {
    const path = ['nodes', '0', 'config', 'url'];
    const { offset, length } = definition.locate(path, { offset: 7, length: 1 });
    assert.equal(text.slice(offset, offset + length), 'c');
    assert.equal(offset, text.indexOf('c }}'));
  });
});
