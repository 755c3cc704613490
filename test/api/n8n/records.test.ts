// What n8n records of nodes is shown as it was: branches, files, what was asked and answered, and the input of nodes below others.
import assert from 'node:assert/strict';
import { decodeRunData } from '../../../src/api/n8n/runData.ts';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';

interface Ran {
  readonly type: string;
  readonly onError?: string;
  readonly turn: JsonObject;
}

const item = (json: JsonValue, more: JsonObject = {}): JsonObject => ({ json, ...more });
/** Each node ran once, one after the other. */
function read(nodes: Readonly<Record<string, Ran>>) {
  const names = Object.keys(nodes);
  const runData = Object.fromEntries(
    Object.entries(nodes).map(([name, { turn }], index) => {
      const before = names[index - 1];
      const source =
        before === undefined ? [] : [{ previousNode: before, previousNodeOutput: 0, previousNodeRun: 0 }];
      const base = {
        startTime: 1000 + index,
        executionIndex: index,
        executionTime: 1,
        executionStatus: 'success',
      };
      return [name, [{ ...base, source, ...turn }]];
    }),
  );
  const defined = Object.entries(nodes).map(([name, { type, onError }]) => ({
    name,
    type: `n8n-nodes-base.${type}`,
    parameters: {},
    ...(onError === undefined ? {} : { onError }),
  }));
  const last = names.at(-1) ?? '';
  const record = {
    data: { resultData: { runData, lastNodeExecuted: last } },
    workflowData: { nodes: defined },
  };
  return decodeRunData(record, silentLogger);
}
const start: Ran = { type: 'manualTrigger', turn: { data: { main: [[item({ from: 'start' })]] } } };

describe('a record of n8n', () => {
  it('names the executions that a node started, by its items, by its turn or by its error', () => {
    const childOf = (executionId: JsonValue) => ({ subExecution: { executionId, workflowId: 'w' } });
    const main = [['39', '40', '39'].map((id) => item({}, { metadata: childOf(id) })), null];
    const children = (turn: JsonObject) =>
      read({ Start: start, Call: { type: 'executeWorkflow', turn } }).rows.map((row) => row.children);
    assert.deepEqual(children({ data: { main } }), [[], ['39', '40']]);
    assert.deepEqual(children({ metadata: childOf(7) }), [[], ['7']]);
    const error = { message: 'It failed.', executionId: '41', workflowId: 'w' };
    assert.deepEqual(children({ executionStatus: 'error', error }), [[], ['41']]);
    assert.deepEqual(children({ metadata: 'odd', data: { main: [[item({}, { metadata: [] })]] } }), [[], []]);
    const many = Array.from({ length: 2000 }, (_, id) => item({}, { metadata: childOf(String(id)) }));
    assert.equal(children({ data: { main: [many] } })[1]?.length, 1000);
  });

  it('has the items of each branch by its name', () => {
    const main = [[item({ k: 'a' })], [item({ k: 'b' }), item({ k: 'c' })]];
    const { rows, output } = read({ Start: start, Check: { type: 'if', turn: { data: { main } } } });
    const branches = { true: [{ k: 'a' }], false: [{ k: 'b' }, { k: 'c' }] };
    assert.deepEqual([rows[1]?.output, output], [branches, branches]);
    assert.deepEqual(rows[0]?.output, [{ from: 'start' }]);
  });

  it('names files, with their type and size, and not what only n8n reads', () => {
    const file = {
      mimeType: 'image/png',
      fileType: 'image',
      fileName: 'chart.png',
      fileSize: '70 B',
      id: 'database:1',
      data: 'x',
    };
    const main = [[item({ a: 1 }, { binary: { data: file } }), item({ a: 2 })]];
    const { rows } = read({ Start: start, Get: { type: 'httpRequest', turn: { data: { main } } } });
    const data = { fileName: 'chart.png', mimeType: 'image/png', fileSize: '70 B' };
    assert.deepEqual(rows[1]?.output, [{ json: { a: 1 }, binary: { data } }, { a: 2 }]);
  });

  it('has what a node below another one was given, not what its parent gave', () => {
    const turn = {
      data: { ai_document: [[item({ response: ['text'] })]] },
      inputOverride: { ai_document: [[item({ city: 'Prague' })]] },
    };
    const { rows } = read({ Store: start, Loader: { type: 'loader', turn } });
    assert.deepEqual([rows[1]?.input, rows[1]?.output], [[{ city: 'Prague' }], [{ response: ['text'] }]]);
  });

  const failure = {
    message: 'Your request is invalid',
    name: 'NodeApiError',
    description: 'email',
    httpCode: '422',
    messages: ['422 - "{\\"error\\":{\\"code\\":\\"invalid_email\\"}}"'],
    context: {
      request: {
        method: 'POST',
        uri: 'https://api.example.com/users?page=1',
        headers: { accept: 'application/json', authorization: 'Bearer abc', 'X-Api-Key': 'k' },
        body: { email: 'x' },
      },
    },
    stack: 'at secret.js',
  };

  it('says what an HTTP node sent and was answered, without the secrets in its headers', () => {
    const turn = { executionStatus: 'error', error: failure };
    const { rows } = read({ Start: start, Call: { type: 'httpRequest', turn } });
    assert.deepEqual(rows[1]?.error, {
      code: 'NodeApiError',
      message: 'Your request is invalid. HTTP 422: {"error":{"code":"invalid_email"}}',
      nodeId: 'Call',
    });
    assert.deepEqual(rows[1].exchange, {
      request: {
        method: 'POST',
        url: 'https://api.example.com/users?page=1',
        headers: { accept: 'application/json', authorization: '***', 'X-Api-Key': '***' },
        body: { email: 'x' },
      },
      response: { status: 422, headers: {}, body: { error: { code: 'invalid_email' } } },
    });
    assert.doesNotMatch(JSON.stringify(rows), /secret\.js|Bearer/);
  });

  it('says more than a sentence where n8n does, without its markup', () => {
    const error = {
      message: 'Bad item',
      name: 'ValidationError',
      description: 'It has the reserved key <code>json</code>.<br/>Use another.',
    };
    const { rows } = read({ Start: start, Say: { type: 'code', turn: { executionStatus: 'error', error } } });
    assert.equal(rows[1]?.message, 'Bad item. It has the reserved key json. Use another.');
  });

  for (const [title, error, message] of [
    ['a sentence', 'No stock', 'No stock'],
    ['an error', { message: 'Refused', name: 'AxiosError' }, 'Refused'],
  ] as const)
    it(`says that a node failed which went on at its last output, with ${title}`, () => {
      const main = [[], [item({ a: 1, error })]];
      const { rows } = read({
        Start: start,
        Ask: { type: 'httpRequest', onError: 'continueErrorOutput', turn: { data: { main } } },
      });
      const [, row] = rows;
      assert.deepEqual([row?.status?.state, row?.error?.message, row?.level], ['failed', message, 'error']);
      assert.deepEqual(row?.output, { success: [], error: [{ a: 1, error }] });
    });
});
