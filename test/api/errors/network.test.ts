// "no internet" for everything helps nobody; the cause stands in the code, however deep.
import assert from 'node:assert/strict';
import type { UnreachableCause } from '../../../src/domain/errors.ts';
import { unreachable, unreachableCause } from '../../../src/api/errors/network.ts';

function coded(code: string, cause?: unknown): Error {
  return Object.assign(new Error('x', { cause }), { code });
}

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
      assert.equal(unreachableCause(coded(code)), cause);
      assert.equal(unreachableCause(new TypeError('fetch failed', { cause: coded(code) })), cause);
      assert.equal(unreachableCause(new AggregateError([new Error('a'), coded(code)])), cause);
    });

  it('lets the outermost known code decide', () => {
    assert.equal(unreachableCause(coded('ERR_PROXY', coded('ECONNREFUSED'))), 'proxy');
    assert.equal(unreachableCause(coded('UNKNOWN', coded('ECONNREFUSED'))), 'refused');
  });

  it('survives errors that are their own cause, and what is no error', () => {
    const loop = new Error('x');
    loop.cause = loop;
    assert.equal(unreachableCause(loop), 'other');
    assert.equal(unreachableCause('text'), 'other');
  });

  it("keeps the cause and blames nobody's internet", () => {
    const error = unreachable(coded('ENOTFOUND'));
    assert.deepEqual(error.reason, { kind: 'unreachable', cause: 'dns' });
    assert.equal(error.status, 0);
    assert.ok(error.cause instanceof Error);
    assert.doesNotMatch(error.message, /internet/i);
  });
});
