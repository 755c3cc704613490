// What is offered and explained among the parameters of n8n's nodes, while they are written.
import assert from 'node:assert/strict';
import { readParameterTypes } from '../../../../src/api/n8n/parameterTypes.ts';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import {
  explainParameter,
  offerParameters,
} from '../../../../src/features/definitions/completion/parameterHelp.ts';
import { findParameterPlace } from '../../../../src/features/definitions/completion/parameterPlace.ts';

const parameters = readParameterTypes(`export type AParams = {
  /** Where it goes */
  url: string;
  /**
   * How it goes
   * @default GET
   */
  method?: 'GET' | 'POST' | Expression<string>;
  isFast?: boolean;
  times?: number;
  options?: { /** Rows */ rows?: Array<{ kind: 'a' | 'b'; note?: string }> };
};`);

/** The bar is the cursor. */
const read = (written: string) => {
  const before = `{"nodes": [{"name": "Call", "type": "http", "parameters": `;
  const offset = before.length + written.indexOf('|');
  const text = new DefinitionText(`${before}${written.replace('|', '')}`, 'n8n');
  return { text: text.text, place: findParameterPlace(text, offset) };
};
/** The texts that the offers lead to. */
const offered = (written: string): readonly string[] => {
  const { text, place } = read(written);
  if (place === undefined) return [];
  return offerParameters(place, parameters)
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ before, after, span }) =>
      `${text.slice(0, span.start)}${before}|${after}${text.slice(span.end)}`.slice(
        text.indexOf('"parameters": ') + 14,
      ),
    );
};

describe('what is offered among the parameters of a node', () => {
  it('is each name that is not there yet, the required ones first, with what belongs behind it', () => {
    assert.deepEqual(offered('{"times": 1, "|"}'), [
      '{"times": 1, "url": "|"}',
      '{"times": 1, "method": "|"}',
      '{"times": 1, "isFast": |}',
      '{"times": 1, "options": { | }}',
    ]);
    assert.deepEqual(offered('{ | }').slice(0, 2), ['{ "url": "|" }', '{ "method": "|" }']);
  });

  it('is the name alone where its value stands already', () => {
    assert.deepEqual(offered('{"m|": "GET", "url": "", "options": {}, "times": 1}'), [
      '{"method"|: "GET", "url": "", "options": {}, "times": 1}',
      '{"isFast"|: "GET", "url": "", "options": {}, "times": 1}',
    ]);
  });

  it('are the values of a parameter, in quotes and without', () => {
    assert.deepEqual(offered('{"method": "|"}'), ['{"method": "GET"|}', '{"method": "POST"|}']);
    assert.deepEqual(offered('{"method": |}'), ['{"method": "GET"|}', '{"method": "POST"|}']);
    assert.deepEqual(offered('{"isFast": tr|}'), ['{"isFast": true|}', '{"isFast": false|}']);
    assert.deepEqual(offered('{"url": "|"}'), []);
  });

  it('are the members of an object in a list', () => {
    assert.deepEqual(offered('{"options": {"rows": [{}, {"|"}]}}'), [
      '{"options": {"rows": [{}, {"kind": "|"}]}}',
      '{"options": {"rows": [{}, {"note": "|"}]}}',
    ]);
    assert.deepEqual(offered('{"options": {"rows": [{"kind": "|"}]}}').length, 2);
    assert.deepEqual(offered('{"options": {"|"}}'), ['{"options": {"rows": [|]}}']);
  });

  it('says which value is the default, and what a name is for', () => {
    const values = read('{"method": "|"}').place ?? assert.fail();
    const described = offerParameters(values, parameters).map(({ description }) => description);
    assert.deepEqual(described, ['default', '']);
    const names = read('{"|"}').place ?? assert.fail();
    const [url, method] = offerParameters(names, parameters);
    assert.deepEqual([url?.description, url?.documentation], ['required', 'Where it goes']);
    assert.equal(method?.documentation, 'How it goes\nDefault: GET');
  });

  it('is nothing outside of parameters', () => {
    assert.equal(read('{}, "po|sition": 1').place, undefined);
    assert.equal(findParameterPlace(new DefinitionText('', 'n8n'), 0), undefined);
  });
});

describe('what is explained among the parameters of a node', () => {
  const explained = (written: string) => {
    const { place } = read(written);
    return place && explainParameter(place, parameters)?.title;
  };

  it('is a name, and a value by its name', () => {
    const method = "method: 'GET' | 'POST' | Expression<string>";
    assert.equal(explained('{"met|hod": "GET"}'), method);
    assert.equal(explained('{"method": "G|ET"}'), method);
    assert.equal(explained('{"options": {"rows": [{"ki|nd": "a"}]}}'), "kind: 'a' | 'b'");
    assert.equal(explained('{"own|": "GET"}'), undefined);
  });
});
