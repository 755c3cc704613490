// Which secrets a definition reads, and where a token stands instead of one.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import { findSecretUses } from '../../../src/definition/secretUses.ts';
import { escapeForJson } from '../../../src/definition/jsonString.ts';
import { replaceName } from '../../../src/features/secrets/secretProblems.ts';
import { findTokens } from '../../../src/features/secrets/findTokens.ts';

const definitionWith = (type: string, config: object): DefinitionText =>
  new DefinitionText(JSON.stringify({ nodes: [{ id: 'ask', type, config }], edges: [] }, null, 2));

describe('the secrets that a definition reads', () => {
  it('are those in what an HTTP request node sends, each once for each expression', () => {
    const definition = definitionWith('httpRequest', {
      url: 'https://a.b/{{ secrets.PATH & secrets.PATH }}',
      query: { q: ['{{ secrets.Q }}'] },
      headers: { 'X-A': '{{ $$.secrets.A }}', 'X-B': '{{ nodes.x.secrets.B }} {{ "secrets.C" }}' },
      body: { d: ['{{ secrets . D }}'] },
      timeoutMs: '{{ secrets.E }}',
    });
    const uses = findSecretUses(definition);
    assert.deepEqual(
      uses.map(({ name }) => name),
      ['PATH', 'Q', 'A', 'D'],
    );
    const [first] = uses;
    assert.equal(
      definition.text.slice(first?.span.start, first?.span.end),
      '{{ secrets.PATH & secrets.PATH }}',
    );
  });

  it('get another name where theirs has quotation marks, too', () => {
    for (const written of ['secrets . OLD', 'secrets."OLD"', "secrets.'OLD'", '`secrets`.`OLD`']) {
      const definition = definitionWith('httpRequest', { url: `https://a.b/{{ ${written} }}` });
      const [use = assert.fail()] = findSecretUses(definition);
      const { edits: [edit] = [] } = replaceName(definition, use, 'NEW');
      assert.equal(edit?.content, escapeForJson(`{{ ${written.replace('OLD', 'NEW')} }}`));
    }
  });

  it('are none in other nodes', () => {
    assert.deepEqual(findSecretUses(definitionWith('log', { message: '{{ secrets.A }}' })), []);
    assert.deepEqual(findSecretUses(new DefinitionText('{ "nodes": 1')), []);
  });
});

describe('tokens in a definition', () => {
  it('are what stands in a header that authorizes, without its scheme', () => {
    const definition = definitionWith('httpRequest', {
      url: 'https://a.b',
      headers: {
        Authorization: 'Bearer abc"def-123',
        'X-Api-Key': '1234567890',
        Accept: 'application/json',
        'X-Token': '{{ secrets.A }}',
        Cookie: 'short',
      },
    });
    const found = findTokens(definition);
    assert.deepEqual(
      found.map(({ token, suggestedName }) => [token, suggestedName]),
      [
        ['abc"def-123', 'ASK_TOKEN'],
        ['1234567890', 'ASK_API_KEY'],
      ],
    );
    const [first] = found;
    assert.equal(definition.text.slice(first?.span.start, first?.span.end), String.raw`abc\"def-123`);
  });

  it('are what stands in a query, too', () => {
    const definition = definitionWith('httpRequest', {
      url: 'https://a.b',
      query: { api_key: '1234567890', access_token: ['abcdefgh'], q: 'any other text', token: 12345678 },
    });
    assert.deepEqual(
      findTokens(definition).map(({ token, suggestedName }) => [token, suggestedName]),
      [['1234567890', 'ASK_API_KEY']],
    );
  });

  it('are none in other nodes, and in texts that are no definition', () => {
    assert.deepEqual(findTokens(definitionWith('log', { headers: { Authorization: '1234567890' } })), []);
    for (const text of ['', '[]', '{"nodes":{}}', '{"nodes":[{"type":"httpRequest"}]}'])
      assert.deepEqual(findTokens(new DefinitionText(text)), []);
  });
});
