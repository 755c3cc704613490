// What an HTTP request node sends is what its author meant (contract section 10, "Addresses" and "Bodies").
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ServerResponse } from 'node:http';
import { type JsonObject, stringifyJson } from '../../../src/base/json.ts';
import { NodeError } from '../../../src/service/errors.ts';
import { AddressText } from '../../../src/service/sandbox/addressText.ts';
import { tries } from '../../support/properties.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, chain, runToEnd, textAt } from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;

describe('The address of an HTTP request node', () => {
  let service: TestService;
  const servers = new HearingServers();
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  afterEach(() => servers.close());
  after(() => service.dispose());

  const serve = () => servers.serve((response: ServerResponse) => void response.end());
  const ask = async (config: JsonObject, input: JsonObject = {}) =>
    (await runToEnd(service, chain(start, ['ask', 'httpRequest', config]), input)).result;

  const addresses: readonly (readonly [url: string, value: string, sent: string])[] = [
    ['/orders/{{ input.value }}', '../../admin?x', '/orders/..%2F..%2Fadmin%3Fx'],
    ['/orders/{{ input.value }}/lines', '7#top', '/orders/7%23top/lines'],
    ['/orders/{{ input.value }}', 'a b/c\\d', '/orders/a%20b%2Fc%5Cd'],
    ['/orders/{{ input.value }}', 'ü%2e', '/orders/%C3%BC%252e'],
    ['/orders/{{ input.value }}', '...', '/orders/...'],
    ['/find?q={{ input.value }}&n=1', 'a&c=d#f', '/find?q=a%26c%3Dd%23f&n=1'],
    ['/find?q={{ input.value }}', '1+1 = 2?', '/find?q=1%2B1%20%3D%202%3F'],
    ['/find?q=../{{ input.value }}', '..', '/find?q=../..'],
    ['/find?{{ input.value }}=1', 'a&b', '/find?a%26b=1'],
    ['/v{{ $number("2") }}/{{ input.value }}', 'x', '/v2/x'],
  ];
  for (const [path, value, sent] of addresses)
    it(`keeps a value in its place: ${path} with ${value}`, async () => {
      const { origin, heard } = await serve();
      for (const url of [`${origin}${path}`, `{{ input.base }}${path}`]) {
        assert.equal((await ask({ url }, { base: origin, value }))['status'], 'completed');
        assert.equal(heard.at(-1)?.url, sent);
      }
    });

  for (const value of ['..', '.', '%2E%2e', '.%2e'])
    it(`sends nothing where a value would lead up the path: ${value}`, async () => {
      const { origin, heard } = await serve();
      for (const url of [
        `${origin}/a/{{ input.value }}/b`,
        `${origin}/a/{{ input.value }}`,
        `${origin}/a\\{{ input.value }}?x`,
        `${origin}/a/{{ input.value }} \n`,
      ]) {
        // A percent sign is encoded itself, so that it's no dot any more.
        const isHarmless = value.includes('%');
        const result = await ask({ url }, { value });
        assert.equal(result['status'], isHarmless ? 'completed' : 'failed', url);
        if (!isHarmless) assert.equal(at(result, 'error', 'code'), 'url_invalid');
      }
      assert.equal(heard.length, value.includes('%') ? 4 : 0);
    });

  it('sends nothing where dots of the author and of a value lead up the path together', async () => {
    const { origin, heard } = await serve();
    assert.equal(
      at(await ask({ url: `${origin}/a/.{{ input.value }}/b` }, { value: '.' }), 'error', 'code'),
      'url_invalid',
    );
    assert.equal(heard.length, 0);
  });

  it('inserts a template at the beginning unchanged, and no later one as a host, a port or a user', async () => {
    const { origin, heard } = await serve();
    await ask({ url: '{{ input.url }}' }, { url: `${origin}/a/../b?x=1&y=2` });
    assert.equal(heard.at(-1)?.url, '/b?x=1&y=2');
    await ask({ url: ' {{ input.base }}/{{ input.id }}' }, { base: `${origin}/a?x=`, id: 'y&z' });
    assert.equal(heard.at(-1)?.url, '/a?x=/y%26z');
    await ask({ url: "{{ '' }}{{ input.url }}" }, { url: origin });
    const port = new URL(origin).port;
    await ask({ url: 'http://127.0.0.1:{{ input.port }}/p' }, { port: Number(port) });
    assert.equal(heard.at(-1)?.url, '/p');
    const calls = heard.length;
    for (const host of [
      '127.0.0.1/',
      `127.0.0.1:${port}`,
      'user@127.0.0.1',
      '127.0.0.1#',
      '127.0.0.1?',
      '127.0.0.1\\',
    ])
      for (const url of [`http://{{ input.host }}:${port}/`, `http://{{ input.host }}.example.com/`])
        assert.equal(at(await ask({ url }, { host }), 'error', 'code'), 'url_invalid', `${url} ${host}`);
    assert.equal(heard.length, calls);
  });

  const hosts: readonly (readonly [url: string, input: JsonObject])[] = [
    // Without a host, the first segment of the path would be read as one.
    ['http://{{ input.host }}/{{ input.id }}/x', { host: '' }],
    ['http://{{ input.host }}\\{{ input.id }}', { host: '' }],
    ['http:/{{ input.host }}/{{ input.id }}', { host: '' }],
    ['http:{{ input.host }}//{{ input.id }}', { host: '/' }],
    ['http://\t{{ input.host }}/{{ input.id }}', { host: '' }],
    ['ht\ntp://{{ input.host }}/{{ input.id }}', { host: '' }],
    ['{{ input.begin }}{{ input.host }}/{{ input.id }}', { begin: 'http://', host: '' }],
    // What goes on with the host would make it another one.
    ['http://localhost{{ input.host }}', { host: '.example.com' }],
    ['http://localhost{{ input.host }}/x', { host: 'x.example.com' }],
    ['http://localhost{{ input.host }}:80/x', { host: '\uff0eexample\u3002com' }],
    ['http://localhost{{ input.host }}{{ input.host }}', { host: '.example' }],
    ['{{ input.begin }}{{ input.host }}', { begin: 'http://localhost', host: '/orders' }],
    ['http://127.0.0.1:{{ input.host }}/', { host: '1@localhost' }],
  ];
  for (const [url, input] of hosts)
    it(`sends nothing to another host: ${JSON.stringify(url)} with ${JSON.stringify(input)}`, async () => {
      const result = await ask({ url }, { ...input, id: '127.0.0.1' });
      assert.equal(at(result, 'error', 'code'), 'url_invalid', JSON.stringify(result));
    });

  it('explains where the : and the / of an address belong, without the value', async () => {
    const result = await ask({ url: 'http://localhost{{ input.path }}' }, { path: '/orders' });
    assert.equal(
      textAt(result, 'error', 'message'),
      'Nothing was sent because {{ input.path }} gave a value that isn\'t valid in the host of the address. Write the : of a port and the / of a path in the text of "url".',
    );
  });

  it('refuses a relative address as such', async () => {
    const result = await ask({ url: '{{ input.base }}/{{ input.id }}' }, { base: '', id: 'a' });
    assert.equal(textAt(result, 'error', 'message'), '"/a" is not a URL.');
  });

  const host = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'api', 'a.b', 'ü', '.x', '/', ':1'),
  );
  it('keeps any text inside the host, and the rest after it', () => {
    fc.assert(
      fc.property(host, host, (value, segment) => {
        for (const [before, after] of [
          ['https://', '.example.com/a/'],
          ['https://', '/a/'],
          ['https://api.example.com', '/a/'],
        ] as const) {
          const address = new AddressText();
          address.add(before);
          address.put(stringifyJson(value), 'input.value');
          address.add(after);
          address.put(stringifyJson(segment), 'input.segment');
          let url: URL | null = null;
          try {
            address.check();
            url = URL.parse(address.text);
          } catch (error) {
            assert(error instanceof NodeError, String(error));
          }
          if (!url) continue;
          assert.deepEqual(url.pathname.split('/').map(decodeURIComponent), ['', 'a', segment]);
          const labels = url.hostname.split('.');
          if (after.startsWith('.')) assert.deepEqual(labels.slice(-2), ['example', 'com']);
          if (before !== 'https://') assert.deepEqual([labels.length, labels[0]], [3, 'api']);
          assert.deepEqual([url.username, url.password, url.port], ['', '', '']);
        }
      }),
      tries(700),
    );
  });

  it('keeps any text inside its segment or its parameter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (segment, value) => {
        const address = new AddressText();
        address.add('https://example.com/a/');
        address.put(stringifyJson(segment), 'input.segment');
        address.add('/b?x=1&q=');
        address.put(stringifyJson(value), 'input.value');
        address.add('&y=2');
        try {
          address.check();
          const url = new URL(address.text);
          assert.equal(url.origin, 'https://example.com');
          assert.deepEqual(url.pathname.split('/').map(decodeURIComponent), ['', 'a', segment, 'b']);
          assert.deepEqual(
            [...url.searchParams],
            [
              ['x', '1'],
              ['q', value],
              ['y', '2'],
            ],
          );
          assert.equal(url.hash, '');
        } catch (error) {
          assert(error instanceof NodeError && /^\.\.?$/.test(segment), String(error));
        }
      }),
      tries(700),
    );
  });

  it('fails with a clear error on half a character', async () => {
    const result = await ask({ url: 'http://127.0.0.1:1/{{ input.value }}' }, { value: '\ud800' });
    assert.equal(
      textAt(result, 'error', 'message'),
      'Nothing was sent because a value has half a character (a surrogate).',
    );
  });

  const queries: readonly (readonly [query: JsonObject, sent: string])[] = [
    [{ q: '{{ input.text }}' }, '/?q=a%26c%3Dd%23f%20%2B'],
    [{ n: 1.5, yes: true, 'a b': 'c' }, '/?n=1.5&yes=true&a%20b=c'],
    [{ tags: ['a', '{{ input.n }}', false, null] }, '/?tags=a&tags=7&tags=false'],
    [{ none: null, nothing: '{{ input.missing }}', empty: '', list: [] }, '/?empty='],
    [{ list: '{{ input.list }}' }, '/?list=1&list=2'],
  ];
  for (const [query, sent] of queries)
    it(`adds the query ${JSON.stringify(query)}`, async () => {
      const { origin, heard } = await serve();
      const input = { text: 'a&c=d#f +', n: 7, list: [1, 2] };
      const { status } = await ask({ url: origin, query }, input);
      assert.equal(status, 'completed');
      assert.equal(heard[0]?.url, sent);
    });

  it('leaves out a query value that is null, but refuses text around an empty template', async () => {
    const { origin, heard } = await serve();
    const nulls = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${index}`, '{{ null }}']));
    for (const query of [
      { q: 'a {{ input.missing }}' },
      { ...nulls, list: ['b', 'a {{ input.missing }}'] },
    ]) {
      const result = await ask({ url: origin, query });
      assert.equal(at(result, 'error', 'code'), 'template_empty', JSON.stringify(result));
      assert.match(textAt(result, 'error', 'message'), /query\.(?:q|list\.1) \(\{\{ input\.missing \}\}\)/);
    }
    assert.equal(heard.length, 0);
    assert.equal((await ask({ url: origin, query: nulls }))['status'], 'completed');
    assert.equal(heard[0]?.url, '/');
  });

  it('appends the query to that of the address, before its fragment', async () => {
    const { origin, heard } = await serve();
    const { rows } = await runToEnd(
      service,
      chain(start, ['ask', 'httpRequest', { url: `${origin}/a?x=1#top`, query: { y: 2 } }]),
    );
    assert.equal(heard[0]?.url, '/a?x=1&y=2');
    assert.equal(
      at(
        rows.findLast(({ nodeId }) => nodeId === 'ask'),
        'request',
        'url',
      ),
      `${origin}/a?x=1&y=2#top`,
    );
    await ask({ url: `${origin}/a?`, query: { y: 2 } });
    assert.equal(heard[1]?.url, '/a?y=2');
  });

  it('refuses a query that is not an object of values', async () => {
    for (const [query, code] of [
      [{ a: { b: 1 } }, 'config_invalid'],
      [{ a: [[1]] }, 'config_invalid'],
      ['{{ input.list }}', 'config_invalid'],
    ] as const) {
      const result = await ask({ url: 'http://127.0.0.1:1/', query: '{{ input.query }}' }, { query });
      assert.equal(at(result, 'error', 'code'), code, JSON.stringify(result));
    }
  });
});
