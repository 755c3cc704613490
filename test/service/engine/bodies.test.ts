// Bodies arrive as they were meant, and are read for what they are (contract section 10, "Bodies").
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, chain, runToEnd, textAt } from '../calls.ts';

const start = ['start', 'trigger'] as const;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('The bodies of an HTTP request node', () => {
  let service: TestService;
  let server: Running;
  let origin: string;
  let heard: { readonly type: string | undefined; readonly body: Buffer }[];
  let answer: { readonly type?: string; readonly body: Buffer | string };
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
    server = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        heard.push({ type: request.headers['content-type'], body: Buffer.concat(chunks) });
        response
          .writeHead(200, answer.type === undefined ? {} : { 'Content-Type': answer.type })
          .end(answer.body);
      });
    });
    origin = `http://127.0.0.1:${server.port}/`;
  });
  beforeEach(() => {
    heard = [];
    answer = { body: '' };
  });
  after(async () => {
    await server.close();
    await service.dispose();
  });

  const run = (config: JsonObject, input: JsonObject = {}) =>
    runToEnd(
      service,
      chain(
        start,
        ['ask', 'httpRequest', { url: origin, ...config }],
        ['answer', 'output', { expression: 'nodes.ask.body' }],
      ),
      input,
    );
  const end = ({ rows }: { readonly rows: readonly JsonObject[] }) =>
    rows.findLast(({ nodeId }) => nodeId === 'ask');
  const form = 'application/x-www-form-urlencoded';

  const forms: readonly (readonly [type: string, body: JsonValue, sent: string])[] = [
    [form, { a: '1 2', b: 'ü&=', c: [1, true], d: null }, 'a=1+2&b=%C3%BC%26%3D&c=1&c=true'],
    ['Application/X-WWW-Form-Urlencoded; charset=utf-8', { a: '{{ input.n }}' }, 'a=7'],
    [form, 'a=1&b={{ input.n }}', 'a=1&b=7'],
    [form, { "'!~(*)": '-._\n' }, '%27%21%7E%28*%29=-._%0A'],
    [`${form};charset=iso-8859-1`, { café: '1é ' }, 'caf%E9=1%E9+'],
    [`${form}; charset=windows-1252`, { a: '€' }, 'a=%80'],
    [`\t${form} `, { a: 1 }, 'a=1'],
  ];
  for (const [type, body, sent] of forms)
    it(`sends a form: ${JSON.stringify(body)} as ${type}`, async () => {
      const ran = await run({ method: 'POST', headers: { 'content-type': type }, body }, { n: 7 });
      assert.equal(ran.result['status'], 'completed', JSON.stringify(ran.result));
      assert.deepEqual([heard[0]?.type, heard[0]?.body.toString()], [type.trim(), sent]);
    });

  it('reports which field of a form has no value', async () => {
    const body = { a: '{{ input.missing }}', b: 1 };
    const { rows } = await run({ method: 'POST', headers: { 'Content-Type': form }, body });
    assert.equal(heard[0]?.body.toString(), 'b=1');
    const warned = rows.find(({ nodeId, level }) => nodeId === 'ask' && level === 'warn');
    assert.equal(
      textAt(warned, 'message'),
      'The form has no value where a template gave nothing: body.a ({{ input.missing }}).',
    );
  });

  for (const body of [[1], 7, { a: { b: 1 } }, { a: ['b', [1]] }, { a: '\ud800' }])
    it(`refuses a form of ${JSON.stringify(body)}`, async () => {
      const ran = await run(
        { method: 'POST', headers: { 'Content-Type': form }, body: '{{ input.body }}' },
        { body },
      );
      assert.equal(at(ran.result, 'error', 'code'), 'config_invalid');
      assert.equal(heard.length, 0);
    });

  const sent: readonly (readonly [type: string, body: JsonValue, bytes: string | undefined])[] = [
    ['text/plain; charset=iso-8859-1', 'café', '636166e9'],
    ['text/plain; charset="windows-1252"', '€5', '8035'],
    ['text/plain; charset=utf-16le', 'é', 'e900'],
    ['text/plain; charset=utf-16be', 'é', '00e9'],
    // Without a mark, the byte order is unknown.
    ['text/plain; charset=utf-16', 'é', 'fffee900'],
    ['text/plain; charset=us-ascii', 'e', '65'],
    ['text/plain; charset=iso-8859-15', '€', 'a4'],
    ['text/plain; charset=koi8-r', 'д', 'c4'],
    ['text/plain; charset=gbk', 'e', '65'],
    // What is read as a larger charset is written as what it is.
    ['text/plain; charset=us-ascii', 'é', undefined],
    ['text/plain; charset=iso-8859-1', '€', undefined],
    ['text/plain; charset=iso-8859-9', '€', undefined],
    ['text/plain; charset=gb2312', '€', undefined],
    ['text/plain', '\ud800', undefined],
    ['text/plain', 'é', 'c3a9'],
    ['application/json; charset=latin1', { a: 'é' }, '7b2261223a22e9227d'],
    ['text/plain; charset=iso-8859-1', '日本', undefined],
    ['text/plain; charset=nonsense', 'a', undefined],
  ];
  for (const [type, body, bytes] of sent)
    it(`sends ${JSON.stringify(body)} as ${type}${bytes === undefined ? ' never' : ''}`, async () => {
      const ran = await run({ method: 'POST', headers: { 'Content-Type': type }, body });
      assert.equal(heard[0]?.body.toString('hex'), bytes);
      if (bytes === undefined) assert.equal(at(ran.result, 'error', 'code'), 'config_invalid');
    });

  const binary = (contentType: string, bytes: Buffer) => ({
    $binary: { contentType, bytes: bytes.byteLength, base64: bytes.toString('base64') },
  });
  const latin = Buffer.from('caf\xe9', 'latin1');
  const received: readonly (readonly [type: string | undefined, body: Buffer | string, value: JsonValue])[] =
    [
      ['text/plain; charset=iso-8859-1', latin, 'café'],
      ['text/plain;charset=windows-1252', Buffer.from([0x80, 0x99, 0x9f, 0xff]), '€™Ÿÿ'],
      [
        'application/json; charset=iso-8859-1',
        Buffer.concat([Buffer.from('{"a":"'), latin, Buffer.from('"}')]),
        { a: 'café' },
      ],
      ['text/plain', Buffer.from('\ufeffhé', 'utf16le'), 'hé'],
      ['text/plain; charset=utf-8', Buffer.from('\ufeffé'), 'é'],
      [undefined, 'é', 'é'],
      ['application/yaml', 'a: é', 'a: é'],
      ['image/svg+xml', '<svg/>', '<svg/>'],
      ['application/x-own', 'text', 'text'],
      ['application/json', '', ''],
      ['image/png', '', ''],
      ['image/png', png, binary('image/png', png)],
      ['application/octet-stream', 'text', binary('application/octet-stream', Buffer.from('text'))],
      ['text/plain; charset=utf-8', latin, binary('text/plain; charset=utf-8', latin)],
      ['text/plain; charset=nonsense', 'a', binary('text/plain; charset=nonsense', Buffer.from('a'))],
      [
        'application/x-own',
        Buffer.from([0x61, 0x00]),
        binary('application/x-own', Buffer.from([0x61, 0x00])),
      ],
      [undefined, latin, binary('', latin)],
    ];
  for (const [type, body, value] of received)
    it(`reads ${typeof body === 'string' ? body : body.toString('hex').slice(0, 20)} of ${type ?? 'no type'}`, async () => {
      answer = { body, ...(type !== undefined && { type }) };
      const ran = await run({});
      assert.deepEqual(ran.result['output'], value, JSON.stringify(ran.result));
      assert.deepEqual(at(end(ran), 'response', 'body'), value);
    });

  it('forwards bytes unchanged with their type, unless a header gives another one', async () => {
    answer = { type: 'image/png', body: png };
    const second = { method: 'PUT', url: origin, body: '{{ nodes.ask.body }}' };
    for (const [headers, type] of [
      [{}, 'image/png'],
      [{ 'content-type': 'application/x-own' }, 'application/x-own'],
    ] as const) {
      heard = [];
      const ran = await runToEnd(
        service,
        chain(start, ['ask', 'httpRequest', { url: origin }], ['put', 'httpRequest', { ...second, headers }]),
      );
      assert.equal(ran.result['status'], 'completed');
      assert.ok(heard[1]?.body.equals(png));
      assert.equal(heard[1]?.type, type);
      const row = ran.rows.findLast(({ nodeId }) => nodeId === 'put');
      assert.deepEqual(at(row, 'request', 'body'), binary(type, png));
    }
  });

  it('refuses bytes that are not base64, and sends an object with more members as JSON', async () => {
    const broken = await run({ method: 'POST', body: { $binary: { base64: 'no base64!' } } });
    assert.equal(at(broken.result, 'error', 'code'), 'config_invalid');
    await run({ method: 'POST', body: { $binary: { base64: 'AA==' }, more: 1 } });
    assert.equal(heard.at(-1)?.body.toString(), '{"$binary":{"base64":"AA=="},"more":1}');
    await run({ method: 'POST', body: { $binary: { base64: 'AA==', subType: '00' } } });
    assert.equal(heard.at(-1)?.body.toString(), '{"$binary":{"base64":"AA==","subType":"00"}}');
  });

  it('reports bytes that are too many to be forwarded', async () => {
    answer = { type: 'image/png', body: Buffer.alloc(800 * 1024, 0xff) };
    const put = { method: 'PUT', url: origin, body: '{{ nodes.ask.body }}' };
    const { result } = await runToEnd(
      service,
      chain(start, ['ask', 'httpRequest', { url: origin }], ['put', 'httpRequest', put]),
    );
    assert.equal(at(result, 'error', 'code'), 'output_too_large', JSON.stringify(result).slice(0, 500));
    assert.match(textAt(result, 'error', 'message'), /gave more than 1 MiB\.$/);
    assert.equal(heard.length, 1);
  });

  it('shows no bytes in the error for an unexpected status', async () => {
    answer = { type: 'image/png', body: png };
    const ran = await run({ expectedStatus: [404] });
    assert.match(textAt(ran.result, 'error', 'message'), / answered 200\.$/);
  });
});
