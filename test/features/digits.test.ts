// What is shown and copied of numbers has all their digits.
import assert from 'node:assert/strict';
import { type JsonValue, parseJson } from '../../src/base/json.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { schemaFaults } from '../../src/definition/faults.ts';
import { readJsonText, readJsonValue } from '../../src/definition/jsonText.ts';
import { renderFetchExample, renderPythonExample } from '../../src/features/inputs/copyAsCode/renderCode.ts';
import { renderResult, variableOf } from '../../src/features/debugging/variables.ts';
import { renderInFull, renderInText, showValue, toShown } from '../../src/ui/expressions/renderValue.ts';
import { itemKey } from '../../src/definition/mergeDefinitions.ts';
import { renderShortJson } from '../../src/features/definitions/shownExecution/shortJson.ts';
import { walkDifferences } from '../../src/model/comparison/jsonDifferences.ts';
import { renderValues } from '../../src/features/executions/comparison/renderComparison.ts';
import { renderJson } from '../../src/features/executions/documents/renderJson.ts';
import { longNumbers, longNumbersText, typed } from '../support/digits.ts';

const { signal } = new AbortController();
const value = (text: string): JsonValue => parseJson(text) ?? null;
const withoutSpace = (text: string): string => text.replace(/\s/g, '');

describe('numbers beyond what JavaScript holds', () => {
  it('stand with all digits in documents, at the end of a line, in hovers and in the debugger', async () => {
    const given = typed(longNumbersText);
    assert.equal(withoutSpace(await renderJson(given, signal, false)), longNumbersText);
    assert.equal(withoutSpace(await renderJson(given, signal, true)), longNumbersText);
    for (const number of longNumbers) {
      assert.ok(renderInText('=', showValue(value(number))).endsWith(number));
      assert.ok(renderInText('=', toShown(number)).endsWith(number));
      assert.equal(renderInFull(toShown(number)), number);
      assert.equal(renderShortJson(value(number)), number);
      assert.equal(renderResult(value(number)), number);
      const variable = variableOf('id', value(number));
      assert.deepEqual(
        [variable.value, 'below' in variable && variable.below !== undefined],
        [number, false],
      );
    }
    assert.equal(withoutSpace(renderShortJson(given)), longNumbersText);
  });

  it('differ in a comparison where their values do', () => {
    const differences = (left: string, right: string): number =>
      [...walkDifferences(value(left), value(right), [])].filter((each) => each !== null).length;
    assert.equal(differences('{"a":9007199254740993}', '{"a":9007199254740992}'), 1);
    assert.equal(differences('{"a":9007199254740993,"b":[1e400]}', '{"a":9007199254740993,"b":[10e399]}'), 0);
    assert.equal(differences('[9007199254740993]', '[{"rawJSON":"9007199254740993"}]'), 1);
    assert.deepEqual(renderValues(value('9007199254740993'), value('9007199254740992')), [
      '9007199254740993',
      '9007199254740992',
    ]);
  });

  it('are the ids of nodes that a merge keeps apart', () => {
    assert.equal(itemKey(typed('{"id":9007199254740993}')), '9007199254740993');
  });

  it('are read from a text that is unfinished, and from a schema in a definition', () => {
    const text = '{"id":9007199254740993,"list":[1e400,';
    const { root } = readJsonText(text);
    assert.ok(root);
    assert.deepEqual(readJsonValue(text, root), typed('{"id":9007199254740993,"list":[1e400]}'));
    const schema = '{"properties":{"id":{"default":9007199254740993}}}';
    const definition = `{"nodes":[{"id":"start","type":"trigger","config":{"inputSchema":${schema}}}],"edges":[]}`;
    assert.deepEqual(new DefinitionText(definition).byId.get('start')?.inputSchema, typed(schema));
  });

  it('fit a schema as numbers', () => {
    const faults = (schema: string, given: string) =>
      schemaFaults(typed(`{"properties":{"n":${schema}}}`), '2020-12', typed(`{"n":${given}}`)).faults.map(
        ({ message }) => message,
      );
    for (const number of longNumbers) {
      assert.deepEqual(faults('{"type":"number"}', number), []);
      assert.equal(faults('{"type":"string"}', number).length, 1);
      assert.equal(faults('{"type":"object"}', number).length, 1);
    }
    assert.deepEqual(faults('{"type":"integer","minimum":9007199254740993}', '9007199254740993'), []);
    assert.equal(faults('{"maximum":100}', '9007199254740993').length, 1);
    assert.equal(faults('{"type":"integer"}', '0.1234567890123456789').length, 1);
  });

  it('are copied as code that sends them', () => {
    const request = { method: 'POST', url: 'https://a/', headers: {}, body: `{"input":${longNumbersText}}` };
    assert.ok(renderFetchExample(request).includes(`body: ${JSON.stringify(request.body)}`));
    assert.ok(renderPythonExample(request).includes(`data=${JSON.stringify(request.body)}.encode()`));
  });
});
