import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import jsonata from 'jsonata';
import * as v from 'valibot';
import { jsonataFunctions } from '../../../src/ui/expressions/jsonataFunctions.ts';

/** The library lists its functions nowhere but where it binds them. */
const source = readFileSync(fileURLToPath(import.meta.resolve('jsonata')), 'utf8');
const bound = [...source.matchAll(/\.bind\('(\w+)', defineFunction\(/g)].map(([, name]) => `$${name ?? ''}`);

/** What the library holds of a function that it brings along: "<s-nn?:s>" takes a text, a number and perhaps another one. */
const Bound = v.object({ signature: v.object({ definition: v.string() }) });

/** For each parameter whether it may be left out. */
function parametersOf(definition: string): readonly boolean[] {
  const parameters = definition.slice(1, -1).replace(/:[^:]*$/, '');
  const whole = /(?:\([^)]*\)|[a-z])(?:<[^>]*>)?[-+?]*/g;
  return [...parameters.matchAll(whole)].map(([parameter]) => parameter.endsWith('?'));
}

const declaredIn = (signature: string): readonly boolean[] =>
  [...signature.slice(0, signature.indexOf('): ')).matchAll(/(\w+)(\??): /g)].map(
    ([, , mark]) => mark === '?',
  );

describe("JSONata's functions", () => {
  it('are those of the library, none missing and none invented', () => {
    assert.ok(bound.length > 60);
    assert.deepEqual(
      jsonataFunctions().map(({ name }) => name),
      bound.sort(),
    );
  });

  for (const { name, signature, sentence, hasParameters } of jsonataFunctions()) {
    it(`${name} takes what its signature says`, async () => {
      const { signature: known } = v.parse(Bound, await jsonata(name).evaluate({}));
      const mayMiss = parametersOf(known.definition);
      assert.equal(declaredIn(signature).length, mayMiss.length);
      assert.ok(declaredIn(signature).every((isOptional, index) => !isOptional || mayMiss[index] === true));
      assert.equal(hasParameters, declaredIn(signature).length > 0);
      assert.match(sentence, /^[A-Z].*\.$/s);
    });
  }

  it('have signatures whose results have the type that is named', () => {
    const words: Readonly<Record<string, string>> = { s: 'string', n: 'number', b: 'boolean' };
    return Promise.all(
      jsonataFunctions().map(async ({ name, signature }) => {
        const { signature: known } = v.parse(Bound, await jsonata(name).evaluate({}));
        const word = words[/:(\w)>$/.exec(known.definition)?.[1] ?? ''];
        if (word !== undefined) assert.ok(signature.endsWith(`): ${word}`), signature);
      }),
    );
  });
});
