// A merge may neither lose a change nor make one up; what both changed is named.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { mergeDefinitions } from '../../src/definition/mergeDefinitions.ts';

const node = (id: string, name = id): JsonObject => ({ id, name });
const edge = (source: string, target: string, more: JsonObject = {}): JsonObject => ({
  source,
  target,
  ...more,
});
const base: JsonObject = {
  name: 'A',
  nodes: [node('a'), node('b'), node('c')],
  edges: [edge('a', 'b'), edge('b', 'c')],
  settings: { region: 'eu', size: 1 },
};
const [a, b, c] = [node('a'), node('b'), node('c')];

interface Case {
  readonly title: string;
  readonly mine: JsonObject;
  readonly theirs: JsonObject;
  readonly merged: JsonObject;
  readonly collisions?: readonly string[];
}

const cases: readonly Case[] = [
  { title: 'nothing changed', mine: {}, theirs: {}, merged: {} },
  { title: 'only mine', mine: { name: 'B' }, theirs: {}, merged: { name: 'B' } },
  { title: 'only theirs', mine: {}, theirs: { name: 'B' }, merged: { name: 'B' } },
  { title: 'both the same', mine: { name: 'B' }, theirs: { name: 'B' }, merged: { name: 'B' } },
  {
    title: 'both differently: mine stands, the place is named',
    mine: { name: 'B' },
    theirs: { name: 'C' },
    merged: { name: 'B' },
    collisions: ['name'],
  },
  {
    title: 'different members of an object',
    mine: { settings: { region: 'us', size: 1 } },
    theirs: { settings: { region: 'eu', size: 2, added: true } },
    merged: { settings: { region: 'us', size: 2, added: true } },
  },
  {
    title: 'the same member of an object',
    mine: { settings: { region: 'us', size: 1 } },
    theirs: { settings: { region: 'asia', size: 2 } },
    merged: { settings: { region: 'us', size: 2 } },
    collisions: ['settings.region'],
  },
  { title: 'new members on both sides', mine: { x: 1 }, theirs: { y: 2 }, merged: { x: 1, y: 2 } },
  {
    title: 'the same new member, differently',
    mine: { x: [1] },
    theirs: { x: [2] },
    merged: { x: [1] },
    collisions: ['x'],
  },
  {
    title: 'different nodes',
    mine: { nodes: [node('a', 'mine'), b, c] },
    theirs: { nodes: [a, b, node('c', 'theirs')] },
    merged: { nodes: [node('a', 'mine'), b, node('c', 'theirs')] },
  },
  {
    title: 'the same node',
    mine: { nodes: [a, { ...b, name: 'mine' }, c] },
    theirs: { nodes: [a, { ...b, config: {} }, c] },
    merged: { nodes: [a, { ...b, name: 'mine' }, c] },
    collisions: ['nodes.b'],
  },
  {
    title: 'nodes added on both sides, each where its side has it',
    mine: { nodes: [a, node('m'), b, c] },
    theirs: { nodes: [node('t0'), a, b, node('t'), node('u'), c] },
    merged: { nodes: [node('t0'), a, node('m'), b, node('t'), node('u'), c] },
  },
  {
    title: 'one side removes, the other changes something else',
    mine: { nodes: [a, c], edges: [] },
    theirs: { nodes: [a, b, node('c', 'theirs')] },
    merged: { nodes: [a, node('c', 'theirs')], edges: [] },
  },
  {
    title: 'one side removes what the other changed',
    mine: { nodes: [a, c] },
    theirs: { nodes: [a, node('b', 'theirs'), c] },
    merged: { nodes: [a, c] },
    collisions: ['nodes.b'],
  },
  {
    title: 'one side reorders, the other adds',
    mine: { nodes: [a, b, node('m'), c] },
    theirs: { nodes: [c, b, a] },
    merged: { nodes: [c, b, node('m'), a] },
  },
  {
    title: 'both reorder differently',
    mine: { nodes: [b, a, c] },
    theirs: { nodes: [c, b, a] },
    merged: { nodes: [b, a, c] },
    collisions: ['nodes'],
  },
  {
    title: 'edges, which have no id',
    mine: { edges: [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')] },
    theirs: { edges: [edge('a', 'b', { branch: 'x' }), edge('b', 'c')] },
    merged: { edges: [edge('a', 'b', { branch: 'x' }), edge('b', 'c'), edge('a', 'c')] },
  },
  {
    title: 'lists whose items cannot be told apart',
    mine: { nodes: [a, a] },
    theirs: { nodes: [a] },
    merged: { nodes: [a, a] },
    collisions: ['nodes'],
  },
];

describe('merging definitions', () => {
  for (const { title, mine, theirs, merged, collisions = [] } of cases) {
    it(title, () =>
      assert.deepEqual(mergeDefinitions(base, { ...base, ...mine }, { ...base, ...theirs }), {
        definition: { ...base, ...merged },
        collisions,
      }),
    );
  }

  it('removes members that one side removed', () => {
    const { name, ...nameless } = base;
    assert.equal(name, 'A');
    assert.deepEqual(mergeDefinitions(base, nameless, base), { definition: nameless, collisions: [] });
    assert.deepEqual(mergeDefinitions(base, base, nameless), { definition: nameless, collisions: [] });
    const changed: JsonValue = { ...base, name: 'B' };
    assert.deepEqual(mergeDefinitions(base, changed, nameless), {
      definition: changed,
      collisions: ['name'],
    });
  });
});
