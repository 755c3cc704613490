// What a service refuses or fails at, in words: from its response over a socket, or from the lost way to it, to what a person reads.
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import { createHttpPort } from '../../src/api/http/http.ts';
import type { HttpSettings } from '../../src/api/http/httpPort.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { UnreachableCause } from '../../src/domain/errors.ts';
import type { ErrorDescription } from '../../src/editor/plainError.ts';
import { describeError } from '../../src/ui/words/describeError.ts';
import { createHastyClock } from '../support/hastyClock.ts';
import { lost, type Refusal, refusals } from '../support/refusals.ts';
import { closedPort, serve, serveProxy, serveTls } from '../support/servers.ts';

/** Nobody's key; made of parts, so that nothing takes it for one. */
const someKey = ['svc', 'sk', 'r'.repeat(20)].join('_');
/** Sentences of ours, and at most 300 characters of the service's. */
const maximumLength = 600;

interface Way extends HttpSettings {
  readonly baseUrl: string;
}

const direct = (port: number): Way => ({ baseUrl: `http://127.0.0.1:${port}/v1`, environment: {} });

/** Deploys a workflow over this way, more than once where told; returns what a person reads of the last failure. */
async function deploy(
  { baseUrl, ...way }: Way,
  { keyPrefix = 'svc_sk_', times = 1 } = {},
): Promise<ErrorDescription> {
  const port = createHttpPort(way);
  const clock = createHastyClock();
  const client = createClient({
    http: () => Promise.resolve(port),
    baseUrl,
    key: () => Promise.resolve(someKey),
    keyPrefix: () => keyPrefix,
    budgets: new Budgets({ clock }),
    logger: silentLogger,
    clock,
  });
  try {
    for (let time = 1; time < times; time += 1) await assert.rejects(client.workflows.deploy('wf_1'));
    const error: unknown = await client.workflows.deploy('wf_1').then(
      () => assert.fail('It was deployed.'),
      (reason: unknown) => reason,
    );
    return describeError(error, clock.now());
  } finally {
    client.dispose();
    port.dispose();
  }
}

/** On a service that answers so. */
async function refused(by: RequestListener, more?: Parameters<typeof deploy>[1]): Promise<ErrorDescription> {
  const service = await serve(by);
  try {
    return await deploy(direct(service.port), more);
  } finally {
    await service.close();
  }
}

function assertReads({ message, actions }: ErrorDescription, refusal: Omit<Refusal, 'by'>): void {
  const { words, never, buttons = [] } = refusal;
  assert.ok(message.includes(words), message);
  assert.ok(message.length < maximumLength && (never === undefined || !message.includes(never)), message);
  assert.deepEqual(
    actions.map(({ label }) => label),
    buttons,
  );
}

/** Where the way to the service is lost; each closes what it opened. */
const ways: Partial<Readonly<Record<UnreachableCause, () => Promise<ErrorDescription>>>> = {
  dns: () => deploy({ baseUrl: 'https://workflows.invalid/v1', environment: {} }),
  refused: async () => deploy(direct(await closedPort())),
  async tls() {
    const service = await serveTls(() => undefined);
    try {
      return await deploy({ baseUrl: `https://127.0.0.1:${service.port}/v1`, environment: {} });
    } finally {
      await service.close();
    }
  },
  async proxy() {
    const proxy = await serveProxy({ target: 0, refusal: '403 Forbidden' });
    try {
      const way = { proxy: `http://127.0.0.1:${proxy.port}`, environment: {} };
      return await deploy({ baseUrl: 'https://service.test/v1', ...way });
    } finally {
      await proxy.close();
    }
  },
  // An address that nothing can be reached at.
  other: () => deploy({ baseUrl: 'https://255.255.255.255/v1', environment: {} }),
};

describe('what a service refuses or fails at', () => {
  for (const [title, rows] of Object.entries({
    service: refusals.service,
    unreadable: refusals.unreadable,
  }))
    for (const [name, refusal] of Object.entries<Refusal>(rows))
      it(`${title}: ${name}`, async () => {
        const { by } = refusal;
        assertReads(typeof by === 'function' ? await refused(by) : describeError(by, Date.now()), refusal);
      });

  for (const [cause, refusal] of Object.entries<Refusal>(lost))
    it(`unreachable: ${cause}`, async () => {
      const { by } = refusal;
      const way = Object.entries(ways).find(([name]) => name === cause)?.[1];
      if (way !== undefined) assertReads(await way(), refusal);
      else assertReads(typeof by === 'function' ? await refused(by) : describeError(by), refusal);
    });

  it('a quota that is known already', async () => {
    const { quota, quotaKnownAlready } = refusals.service;
    assertReads(await refused(quota.by, { times: 2 }), quotaKnownAlready);
  });

  it('a key that was not sent', async () => {
    const answered = refused(() => assert.fail('Something was sent.'), { keyPrefix: 'other_' });
    assertReads(await answered, refusals.service.keyThatWasNotSent);
  });
});
