// What cannot run must not be deployed, and the author must be told where and why.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject, parseJson } from '../../src/base/json.ts';
import { checkDefinition } from '../../src/definition/checkDefinition.ts';
import { listAt } from '../service/calls.ts';

type Node = readonly [id: string, type: string, config?: JsonObject];
type Edge = readonly [source: string, target: string, branch?: string | boolean];

function check(nodes: readonly Node[], edges: readonly Edge[]): string[] {
  const { faults } = checkDefinition({
    nodes: nodes.map(([id, type, config]) => ({ id, type, ...(config && { config }) })),
    edges: edges.map(([source, target, branch]) => ({
      source,
      target,
      ...(branch !== undefined && { branch }),
    })),
    settings: {},
  });
  return faults.map(({ path, message }) => `${path}: ${message}`);
}

const start: Node = ['start', 'trigger'];
const say: Node = ['say', 'log', { message: 'Hi' }];
const each: Node = ['each', 'forEach', { items: '[1]' }];
const answer: Node = ['answer', 'output', { expression: '1' }];

describe('Checking a definition', () => {
  it('passes what can run, with members nobody knows', () => {
    assert.deepEqual(
      check(
        [start, each, say, answer],
        [
          ['start', 'each'],
          ['each', 'say', 'each'],
          ['each', 'answer', 'done'],
        ],
      ),
      [],
    );
    const nodes = [{ id: 'start', type: 'trigger', position: { x: 1 }, $note: 'mine' }];
    assert.deepEqual(checkDefinition({ nodes, edges: [], settings: { any: 1 } }).faults, []);
  });

  const broken: readonly (readonly [string, readonly Node[], readonly Edge[], RegExp])[] = [
    ['no nodes', [], [], /^nodes: /],
    ['no trigger', [say], [], /exactly one trigger, not 0/],
    ['two triggers', [start, ['again', 'trigger']], [], /exactly one trigger, not 2/],
    ['an unknown type', [start, ['x', 'teleport']], [['start', 'x']], /^nodes\.1\.type: /],
    ['an id that expressions cannot name', [['a-b', 'trigger']], [], /^nodes\.0\.id: /],
    ['an id used twice', [start, say, say], [['start', 'say']], /^nodes\.2\.id: The id "say" is used twice/],
    [
      'a missing config member',
      [start, ['x', 'httpRequest', {}]],
      [['start', 'x']],
      /^nodes\.1\.config.*"url"/,
    ],
    [
      'a config of the wrong kind',
      [start, ['x', 'delay', { milliseconds: -1 }]],
      [['start', 'x']],
      /^nodes\.1\.config\.milliseconds: /,
    ],
    ['an edge from nowhere', [start], [['no', 'start']], /^edges\.0\.source: There is no node "no"/],
    ['an edge to nowhere', [start], [['start', 'no']], /^edges\.0\.target: There is no node "no"/],
    [
      'an edge to the trigger',
      [start, say],
      [
        ['start', 'say'],
        ['say', 'start'],
      ],
      /Nothing can lead to the trigger/,
    ],
    ['a node nobody leads to', [start, say], [], /^nodes\.1: "say" cannot be reached/],
    [
      'a cycle',
      [start, say, ['b', 'log', { message: '' }]],
      [
        ['start', 'say'],
        ['say', 'b'],
        ['b', 'say'],
      ],
      /part of a cycle/,
    ],
    [
      'a condition without branches',
      [start, ['c', 'condition', { expression: 'true' }], say],
      [
        ['start', 'c'],
        ['c', 'say'],
      ],
      /must name its branch/,
    ],
    [
      'a branch out of another node',
      [start, say],
      [['start', 'say', 'true']],
      /Only edges out of a condition/,
    ],
    [
      'a loop with another branch',
      [start, each, say],
      [
        ['start', 'each'],
        ['each', 'say', 'next'],
      ],
      /"each" or "done"/,
    ],
    [
      'a loop without a body',
      [start, each, say],
      [
        ['start', 'each'],
        ['each', 'say', 'done'],
      ],
      /leads into its body/,
    ],
    [
      'a body entered from outside',
      [start, each, say],
      [
        ['start', 'each'],
        ['each', 'say', 'each'],
        ['start', 'say'],
      ],
      /led to from outside/,
    ],
    [
      'a body that is what follows',
      [start, each, say],
      [
        ['start', 'each'],
        ['each', 'say', 'each'],
        ['each', 'say', 'done'],
      ],
      /led to from outside/,
    ],
    [
      'an output in a body',
      [start, each, answer],
      [
        ['start', 'each'],
        ['each', 'answer', 'each'],
      ],
      /cannot stand inside/,
    ],
    [
      'a misspelt expression',
      [start, ['x', 'transform', { expression: '1 +' }]],
      [['start', 'x']],
      /^nodes\.1\.config\.expression: The expression cannot be read/,
    ],
    [
      'a misspelt template',
      [start, ['x', 'httpRequest', { url: 'http://a', headers: { b: '{{ ( }}' } }]],
      [['start', 'x']],
      /^nodes\.1\.config\.headers\.b: /,
    ],
  ];
  for (const [what, nodes, edges, fault] of broken)
    it(`refuses ${what}`, () => assert.match(check(nodes, edges).join('\n'), fault));

  it('the samples pass, and name the schema', async () => {
    const folder = new URL('../../media/samples/', import.meta.url);
    for (const file of await readdir(folder)) {
      const sample = parseJson(await readFile(new URL(file, folder), 'utf8'));
      assert.ok(isJsonObject(sample));
      assert.equal(sample['$schema'], '../workflow-definition.schema.json');
      const definition = { nodes: listAt(sample, 'nodes'), edges: listAt(sample, 'edges'), settings: {} };
      assert.deepEqual(checkDefinition(definition).faults, [], file);
    }
  });
});
