// A comparison that shows anything but real differences is not read twice; what is deployed keeps the draft's own writing.
import assert from 'node:assert/strict';
import { equalJson, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { renderDeployed, renderLike } from '../../src/workflowFiles/renderLike.ts';
import { renderDefinition } from '../../src/model/workflows/workflowDefinition.ts';
import { createRandom } from '../support/randomNumbers.ts';

const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

const draft = lines(
  '{',
  '    "$schema": "./x.json",',
  '    "edges": [{ "target": "b", "source": "a" }],',
  '    "name": "Greeting",',
  '    "nodes": [',
  '        { "type": "trigger", "id": "a" },',
  '        {',
  '            "id": "b", "type": "log",',
  '            "config": { "message": "Hello",   "loud": true }',
  '        }',
  '    ],',
  '    "settings": {}',
  '}',
);

describe('what is deployed, beside its draft', () => {
  it('is the draft letter for letter where nothing differs, whatever the order of members', () => {
    const same = parseJson(
      '{"nodes":[{"id":"a","type":"trigger"},{"config":{"loud":true,"message":"Hello"},"type":"log","id":"b"}],"settings":{}}',
    );
    assert.ok(isJsonObject(same));
    assert.equal(renderDeployed(draft, same), draft);
  });

  it('keeps the byte order mark of a file, and its layout with it', () => {
    const same = parseJson(draft);
    assert.ok(isJsonObject(same));
    assert.equal(renderLike(`\ufeff${draft}`, same), `\ufeff${draft}`);
  });

  it('differs in the lines of what differs alone', () => {
    const nodes = [
      { id: 'a', type: 'trigger' },
      { id: 'b', type: 'log', config: { message: 'Hi', loud: true } },
    ];
    assert.equal(
      renderDeployed(draft, { nodes }),
      lines(
        ...['{', '    "$schema": "./x.json",', '    "edges": [{ "target": "b", "source": "a" }],'],
        ...['    "name": "Greeting",', '    "nodes": [', '        { "type": "trigger", "id": "a" },'],
        ...['        {', '            "id": "b", "type": "log",'],
        ...['            "config": { "message": "Hi",   "loud": true }', '        }'],
        ...['    ],', '    "settings": {}', '}'],
      ),
    );
  });

  it('leaves out what the draft has more, adds what it has less, and finds items by their keys', () => {
    const text = renderDefinition({ name: 'A', nodes: [{ id: 'new' }, { id: 'b', x: 1 }], edges: [] });
    assert.equal(
      renderDeployed(text, {
        nodes: [{ x: 1, id: 'b' }, { id: 'old' }],
        edges: [{ source: 'b', target: 'old' }],
      }),
      renderDefinition({
        name: 'A',
        nodes: [{ id: 'b', x: 1 }, { id: 'old' }],
        edges: [{ source: 'b', target: 'old' }],
      }),
    );
  });

  it('is written as a definition of its own where the draft is no JSON', () => {
    for (const text of ['', '{', '[]', '{"a":1,}'])
      assert.equal(renderDeployed(text, { nodes: [] }), renderDefinition({ nodes: [] }), text);
  });

  it('says what is deployed, whatever the two hold, in 500 random pairs', () => {
    const random = createRandom(7);
    const below = (count: number): number => Math.floor(random() * count);
    const value = (depth: number): JsonValue => {
      const kind = below(depth > 2 ? 4 : 7);
      if (kind < 4) return [null, true, below(3), `"\n${below(3)}é`][kind] ?? null;
      if (kind === 4) return Array.from({ length: below(3) }, () => value(depth + 1));
      return object(depth + 1);
    };
    const object = (depth: number): JsonObject =>
      Object.fromEntries(
        Array.from({ length: below(5) }, () => [
          ['id', 'a', 'b', '', '__proto__'][below(5)] ?? 'a',
          value(depth),
        ]),
      );
    for (let run = 0; run < 500; run += 1) {
      const [own, deployed] = [object(0), object(0)];
      const text = JSON.stringify(own, null, ['', '\t', '   '][below(3)]);
      const rendered = renderDeployed(text, deployed);
      assert.ok(equalJson(parseJson(rendered), { ...own, ...deployed }), `${text} → ${rendered}`);
      assert.equal(renderDeployed(text, own), text);
    }
  });

  it('keeps each node on its line, where the author writes it so', () => {
    const text = lines(
      ...[
        '{',
        '  "nodes": [',
        '    { "id": "a", "type": "trigger" },',
        '    { "id": "b", "config": {"n": 1, "list": [1, 2]} }',
      ],
      ...['  ],', '  "edges": []', '}'],
    );
    const nodes = [
      { id: 'a', type: 'trigger', name: 'New' },
      { id: 'c', config: { deep: { er: 1 } } },
      { id: 'b', config: { n: 2, list: [1, 3, 4], more: { x: [1] } } },
    ];
    assert.equal(
      renderLike(text, { nodes, edges: [{ source: 'a', target: 'b' }] }),
      lines(
        ...['{', '  "nodes": [', '    { "id": "a", "type": "trigger", "name": "New" },'],
        ...[
          '    {',
          '      "id": "c",',
          '      "config": {',
          '        "deep": {',
          '          "er": 1',
          '        }',
          '      }',
          '    },',
        ],
        ...['    { "id": "b", "config": {"n": 2, "list": [1, 3, 4], "more": {"x":[1]}} }'],
        ...[
          '  ],',
          '  "edges": [',
          '    {',
          '      "source": "a",',
          '      "target": "b"',
          '    }',
          '  ]',
          '}',
        ],
      ),
    );
  });

  it('keeps line ends, tabs and the digits of numbers', () => {
    const text = '{\r\n\t"a": 9007199254740993,\r\n\t"b": 1.0\r\n}\r\n';
    const parsed = parseJson('{"b":1,"a":9007199254740993}');
    assert.ok(isJsonObject(parsed));
    assert.equal(renderLike(text, parsed), text);
    const other = parseJson('{"a":9007199254740992,"b":1}');
    assert.ok(isJsonObject(other));
    assert.equal(renderLike(text, other), text.replace('993', '992'));
  });
});
