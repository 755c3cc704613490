// What Diagnose Connection says of each step.
import assert from 'node:assert/strict';
import type { RouteCheck, StepResult } from '../../../src/domain/routeCheck.ts';
import { renderSteps } from '../../../src/features/connections/diagnose.ts';

const ok = (ms: number): StepResult => ({ kind: 'ok', ms });
const earlier: StepResult = { kind: 'skipped', why: 'earlier' };
const good: RouteCheck = {
  host: 'flows.example',
  port: 443,
  isProxy: false,
  addresses: ['192.0.2.1'],
  dns: ok(3),
  tcp: ok(12),
  tls: ok(30),
  request: ok(41),
  status: 401,
};

describe('a diagnosis', () => {
  it('has a line for each step, with what it took', () => {
    assert.deepEqual(renderSteps(good, { kind: 'ok', ms: 55 }), [
      '1. Name resolution of flows.example: ok, 3 ms (192.0.2.1)',
      '2. TCP connection to flows.example:443: ok, 12 ms',
      '3. TLS: ok, 30 ms',
      '4. Request without key: ok, 41 ms (HTTP 401)',
      '5. Request with key (list workflows): ok, 55 ms',
    ]);
  });

  it('says why a step failed, and that the rest was skipped', () => {
    const dns: StepResult = { kind: 'failed', cause: 'dns', code: 'ENOTFOUND' };
    const route = { ...good, addresses: [], dns, tcp: earlier, tls: earlier, request: earlier, status: null };
    assert.deepEqual(renderSteps(route, { kind: 'skipped', reason: 'an earlier step failed' }), [
      '1. Name resolution of flows.example: failed: host not found (DNS) (ENOTFOUND)',
      '2. TCP connection to flows.example:443: skipped: an earlier step failed',
      '3. TLS: skipped: an earlier step failed',
      '4. Request without key: skipped: an earlier step failed',
      '5. Request with key (list workflows): skipped: an earlier step failed',
    ]);
  });

  it('tells a certificate from a port without TLS, and an answer from a good one', () => {
    const tlsLine = (code: string): string | undefined =>
      renderSteps({ ...good, tls: { kind: 'failed', cause: 'tls', code } }, { kind: 'ok', ms: 1 })[2];
    assert.equal(
      tlsLine('DEPTH_ZERO_SELF_SIGNED_CERT'),
      "3. TLS: failed: the certificate isn't trusted (TLS) (DEPTH_ZERO_SELF_SIGNED_CERT)",
    );
    assert.equal(
      tlsLine('ERR_SSL_WRONG_VERSION_NUMBER'),
      '3. TLS: failed: no TLS connection is possible at this port (ERR_SSL_WRONG_VERSION_NUMBER)',
    );
    const failing = renderSteps({ ...good, status: 503 }, { kind: 'failed', reason: 'It failed.' });
    assert.deepEqual(failing.slice(3), [
      '4. Request without key: failed: HTTP 503 after 41 ms',
      '5. Request with key (list workflows): failed: It failed.',
    ]);
  });

  it('says that the first steps lead to the proxy', () => {
    const tls: StepResult = { kind: 'skipped', why: 'proxy' };
    const route = { ...good, host: '::1', port: 3128, isProxy: true, tls };
    assert.deepEqual(renderSteps(route, { kind: 'ok', ms: 1 }).slice(0, 4), [
      'Proxy: [::1]:3128. Name resolution and TCP are checked against the proxy, not the service.',
      '1. Name resolution of ::1: ok, 3 ms (192.0.2.1)',
      '2. TCP connection to [::1]:3128: ok, 12 ms',
      '3. TLS: skipped: the requests below include it',
    ]);
  });
});
