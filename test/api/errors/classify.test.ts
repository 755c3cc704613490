// The reason decides what a person is offered: a new key, deploying, waiting, or nothing at all.
import assert from 'node:assert/strict';
import { classify, explainFailure, unreachable } from '../../../src/api/errors/classify.ts';
import { isServiceError, type ServiceError, type UnreachableCause } from '../../../src/domain/errors.ts';
import { answerOf } from '../../support/answers.ts';

const now = Date.UTC(2026, 0, 5, 10);
const context = { now, mayBeNotDeployed: false, secrets: [] };
const html = { 'content-type': 'text/html; charset=utf-8' };

type Kind = ServiceError['reason']['kind'];

describe('classification', () => {
  const rows: readonly (readonly [number, unknown, Readonly<Record<string, string>>, Kind])[] = [
    [400, { error: { code: 'invalid_json', message: 'M' } }, {}, 'invalid'],
    [401, { error: { code: 'api_key_revoked', message: 'M' } }, {}, 'keyRejected'],
    [401, undefined, {}, 'keyRejected'],
    [403, { message: 'The API key has expired' }, {}, 'keyRejected'],
    [403, { message: 'invalid api key' }, {}, 'keyRejected'],
    [403, { message: 'Not your workflow' }, {}, 'forbidden'],
    [403, 'Not your workflow', {}, 'forbidden'],
    [403, '<html><body>Access denied</body></html>', html, 'unreadable'],
    [403, { message: 'API rate limit exceeded' }, { 'x-ratelimit-remaining': '0' }, 'rateLimited'],
    [404, { error: { code: 'workflow_not_found', message: 'There is no such workflow.' } }, {}, 'notFound'],
    [404, undefined, {}, 'notFound'],
    [404, { error: { code: 'route_not_found', message: 'M' } }, {}, 'notOffered'],
    [404, '<html><body>404</body></html>', html, 'notOffered'],
    [404, '<!DOCTYPE html><p>404', {}, 'notOffered'],
    [404, 'Cannot POST /v1/x', {}, 'notOffered'],
    [404, { detail: 'Not Found' }, {}, 'notOffered'],
    [404, { message: 'Not Found' }, {}, 'notFound'],
    [404, { message: 'No such path' }, {}, 'notOffered'],
    [405, undefined, {}, 'notOffered'],
    [501, undefined, {}, 'notOffered'],
    [407, undefined, {}, 'unreachable'],
    [408, { error: { code: 'request_timeout', message: 'M' } }, {}, 'unavailable'],
    [409, { error: { code: 'version_conflict', message: 'M' } }, {}, 'conflict'],
    [409, { error: { code: 'execution_ended', message: 'M' } }, {}, 'notPossible'],
    [409, { error: { code: 'execution_not_ended', message: 'M' } }, {}, 'notPossible'],
    [409, { error: { code: 'execution_completed', message: 'M' } }, {}, 'notPossible'],
    [422, { error: { code: 'node_not_run', message: 'M' } }, {}, 'notPossible'],
    [412, undefined, {}, 'conflict'],
    [410, { error: { code: 'event_gap', message: 'M' } }, {}, 'gap'],
    [413, undefined, {}, 'tooLarge'],
    [415, undefined, {}, 'invalid'],
    [422, { error: { code: 'validation_failed', message: 'M' } }, {}, 'invalid'],
    [422, { error: { code: 'too_deep', message: 'M' } }, {}, 'invalid'],
    [429, undefined, {}, 'rateLimited'],
    [500, undefined, {}, 'unavailable'],
    [507, { error: { code: 'storage_full', message: 'M' } }, {}, 'unavailable'],
    [503, '<html>busy</html>', html, 'unavailable'],
    [302, undefined, {}, 'unreadable'],
  ];
  for (const [status, body, headers, kind] of rows)
    it(`reads ${status} ${JSON.stringify(body ?? null)} as ${kind}`, () =>
      assert.equal(classify(answerOf(status, body, headers), context).reason.kind, kind));

  for (const status of [400, 403, 409, 412, 422])
    for (const text of [
      'Workflow is not deployed',
      'has not been deployed',
      'workflow_not_deployed',
      'inactive',
      'Workflow is not active',
      'unpublished',
    ])
      it(`reads ${status} "${text}" of an execute call as notDeployed`, () => {
        const answer = answerOf(status, { message: text });
        assert.equal(classify(answer, { ...context, mayBeNotDeployed: true }).reason.kind, 'notDeployed');
        assert.notEqual(classify(answer, context).reason.kind, 'notDeployed');
      });

  it('tells a quota from the limit of a minute', () => {
    const of = (message: string, seconds: string): unknown =>
      classify(answerOf(429, { message }, { 'retry-after': seconds }), context).reason;
    assert.deepEqual(of('Slow down', '5'), { kind: 'rateLimited', retryAt: now + 5000, isQuota: false });
    assert.deepEqual(of('Monthly quota used up', '5'), {
      kind: 'rateLimited',
      retryAt: now + 5000,
      isQuota: true,
    });
    assert.deepEqual(of('Slow down', '301'), { kind: 'rateLimited', retryAt: now + 301_000, isQuota: true });
    assert.deepEqual(of('Explanation', '5'), { kind: 'rateLimited', retryAt: now + 5000, isQuota: false });
  });

  it('carries status, code and request id', () => {
    const error = classify(
      answerOf(409, { error: { code: 'version_conflict', message: 'Changed.' } }, { 'x-request-id': 'r1' }),
      context,
    );
    assert.ok(isServiceError(error, 'conflict'));
    assert.deepEqual(
      [error.status, error.code, error.requestId, error.message],
      [409, 'version_conflict', 'r1', 'Changed.'],
    );
  });

  it('never repeats a key that the service quotes', () => {
    const secret = 'custom-prefix-0123456789';
    const error = classify(answerOf(401, { message: `Bad key ${secret}`, code: secret }), {
      ...context,
      secrets: [secret],
    });
    assert.ok(!JSON.stringify([error.message, error.code, error.reason]).includes(secret));
  });
});

