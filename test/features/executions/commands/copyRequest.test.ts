// A request that an HTTP request node sent, as a command for curl.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { JsonValue } from '../../../../src/base/json.ts';
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

  it('is only words in a shell, whatever is in it', () => {
    const evil = '\'; touch /tmp/evil; $(id) `id` "\n\\';
    const command = render({ 'X-Evil': evil }, evil, 'X; id').replace(/^curl/, 'printf "%s\\0"');
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\0');
    assert.deepEqual(words.slice(0, -1), [
      '--request',
      'X; id',
      "http://a/?q='x'",
      '--header',
      `X-Evil: ${evil}`,
      '--data-raw',
      evil,
    ]);
  });
});
