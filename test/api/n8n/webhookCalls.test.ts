// An input is what a webhook is called with, and what it was called with is that input again.
import assert from 'node:assert/strict';
import { fromWebhookCall, toNestedQuery, toWebhookCall } from '../../../src/api/n8n/webhookCalls.ts';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { HttpMethod } from '../../../src/protocol/operations.ts';

const webhook = (method: HttpMethod, path = 'in', parameters: readonly string[] = []) =>
  ({ kind: 'webhook', nodeName: 'In', name: 'In', output: 0, path, method, parameters }) as const;

describe('the call of a webhook', () => {
  const calls: readonly (readonly [
    input: JsonObject,
    method: HttpMethod,
    query: JsonObject,
    body: JsonObject | undefined,
  ])[] = [
    [{ email: 'a@b.c' }, 'POST', {}, { email: 'a@b.c' }],
    [{}, 'POST', {}, {}],
    [{ input: { a: 1 } }, 'PUT', {}, { input: { a: 1 } }],
    [{ body: { a: 1 } }, 'POST', {}, { body: { a: 1 } }],
    [{ query: { match: {} } }, 'POST', {}, { query: { match: {} } }],
    [{ body: { a: 1 }, query: 'text' }, 'POST', {}, { body: { a: 1 }, query: 'text' }],
    [{ body: { a: 1 }, query: {}, more: 1 }, 'POST', {}, { body: { a: 1 }, query: {}, more: 1 }],
    [{ body: { a: 1 }, query: { b: 2 } }, 'POST', { b: 2 }, { a: 1 }],
    [{ query: { a: 1 }, params: {} }, 'GET', { a: 1 }, undefined],
    [{ query: 'x' }, 'GET', { query: 'x' }, undefined],
  ];
  for (const [input, method, query, body] of calls)
    it(`by ${method} has ${JSON.stringify(input)} where it belongs`, () => {
      assert.deepEqual(toWebhookCall(webhook(method), input), { path: 'in', query, body });
    });

  it('fills in its path, encoded, and nothing that leads elsewhere', () => {
    const at = webhook('POST', 'id/users/:userId/:what', ['userId', 'what']);
    const path = (params: JsonObject) => toWebhookCall(at, { body: {}, params }).path;
    assert.equal(path({ userId: 'a b?c', what: 7 }), 'id/users/a%20b%3Fc/7');
    for (const params of [
      { userId: 'a' },
      { userId: '..', what: 1 },
      { userId: '', what: 1 },
      { userId: 'a/b', what: 1 },
      { userId: 'half \ud83d', what: 1 },
      { userId: ['a'], what: 1 },
    ])
      assert.throws(() => path(params), /The address of the webhook needs/);
  });

  it('names lists and objects of a query as n8n reads them', () => {
    const query = { a: 1, b: true, c: null, d: { e: [1], f: [{ g: 'x' }, 'y'] }, h: ['x', 2], i: ['z'] };
    assert.deepEqual(toNestedQuery(query), {
      a: '1',
      b: 'true',
      c: '',
      'd[e][]': ['1'],
      'd[f][0][g]': 'x',
      'd[f][1]': 'y',
      'h[]': ['x', '2'],
      'i[]': ['z'],
    });
  });

  it('by GET has no body', () => {
    const input = { body: { a: 1 }, query: {}, params: {} };
    assert.throws(() => toWebhookCall(webhook('GET'), input), /gets no body/);
  });

  for (const [item, method, wanted] of [
    [{ headers: {}, params: {}, query: {}, body: { a: 1 } }, 'POST', { a: 1 }],
    [{ headers: {}, params: {}, query: {}, body: [1] }, 'POST', { body: [1], query: {} }],
    [{ params: {}, query: { b: '2' }, body: { a: 1 } }, 'POST', { body: { a: 1 }, query: { b: '2' } }],
    [{ params: { id: '7' }, query: {}, body: {} }, 'PUT', { body: {}, params: { id: '7' } }],
    [{ params: {}, query: { b: '2' }, body: {} }, 'GET', { b: '2' }],
    [{ params: { id: '7' }, query: {}, body: {} }, 'GET', { query: {}, params: { id: '7' } }],
  ] as const)
    it(`is read back from a record: ${method} ${JSON.stringify(wanted)}`, () => {
      assert.deepEqual(fromWebhookCall(item, method), wanted);
    });

  it('is the same again with the input that is read back', () => {
    const objects = [
      {},
      { a: '1' },
      { query: { a: '1' } },
      { query: {}, body: {} },
      { query: {}, params: {} },
    ];
    const bodies: readonly JsonValue[] = ['text', [1, { a: null }], null, ...objects];
    for (const method of ['GET', 'POST', 'DELETE'] satisfies HttpMethod[])
      for (const body of method === 'GET' ? [{}] : bodies)
        for (const query of objects)
          for (const params of [{ id: undefined }, { id: '7' }]) {
            const input = fromWebhookCall(
              { body, query, params: params.id ? { id: params.id } : {} },
              method,
            );
            const at = params.id === undefined ? webhook(method) : webhook(method, ':id', ['id']);
            assert.deepEqual(toWebhookCall(at, input), {
              path: params.id ?? 'in',
              query,
              body: method === 'GET' ? undefined : body,
            });
          }
  });
});