function coded(code: string, cause?: unknown): Error {
  return Object.assign(new Error('x', { cause }), { code });
}

// "no internet" for everything helps nobody; the cause stands in the code, however deep.
describe('network failures', () => {
  const rows: readonly (readonly [string, UnreachableCause])[] = [
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ECONNREFUSED', 'refused'],
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['EPROTO', 'tls'],
    ['ERR_PROXY', 'proxy'],
    ['UND_ERR_PRX_TLS', 'proxy'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['HPE_INVALID_CONSTANT', 'reset'],
    ['ENETUNREACH', 'other'],
  ];
  for (const [code, cause] of rows)
    it(`reads ${code} as ${cause}`, () => {
      assert.equal(explainFailure(coded(code)).cause, cause);
      assert.equal(explainFailure(new TypeError('fetch failed', { cause: coded(code) })).cause, cause);
      assert.equal(explainFailure(new AggregateError([new Error('a'), coded(code)])).cause, cause);
    });

  it('lets the outermost known code decide', () => {
    assert.equal(explainFailure(coded('ERR_PROXY', coded('ECONNREFUSED'))).cause, 'proxy');
    assert.equal(explainFailure(coded('UNKNOWN', coded('ECONNREFUSED'))).cause, 'refused');
  });

  it('survives errors that are their own cause, and what is no error', () => {
    const loop = new Error('x');
    loop.cause = loop;
    assert.equal(explainFailure(loop).cause, 'other');
    assert.equal(explainFailure('text').cause, 'other');
  });

  it("keeps the cause and blames nobody's internet", () => {
    const error = unreachable(coded('ENOTFOUND'));
    assert.deepEqual(error.reason, { kind: 'unreachable', cause: 'dns' });
    assert.equal(error.status, 0);
    assert.ok(error.cause instanceof Error);
    assert.doesNotMatch(error.message, /internet/i);
  });
});
