// The code of n8n's nodes: which member holds it, and in which language.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';

const codeOf = (type: string, parameters?: JsonObject) => {
  const node = { id: 'n', name: 'Sum', type, ...(parameters && { parameters }) };
  const [found] = DefinitionText.of({ nodes: [node], connections: {} }, 'n8n').nodes;
  const { language, value, path, range } = found?.code ?? {};
  return found?.code && [language, value, path?.join('.'), range !== undefined];
};
const code = 'n8n-nodes-base.code';

describe('the code of a node', () => {
  for (const [title, type, parameters, wanted] of [
    ['JavaScript', code, { jsCode: 'return []' }, ['javascript', 'return []', 'jsCode', true]],
    [
      'Python',
      code,
      { language: 'python', pythonCode: 'return []' },
      ['python', 'return []', 'pythonCode', true],
    ],
    [
      "n8n's other Python",
      code,
      { language: 'pythonNative', pythonCode: 'x' },
      ['python', 'x', 'pythonCode', true],
    ],
    [
      'both, of which it runs the named one',
      code,
      { language: 'python', jsCode: 'j', pythonCode: 'p' },
      ['python', 'p', 'pythonCode', true],
    ],
    ['both, without a language', code, { pythonCode: 'p', jsCode: 'j' }, ['javascript', 'j', 'jsCode', true]],
    ['none yet', code, {}, ['javascript', '', 'jsCode', false]],
    ['none yet in Python', code, { language: 'python' }, ['python', '', 'pythonCode', false]],
    [
      'the older Function node',
      'n8n-nodes-base.function',
      { functionCode: 'f' },
      ['javascript', 'f', 'functionCode', true],
    ],
    [
      'a tool of an agent',
      '@n8n/n8n-nodes-langchain.toolCode',
      { jsCode: 't' },
      ['javascript', 't', 'jsCode', true],
    ],
    [
      'a chain',
      '@n8n/n8n-nodes-langchain.code',
      { code: { execute: { code: 'c' } } },
      ['javascript', 'c', 'code.execute.code', true],
    ],
    ['a member that is no text', 'n8n-nodes-base.set', { jsCode: { a: 1 } }, undefined],
    ['a node of another type', 'n8n-nodes-base.set', {}, undefined],
    ['a node without parameters', code, undefined, undefined],
  ] as const)
    it(`is found: ${title}`, () => assert.deepEqual(codeOf(type, parameters), wanted));

  it('is not searched in definitions of other services', () => {
    const node = { id: 'sum', type: 'log', parameters: { jsCode: 'x' } };
    const [found] = DefinitionText.of({ nodes: [node], edges: [] }).nodes;
    assert.equal(found?.code, undefined);
  });
});
