// A request that an HTTP request node sent, as a command for curl.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { toBinaryJson } from '../../../../src/base/binary.ts';
import { type JsonValue, parseJson } from '../../../../src/base/json.ts';
import { renderRequestAsCurl } from '../../../../src/features/executions/commands/copyRequest.ts';

const render = (headers: Readonly<Record<string, string>>, body: JsonValue, method = 'POST') =>
  renderRequestAsCurl({ request: { method, url: "http://a/?q='x'", headers, body }, response: undefined });

describe('a request as cURL', () => {
  it('has its method, address, headers and JSON', () => {
    assert.equal(
      render({ 'Content-Type': 'application/json', Authorization: '***' }, { a: "it's" }),
      String.raw`curl --request POST 'http://a/?q='\''x'\''' \
  --header 'Content-Type: application/json' \
  --header 'Authorization: ***' \
  --data-raw '{"a":"it'\''s"}'
`,
    );
  });

  it('has text as text, JSON that is a text as JSON, and no body where none was sent', () => {
    assert.match(render({}, '{"a":1}'), /--data-raw '\{"a":1\}'\n$/);
    assert.match(render({ 'content-type': 'application/json' }, 'a'), /--data-raw '"a"'\n$/);
    assert.ok(!render({}, null, 'GET').includes('--data-raw'));
  });

  it('has the digits of a number, the text of a form, and bytes as they were sent', () => {
    assert.match(
      render({ 'content-type': 'application/json' }, parseJson('{"id":9007199254740993}') ?? null),
      /'\{"id":9007199254740993\}'\n$/,
    );
    assert.match(
      render({ 'content-type': 'application/x-www-form-urlencoded' }, 'a=1+2'),
      /--data-raw 'a=1\+2'\n$/,
    );
    const bytes = Buffer.from([0x89, 0x50, 0, 0xff, 0x27, 0x0a]);
    const command = render(
      { 'Content-Type': 'image/png' },
      toBinaryJson({ contentType: 'image/png', bytes: 6, base64: bytes.toString('base64') }),
    );
    // In place of curl, what prints the bytes.
    const sent = execFileSync('sh', ['-c', command.replace(/curl[^]*/, 'cat')]);
    assert.ok(sent.equals(bytes));
    assert.match(command, / --data-binary @-\n$/);
  });

  it('has text in the charset that it was sent in', () => {
    const bytesOf = (type: string, text: string): Buffer => {
      const command = render({ 'content-type': type }, text);
      assert.match(command, / --data-binary @-\n$/);
      return execFileSync('sh', ['-c', command.replace(/curl[^]*/, 'cat')]);
    };
    assert.equal(
      bytesOf('text/plain; charset=iso-8859-1', "it's café %s").toString('latin1'),
      "it's café %s",
    );
    assert.equal(bytesOf('text/plain; charset=utf-16le', 'é').toString('utf16le'), 'é');
    for (const [type, text] of [
      ['text/plain; charset=iso-8859-1', 'cafe'],
      ['text/plain; charset=UTF-8', 'café'],
      ['text/plain', 'café'],
    ] as const)
      assert.ok(render({ 'content-type': type }, text).endsWith(`--data-raw '${text}'\n`), type);
  });

  it('lets curl add no type, read no pattern, and wait for no body', () => {
    assert.match(render({}, 'a=1'), /--header 'Content-Type:' \\\n {2}--data-raw 'a=1'\n$/);
    assert.ok(!render({}, null, 'GET').includes('Content-Type'));
    assert.match(render({}, null, 'HEAD'), /^curl --head 'http/);
    const request = { method: 'GET', url: 'http://a/?ids[]={1}', headers: {}, body: null };
    assert.equal(
      renderRequestAsCurl({ request, response: undefined }),
      "curl --request GET --globoff 'http://a/?ids[]={1}'\n",
    );
  });

  it('keeps a header without a value', () => {
    assert.match(render({ 'X-Trace': '' }, null, 'GET'), /--header 'X-Trace;'\n$/);
  });

  it('leaves what belongs to the connection to curl: the body may be changed before it is sent', () => {
    const own = { Host: 'b', 'content-length': '9', Connection: 'close', 'Transfer-Encoding': 'chunked' };
    assert.equal(render({ ...own, 'X-Trace': '1' }, null, 'GET'), render({ 'X-Trace': '1' }, null, 'GET'));
  });

  it('is only words in a shell, whatever is in it', () => {
    const evil = '\'; touch /tmp/evil; $(id) `id` "\n\\';
    const command = render({ 'X-Evil': evil, 'Content-Type': 'text/plain' }, evil, 'X; id').replace(
      /^curl/,
      'printf "%s\\0"',
    );
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\0');
    assert.deepEqual(words.slice(0, -1), [
      '--request',
      'X; id',
      "http://a/?q='x'",
      '--header',
      `X-Evil: ${evil}`,
      '--header',
      'Content-Type: text/plain',
      '--data-raw',
      evil,
    ]);
  });
});
