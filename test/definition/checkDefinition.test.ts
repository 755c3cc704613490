// A definition that can't run must not be deployed, and the author must see where and why.
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
  return faults.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const start: Node = ['start', 'trigger'];
const say: Node = ['say', 'log', { message: 'Hi' }];
const each: Node = ['each', 'forEach', { items: '[1]' }];
const answer: Node = ['answer', 'output', { expression: '1' }];

describe('Checking a definition', () => {
  it('accepts a definition that can run, with unknown members', () => {
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
    ['no nodes', [], [], /^nodes: there's no trigger/],
    ['no trigger', [say], [], /^nodes: there's no trigger; exactly one node must be a trigger$/],
    ['two triggers', [start, ['again', 'trigger']], [], /^nodes\.1\.type: node "again" is another trigger/],
    [
      'an unknown type',
      [start, ['x', 'teleport']],
      [['start', 'x']],
      /^nodes\.1\.type: node "x" has a type that doesn't exist \("teleport"\)$/,
    ],
    [
      'an id that expressions cannot name',
      [['a-b', 'trigger']],
      [],
      /^nodes\.0\.id: the ID of node 1 can have at most 64 letters/,
    ],
    [
      'an id used twice',
      [start, say, say],
      [['start', 'say']],
      /^nodes\.2\.id: the ID "say" is used by another node$/,
    ],
    [
      'a missing config member',
      [start, ['x', 'httpRequest', {}]],
      [['start', 'x']],
      /^nodes\.1\.config: node "x": "url" is missing$/,
    ],
    [
      'a config of the wrong kind',
      [start, ['x', 'delay', { milliseconds: -1 }]],
      [['start', 'x']],
      /^nodes\.1\.config\.milliseconds: node "x": "milliseconds" must be at least 0, not -1$/,
    ],
    [
      'an edge from nowhere',
      [start],
      [['no', 'start']],
      /^edges\.0\.source: edge 1 starts at a node that doesn't exist \("no"\)$/m,
    ],
    [
      'an edge to nowhere',
      [start],
      [['start', 'no']],
      /^edges\.0\.target: edge 1 points to a node that doesn't exist \("no"\)$/,
    ],
    [
      'an edge to the trigger',
      [start, say],
      [
        ['start', 'say'],
        ['say', 'start'],
      ],
      /^edges\.1\.target: edge 2 points to the trigger/,
    ],
    [
      'a node nobody leads to',
      [start, say],
      [],
      /^nodes\.1\.id: node "say" can't be reached from the trigger$/,
    ],
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
      /^edges\.1\.branch: edge 2 leaves a condition node/,
    ],
    [
      'a branch out of another node',
      [start, say],
      [['start', 'say', 'true']],
      /^edges\.0\.branch: edge 1 can't have a branch$/,
    ],
    [
      'another branch than that of its error',
      [start, say, ['again', 'log', { message: '' }]],
      [
        ['start', 'say'],
        ['say', 'again', 'failed'],
      ],
      /^edges\.1\.branch: edge 2 can only have the branch "error"$/,
    ],
    [
      'a loop with another branch',
      [start, each, say],
      [
        ['start', 'each'],
        ['each', 'say', 'next'],
      ],
      /^edges\.1\.branch: edge 2 leaves a for-each node: set "branch" to "each", "done" or "error"/,
    ],
    [
      'a loop without a body',
      [start, each, say],
      [
        ['start', 'each'],
        ['each', 'say', 'done'],
      ],
      /^nodes\.1\.id: node "each" has no body/,
    ],
    [
      'a body entered from outside',
      [start, each, say],
      [
        ['start', 'each'],
        ['each', 'say', 'each'],
        ['start', 'say'],
      ],
      /an edge from outside leads to it/,
    ],
    [
      'a body that is what follows',
      [start, each, say],
      [
        ['start', 'each'],
        ['each', 'say', 'each'],
        ['each', 'say', 'done'],
      ],
      /an edge from outside leads to it/,
    ],
    [
      'an output in a body',
      [start, each, answer],
      [
        ['start', 'each'],
        ['each', 'answer', 'each'],
      ],
      /can't be in the body/,
    ],
    [
      'a misspelt expression',
      [start, ['x', 'transform', { expression: '1 +' }]],
      [['start', 'x']],
      /^nodes\.1\.config\.expression: the expression in "expression" of node "x" isn't valid: Unexpected end of expression$/,
    ],
    [
      'a misspelt template',
      [start, ['x', 'httpRequest', { url: 'http://a', headers: { b: '{{ ( }}' } }]],
      [['start', 'x']],
      /^nodes\.1\.config\.headers\.b: the expression in "b" of node "x" isn't valid: Expected "\)"/,
    ],
  ];
  for (const [what, nodes, edges, fault] of broken)
    it(`refuses ${what}`, () => assert.match(check(nodes, edges).join('\n'), fault));

  it('reports which part of an expression is wrong', () => {
    const message = 'Hi {{ input.name }}, {{ a b }}';
    const { faults } = checkDefinition({
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'say', type: 'log', config: { message } },
      ],
      edges: [{ source: 'start', target: 'say' }],
    });
    const [fault] = faults;
    assert.ok(fault?.within);
    const { offset, length } = fault.within;
    assert.deepEqual([message.slice(offset, offset + length), offset], ['b', message.indexOf('b }}')]);
  });

  it("checks nodes of another service's type by the rules for every type", () => {
    const rulesOf = (nodes: readonly Node[], edges: readonly Edge[]) =>
      checkDefinition(
        {
          nodes: nodes.map(([id, type, config]) => ({ id, type, ...(config && { config }) })),
          edges: edges.map(([source, target, branch = null]) => ({ source, target, branch })),
        },
        false,
      ).faults.map(({ path, rule }) => `${path.join('.')}: ${rule}`);
    const hook: Node = ['hook', 'webhook', { expression: '(' }];
    assert.deepEqual(rulesOf([hook, say], [['hook', 'say', 'left']]), []);
    assert.deepEqual(rulesOf([hook, hook, say], [['hook', 'no']]), [
      'nodes.1.id: structure',
      'edges.0.target: structure',
    ]);
    assert.deepEqual(
      rulesOf(
        [start, hook],
        [
          ['start', 'hook'],
          ['hook', 'hook'],
        ],
      ),
      ['nodes.1.id: structure'],
    );
    const many = Array.from({ length: 25 }, (_, index): Node => [`step-${index}`, 'theirs']);
    assert.deepEqual(rulesOf(many, [['step-0', 'no']]), ['edges.0.target: structure']);
  });

  it('accepts the samples, which name the schema', async () => {
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
