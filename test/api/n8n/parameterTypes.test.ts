// The parameters of a node, read from the types in which n8n declares them.
import assert from 'node:assert/strict';
import { readParameterTypes } from '../../../src/api/n8n/parameterTypes.ts';
import type { NodeParameter } from '../../../src/domain/nodeParameters.ts';

const outline = (parameters: readonly NodeParameter[]): unknown[] =>
  parameters.map(({ name, isRequired, type: { values, members } }) => [
    isRequired ? `${name}!` : name,
    ...values,
    ...outline(members),
  ]);
const read = (members: string) => readParameterTypes(`export interface AParams {${members}}`);

describe('the parameters of a node type', () => {
  it('have names, values and members', () => {
    const found = read(`
      url: string | Expression<string>;
      method?: 'GET' | "POST" | Expression<string>;
      isFast?: boolean | Expression<boolean>;
      'x-y'?: number;
      rows?: Array<{ name?: string; kind: 'a' | 'b' }>;
      pairs?: { key: string }[];
      nothing?: {};
    `);
    assert.deepEqual(outline(found), [
      ['url!'],
      ['method', 'GET', 'POST'],
      ['isFast', true, false],
      ['x-y'],
      ['rows', ['name'], ['kind!', 'a', 'b']],
      ['pairs', ['key!']],
      ['nothing'],
    ]);
    assert.deepEqual(
      found.slice(0, 3).map(({ type }) => type.text),
      ['string | Expression<string>', "'GET' | 'POST' | Expression<string>", 'boolean | Expression<boolean>'],
    );
  });

  it('have words, without what is meant for machines and pages', () => {
    const [found] = read(`
      /**
       * Whether to follow <code>3xx</code> &amp; more
       * on all hosts
       * @builderHint Never do this: { a: 1 }
and more of it
       * @displayOptions.show { mode: ["x"] }
       * @default {"a":[1]}
       */
      follow?: boolean;`);
    assert.deepEqual(
      [found?.description, found?.default],
      ['Whether to follow 3xx & more on all hosts', '{"a":[1]}'],
    );
  });

  it('know the types that are declared before them', () => {
    const text = `type Kind = 'a' | 'b';\ntype Pair = { kind: Kind; value: unknown };\nexport type XParams = { pair?: Pair; list?: Kind[] };`;
    assert.deepEqual(outline(readParameterTypes(text)), [
      ['pair', ['kind!', 'a', 'b'], ['value!']],
      ['list'],
    ]);
  });

  it('of several forms are one list, each name once', () => {
    const text = `export type AParams = { mode: 'a'; both: string; x?: number };\nexport type ANode = { version: 1 };\nexport type BParams = { mode: 'b'; both?: string };`;
    assert.deepEqual(outline(readParameterTypes(text)), [['mode!', 'a', 'b'], ['both'], ['x']]);
  });

  for (const [title, text, wanted] of [
    ['an error in place of types', "# Errors\n\nNode type 'x' not found.", []],
    ['nothing', '', []],
    ['an object without an end', 'type AParams = { a: string; b?: { c: string', [['a!'], ['b', ['c!']]]],
    ['a type that is missing', 'type AParams = { a: ; b: string }', [['a!'], ['b!']]],
    ['strings with braces', "type AParams = { a: '}' | '{'; b: string }", [['a!', '}', '{'], ['b!']]],
  ] as const)
    it(`are read as far as they can be: ${title}`, () =>
      assert.deepEqual(outline(readParameterTypes(text)), wanted));

  it('have a bound in depth', () => {
    const deep = `type AParams = ${'{ a: '.repeat(5000)}string${' }'.repeat(5000)}; type BParams = { b: string };`;
    assert.equal(readParameterTypes(deep).length, 2);
  });
});
