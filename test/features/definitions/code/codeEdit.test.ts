// Code that is put back into a definition changes nothing else of its text.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { editCode } from '../../../../src/features/definitions/code/codeFiles.ts';

const definition = (parameters: string): string =>
  `{ "name":"x","nodes" : [\n\t{"name": "Sum", "type": "n8n-nodes-base.code", "big": 12345678901234567890,\n\t "parameters": ${parameters}}], "connections": {} }`;

const put = (text: string, code: string): string => {
  const parsed = new DefinitionText(text, 'n8n');
  const node = parsed.byId.get('Sum') ?? assert.fail();
  const edit = editCode(parsed, node, code);
  if (edit === undefined) return text;
  return text.slice(0, edit.offset) + edit.content + text.slice(edit.offset + edit.length);
};

describe('editing code', () => {
  it('changes the text of the code alone', () => {
    const text = definition('{"mode": "each", "jsCode": "a\\n\\u00e9", "z": 1.0}');
    assert.equal(
      put(text, 'if ("é") {\n  return \\d;\n}'),
      definition('{"mode": "each", "jsCode": "if (\\"é\\") {\\n  return \\\\d;\\n}", "z": 1.0}'),
    );
  });

  it('changes nothing where the code says the same, however it is written', () => {
    const text = definition('{"jsCode": "a\\n\\u00e9\\/"}');
    assert.equal(put(text, 'a\né/'), text);
  });

  it('keeps the line ends that the code has', () => {
    assert.equal(put(definition('{"jsCode": "a"}'), 'a\r\nb'), definition('{"jsCode": "a\\nb"}'));
    assert.equal(put(definition('{"jsCode": "a\\r\\nb"}'), 'a\r\nc'), definition('{"jsCode": "a\\r\\nc"}'));
  });

  it('takes no byte order mark that the code does not have, and keeps the one that it has', () => {
    assert.equal(put(definition('{"jsCode": "a"}'), '\ufeffb'), definition('{"jsCode": "b"}'));
    assert.equal(put(definition('{"jsCode": "\\ufeffa"}'), '\ufeffb'), definition('{"jsCode": "\ufeffb"}'));
  });

  it('adds the member where the node has none yet', () => {
    assert.equal(put(definition('{}'), 'x'), definition('{ "jsCode": "x" }'));
    assert.equal(put(definition('{"mode": "each"}'), 'x'), definition('{"mode": "each","jsCode": "x"}'));
  });
});
