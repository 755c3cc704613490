// What is copied is run by those it's for: a shell with curl, Node and Python, against a server that tells what came.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type JsonObject, parseJson } from '../../../../src/base/json.ts';
import { longNumbersText, typed } from '../../../support/digits.ts';
import type { DescribedRequest } from '../../../../src/domain/httpExchange.ts';
import {
  renderCurlExample,
  renderFetchExample,
  renderPythonExample,
} from '../../../../src/features/inputs/copyAsCode/renderCode.ts';

const key = 'svc_sk_of_the_environment';

const inputs: Readonly<Record<string, JsonObject>> = {
  'an empty object': {},
  'quotes of all kinds': { text: `"double" 'single' \`back\` “curly” '''three''' """three"""` },
  'what a shell, a template and a format would replace': {
    text: '$HOME $(id) `id` ${process.env.HOME} %s {0} {{x}} !! \\ \\n \\u0041 #',
  },
  'lines and controls': { text: 'one\ntwo\r\nthree\ttab\u0000\u2028\u2029\u007f' },
  'other scripts': { 'naïve 名前': '処理する 👩‍👩‍👧 \u202eback', lone: '\ud800' },
  'names that mean something': {
    __proto__x: 1,
    ['__proto__']: { constructor: null },
    toString: true,
    '@file': '@file',
  },
  'numbers with many digits': typed(longNumbersText),
  'every kind of value': {
    list: [1, -2.5, 1e21, true, false, null, [], {}, [[{ a: [] }]]],
    deep: { a: { b: {} } },
  },
};

interface Received {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly body: string;
}

interface Language {
  readonly render: (request: DescribedRequest) => string;
  readonly command: readonly [string, ...string[]];
}

const languages: Readonly<Record<string, Language>> = {
  cURL: { render: renderCurlExample, command: ['sh', '-s'] },
  fetch: { render: renderFetchExample, command: [process.execPath, '--input-type=module', '-'] },
  Python: { render: renderPythonExample, command: ['python3', '-'] },
};

/** What the program must be there for. */
const needs: Readonly<Record<string, readonly string[]>> = { cURL: ['sh', 'curl'], Python: ['python3'] };

async function runCode([program, ...words]: Language['command'], code: string): Promise<string> {
  const child = spawn(program, words, { env: { ...process.env, WORKFLOW_API_KEY: key } });
  let out = '';
  let failure = '';
  child.stdout.on('data', (part) => (out += String(part)));
  child.stderr.on('data', (part) => (failure += String(part)));
  child.stdin.end(code);
  await once(child, 'close');
  assert.equal(child.exitCode, 0, failure);
  return out;
}

describe('a copied request', () => {
  let server: Server;
  let url: string;
  let received: Received;

  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => (body += part));
      request.on('end', () => {
        const { authorization = '', 'content-type': contentType = '' } = request.headers;
        received = {
          method: request.method ?? '',
          path: request.url ?? '',
          authorization,
          contentType,
          body,
        };
        response.setHeader('content-type', 'application/json').end('{"status":"triggered"}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    url = `http://127.0.0.1:${address.port}/v1/workflows/it's%20%24one/execute`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const [name, { render, command }] of Object.entries(languages))
    for (const [what, input] of Object.entries(inputs))
      it(`as ${name} sends ${what}`, async function () {
        const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined;
        if (needs[name]?.some(isMissing) === true) this.skip();
        const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
        const body = JSON.stringify({ input }, null, 2);
        const code = render({ method: 'POST', url, headers, body });
        assert.ok(!code.includes(key));
        assert.match(await runCode(command, code), /triggered/);
        assert.deepEqual(parseJson(received.body), { input });
        assert.deepEqual(
          { ...received, body: '' },
          {
            method: 'POST',
            path: new URL(url).pathname,
            authorization: `Bearer ${key}`,
            contentType: 'application/json',
            body: '',
          },
        );
      });
});
