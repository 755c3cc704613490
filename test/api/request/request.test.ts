// A key that travels readable, or to a stranger, is a key lost.
import assert from 'node:assert/strict';
import { checkedBaseUrl, joinUrl, pageUrl } from '../../../src/api/request/request.ts';
import { isLoopback } from '../../../src/domain/connection.ts';

describe('addresses', () => {
  const hosts: readonly (readonly [string, boolean])[] = [
    ['localhost', true],
    ['app.localhost', false],
    ['127.0.0.1', true],
    ['127.9.8.7', true],
    ['[::1]', true],
    ['LOCALHOST', true],
    ['127.0.0.1.example.com', false],
    ['localhost.example.com', false],
    ['10.0.0.1', false],
    ['0.0.0.0', false],
    ['[::2]', false],
  ];
  for (const [host, expected] of hosts)
    it(`${host} ${expected ? 'is' : 'is not'} this machine`, () => assert.equal(isLoopback(host), expected));

  const refused = [
    'http://service.example/v1',
    'ftp://127.0.0.1/v1',
    'service.example/v1',
    'https://user:pass@service.example/v1',
    'https://service.example/v1?x=1',
    '',
  ];
  for (const baseUrl of refused)
    it(`refuses the base URL "${baseUrl}"`, () => assert.throws(() => checkedBaseUrl(baseUrl)));

  it('takes https anywhere, http on this machine, and drops trailing slashes', () => {
    assert.equal(checkedBaseUrl('https://service.example/v1//'), 'https://service.example/v1');
    assert.equal(checkedBaseUrl('http://127.0.0.1:4000/v1'), 'http://127.0.0.1:4000/v1');
  });

  it('keeps the version segment when it joins', () => {
    assert.equal(joinUrl('https://s.example/v1', '/workflows'), 'https://s.example/v1/workflows');
    assert.equal(
      joinUrl('https://s.example/v1', '/w', { search: 'a b&c', limit: 5, cursor: undefined }),
      'https://s.example/v1/w?search=a+b%26c&limit=5',
    );
  });

  const base = 'https://s.example/v1';
  const pages: readonly (readonly [string | undefined, string])[] = [
    [undefined, `${base}/w?limit=5`],
    ['a=b/c', `${base}/w?limit=5&cursor=a%3Db%2Fc`],
    ['?page=2', `${base}/w?limit=5&page=2`],
    ['https://s.example/v1/w?page=2', 'https://s.example/v1/w?page=2'],
  ];
  for (const [cursor, expected] of pages)
    it(`turns the cursor ${cursor ?? '(none)'} into an address`, () =>
      assert.equal(pageUrl(base, '/w', { limit: 5 }, cursor), expected));

  it('refuses a page on another origin', () => {
    assert.throws(() => pageUrl(base, '/w', {}, 'https://evil.example/v1/w?page=2'), /another origin/);
    assert.throws(() => pageUrl(base, '/w', {}, 'http://s.example/v1/w'), /another origin/);
  });
});
