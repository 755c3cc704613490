// An input is what a webhook is called with, and what it was called with is that input again.
import assert from 'node:assert/strict';
import { fromWebhookCall, toWebhookCall } from '../../../src/api/n8n/webhookCalls.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { HttpMethod } from '../../../src/protocol/operations.ts';

const webhook = (method: HttpMethod, path = 'in', parameters: readonly string[] = []) =>
  ({ kind: 'webhook', name: 'In', path, method, parameters }) as const;

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
    [{ body: { a: 1 }, query: { b: 2 } }, 'POST', { b: '2' }, { a: 1 }],
    [
      { a: 1, b: true, c: null, d: { e: [1] }, f: ['x', 2] },
      'GET',
      { a: '1', b: 'true', c: '', d: '{"e":[1]}', f: ['x', '2'] },
      undefined,
    ],
    [{ query: { a: 1 }, params: {} }, 'GET', { a: '1' }, undefined],
    [{ query: 'x' }, 'GET', { query: 'x' }, undefined],
  ];
  for (const [input, method, query, body] of calls)
    it(`by ${method} has ${JSON.stringify(input)} where it belongs`, () => {
      assert.deepEqual(toWebhookCall(webhook(method), input), { path: 'in', query, body });
    });

  it('fills in its path, encoded, and nothing that leads elsewhere', () => {
    const at = webhook('POST', 'id/users/:userId/:what', ['userId', 'what']);
    const path = (params: JsonObject) => toWebhookCall(at, { body: {}, params }).path;
    assert.equal(path({ userId: 'a/b?c', what: 7 }), 'id/users/a%2Fb%3Fc/7');
    for (const params of [{ userId: 'a' }, { userId: '..', what: 1 }, { userId: '', what: 1 }])
      assert.throws(() => path(params), /The address of the webhook needs/);
  });

  for (const [item, method, wanted] of [
    [{ headers: {}, params: {}, query: {}, body: { a: 1 } }, 'POST', { a: 1 }],
    [{ headers: {}, params: {}, query: {}, body: [1] }, 'POST', [1]],
    [{ params: {}, query: { b: '2' }, body: { a: 1 } }, 'POST', { body: { a: 1 }, query: { b: '2' } }],
    [{ params: { id: '7' }, query: {}, body: {} }, 'PUT', { body: {}, params: { id: '7' } }],
    [{ params: {}, query: { b: '2' }, body: {} }, 'GET', { b: '2' }],
    [{ params: { id: '7' }, query: {}, body: {} }, 'GET', { query: {}, params: { id: '7' } }],
  ] as const)
    it(`is read back from a record: ${method} ${JSON.stringify(wanted)}`, () => {
      assert.deepEqual(fromWebhookCall(item, method), wanted);
    });
});
