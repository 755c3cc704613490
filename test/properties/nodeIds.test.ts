// Renaming a node's id changes that name everywhere, and nothing else.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../src/base/json.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { listNodeIds } from '../../src/definition/nodeIds.ts';
import { writeName } from '../../src/definition/references.ts';
import type { Edit } from '../../src/definition/jsonEdits.ts';
import { renameNodeId } from '../../src/features/definitions/nodeIds/renaming.ts';
import { tries } from '../support/properties.ts';

const pool = [
  'start',
  'a',
  'ab',
  'x y',
  'ä',
  'and',
  'q"t',
  "it's",
  'b\\s',
  'l\nf',
  'x}',
  '{{',
  '1st',
  'nodes',
  '\u{1f600}',
];

type Naming = (id: string) => string;
/** A part of a definition for each way to name its nodes. */
type Part<T> = (naming: Naming) => T;

const ids = fc.constantFrom(...pool.slice(0, -3));
const written = (naming: Naming, id: string): string => writeName(naming(id)) ?? assert.fail(id);
const expressions: fc.Arbitrary<Part<string>> = fc
  .tuple(
    fc.constantFrom<readonly [string, string]>(
      ['nodes.', '.total * 2'],
      ['$sum(nodes.', '.items.price)'],
      ['[1, $$.nodes.', '[0], "nodes.a"]'],
      ['input.list[$$.nodes.', ' = nodes.a]'],
      ['$map(nodes.', ', function($n) { $n.nodes.a })'],
      ['{ "a b": nodes . ', ' & "\\"\\u0041" }'],
      ['nodes.* & input.a & nodes.', ''],
    ),
    ids,
  )
  .map(
    ([[before, after], id]) =>
      (naming) =>
        `${before}${written(naming, id)}${after}`,
  );
const templates: fc.Arbitrary<Part<string>> = fc
  .tuple(fc.constantFrom('', 'Hi \\ "', 'nodes.a } { '), expressions, fc.constantFrom('', ' }} "x"', '{{'))
  .map(([before, expression, after]) => (naming) => {
    const inner = expression(naming);
    return `${before}{{ ${inner} }}${after}`;
  });
const config = fc
  .record({ expression: expressions, message: templates, more: templates })
  .map((parts): Part<JsonObject> => (naming) => ({
    expression: parts.expression(naming),
    message: parts.message(naming),
    headers: { 'a.b': [parts.more(naming), 5], nodes: 'a' },
  }));
const types = fc.constantFrom('transform', 'log', 'httpRequest', 'condition', 'forEach', 'teleport');
const definitions = fc
  .record({
    nodes: fc.uniqueArray(fc.tuple(ids, types, config), {
      minLength: 1,
      maxLength: 5,
      selector: ([id]) => id,
    }),
    edges: fc.array(fc.tuple(ids, ids, fc.constantFrom('source', 'from')), { maxLength: 6 }),
  })
  .map(({ nodes, edges }) => {
    const define: Part<JsonObject> = (naming) => ({
      name: 'a',
      nodes: nodes.map(([id, type, configOf]) => ({
        id: naming(id),
        name: id,
        type,
        config: configOf(naming),
      })),
      edges: edges.map(([from, to, name]) =>
        name === 'from'
          ? { from: naming(from), to: naming(to) }
          : { source: naming(from), target: naming(to), branch: 'a' },
      ),
      settings: { a: 'a' },
    });
    return { define, ids: nodes.map(([id]) => id) };
  });

const same: Naming = (id) => id;

function apply(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((left, right) => right.offset - left.offset)
    .reduce(
      (now, { offset, length, content }) => now.slice(0, offset) + content + now.slice(offset + length),
      text,
    );
}

function rename(text: string, from: string, to: string, which = 0): readonly Edit[] {
  const definition = new DefinitionText(text);
  const places = listNodeIds(definition, from);
  const edits = renameNodeId(definition, places[which % places.length]?.span.end ?? 0, to, false);
  return 'refusal' in edits ? assert.fail(edits.refusal) : edits;
}

/** Each character of each string as an escape. */
const escapeAll = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => {
    const units = String(JSON.parse(string)).split('');
    return `"${units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  });

describe('Renaming a node ID', () => {
  const cases = fc
    .tuple(definitions, fc.nat(), fc.constantFrom(...pool), fc.nat(), fc.constantFrom(0, 2))
    .map(([{ define, ids: all }, at, to, which, indent]) => {
      const from = all[at % all.length] ?? '';
      return { define, from, to, which, text: JSON.stringify(define(same), null, indent) };
    })
    // What isn't named yet: an edge or an expression may name a node that isn't there.
    .filter(({ text, to }) => listNodeIds(new DefinitionText(text), to).length === 0);

  it('changes the name everywhere and nothing else, and back', () => {
    let places = 0;
    fc.assert(
      fc.property(cases, ({ define, from, to, which, text }) => {
        const edits = rename(text, from, to, which);
        const renamed = apply(text, edits);
        const naming: Naming = (id) => (id === from ? to : id);
        assert.deepEqual(JSON.parse(renamed), define(naming));

        const before = listNodeIds(new DefinitionText(text), from);
        const after = listNodeIds(new DefinitionText(renamed), to);
        places += before.length;
        let moved = 0;
        const expected = before.map(({ kind, written: { start, end } }, index) => {
          const { offset, length, content } = edits[index] ?? assert.fail();
          assert.deepEqual([offset, length], [start, end - start]);
          const place = { kind, start: start + moved, end: start + moved + content.length };
          moved += content.length - length;
          return place;
        });
        assert.deepEqual(
          after.map((place) => ({ kind: place.kind, ...place.written })),
          expected,
        );
        assert.deepEqual(listNodeIds(new DefinitionText(renamed), from), []);
        assert.equal(apply(renamed, rename(renamed, to, from, which)), text);
      }),
      tries(150),
    );
    assert.ok(places > 300, String(places));
  });

  it('finds the name where each character is escaped', () => {
    fc.assert(
      fc.property(cases, ({ define, from, to, which, text }) => {
        const escaped = escapeAll(text);
        assert.deepEqual(JSON.parse(escaped), JSON.parse(text));
        const renamed = apply(escaped, rename(escaped, from, to, which));
        assert.deepEqual(
          JSON.parse(renamed),
          define((id) => (id === from ? to : id)),
        );
      }),
      tries(70),
    );
  });
});
