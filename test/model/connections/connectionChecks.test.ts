// The table of base URLs, keys and names that are taken and refused.
import assert from 'node:assert/strict';
import {
  checkBaseUrl,
  checkKey,
  checkMcpToken,
  checkName,
} from '../../../src/model/connections/connectionChecks.ts';
import { isConnectionError } from '../../../src/domain/errors.ts';

function refusal(check: () => unknown): unknown {
  try {
    return { accepted: check() };
  } catch (error) {
    return isConnectionError(error) ? error.reason : error;
  }
}

describe('checks of a connection', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['https://api.example.com/v1', 'https://api.example.com/v1'],
    ['  https://api.example.com/v1//  ', 'https://api.example.com/v1'],
    ['https://API.example.com:443/team/v2beta', 'https://api.example.com/team/v2beta'],
    ['http://127.0.0.1:4100/v1/', 'http://127.0.0.1:4100/v1'],
    ['http://localhost:4100/v1', 'http://localhost:4100/v1'],
    ['http://[::1]:4100/v1', 'http://[::1]:4100/v1'],
  ];
  for (const [text, baseUrl] of accepted) {
    it(`takes ${JSON.stringify(text)}`, () => assert.equal(checkBaseUrl(text), baseUrl));
  }

  const refused: readonly (readonly [string, object])[] = [
    ['', { kind: 'baseUrlUnreadable', example: 'https://example.com/api/v1' }],
    ['api.example.com/v1', { kind: 'baseUrlUnreadable', example: 'https://example.com/api/v1' }],
    ['http://api.example.com/v1', { kind: 'baseUrlInsecure' }],
    ['http://127.0.0.1.example.com/v1', { kind: 'baseUrlInsecure' }],
    ['http://localhost.example.com/v1', { kind: 'baseUrlInsecure' }],
    ['file:///v1', { kind: 'baseUrlInsecure' }],
    ['https://me:secret@api.example.com/v1', { kind: 'baseUrlParts', part: 'credentials' }],
    ['https://api.example.com/v1?team=a', { kind: 'baseUrlParts', part: 'query' }],
    ['https://api.example.com/v1?', { kind: 'baseUrlParts', part: 'query' }],
    ['https://api.example.com/v1#a', { kind: 'baseUrlParts', part: 'fragment' }],
    ['https://api.example.com', { kind: 'baseUrlVersionMissing' }],
    ['https://api.example.com/v1/workflows', { kind: 'baseUrlVersionMissing' }],
    ['https://api.example.com/version1', { kind: 'baseUrlVersionMissing' }],
  ];
  for (const [text, reason] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.deepEqual(
        refusal(() => checkBaseUrl(text)),
        reason,
      ));
  }

  it('takes the address of a kind whose client adds the path, with a path of its own or with what is added', () => {
    for (const [text, baseUrl] of [
      ['https://n8n.example.com', 'https://n8n.example.com'],
      ['https://n8n.example.com/api/v1/', 'https://n8n.example.com'],
      ['https://example.com/tools/n8n/', 'https://example.com/tools/n8n'],
      ['https://example.com/tools/n8n/api/v1', 'https://example.com/tools/n8n'],
      ['http://127.0.0.1:5678', 'http://127.0.0.1:5678'],
    ] as const)
      assert.equal(checkBaseUrl(text, 'n8n'), baseUrl);
    for (const [text, reason] of [
      ['n8n.example.com', { kind: 'baseUrlUnreadable', example: 'https://n8n.example.com' }],
      ['http://n8n.example.com', { kind: 'baseUrlInsecure' }],
      ['https://me:secret@n8n.example.com', { kind: 'baseUrlParts', part: 'credentials' }],
      ['https://n8n.example.com/?a', { kind: 'baseUrlParts', part: 'query' }],
    ] as const)
      assert.deepEqual(
        refusal(() => checkBaseUrl(text, 'n8n')),
        reason,
      );
  });

  it('takes any key and token without spaces for a kind that has no prefix, and a token for no other kind', () => {
    assert.equal(checkKey(' eyJ.a-b_c ', 'svc_sk_', 'n8n'), 'eyJ.a-b_c');
    assert.equal(checkMcpToken(' eyJ.d ', 'n8n'), 'eyJ.d');
    assert.equal(checkMcpToken(' ', 'remote'), undefined);
    assert.deepEqual(
      [
        refusal(() => checkKey('', 'svc_sk_', 'n8n')),
        refusal(() => checkMcpToken('a b', 'n8n')),
        refusal(() => checkMcpToken('eyJ.d', 'remote')),
      ],
      [
        { kind: 'secretUnreadable', secret: 'apiKey' },
        { kind: 'secretUnreadable', secret: 'mcpToken' },
        { kind: 'mcpTokenNotTaken' },
      ],
    );
  });

  it('takes a key with the prefix and nothing that cannot travel in a header', () => {
    assert.equal(checkKey(' svc_sk_a1 ', 'svc_sk_'), 'svc_sk_a1');
    for (const key of ['', 'svc_sk_', 'other_a1', 'svc_sk_a 1', 'svc_sk_a\n1', 'svc_sk_ä'])
      assert.deepEqual(
        refusal(() => checkKey(key, 'svc_sk_')),
        { kind: 'keyPrefix', expected: 'svc_sk_' },
      );
  });

  it('takes a name that says something', () => {
    assert.equal(checkName(' Production '), 'Production');
    assert.deepEqual(
      refusal(() => checkName('  ')),
      { kind: 'nameMissing' },
    );
  });
});
