// A key that is revoked in one process is of no use in any other, at once.
import assert from 'node:assert/strict';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { createDatabase } from '../../support/storage.ts';
import {
  assertRefused,
  call,
  chain,
  createDeployed,
  execute,
  openStream,
  readToEnds,
  toCompleteResponse,
} from '../calls.ts';
import { type ApiProcess, startApi } from './processes.ts';

const delayed = chain(['start', 'trigger'], ['wait', 'delay', { milliseconds: 60_000 }]);

describe('A key revoked in one of several processes', () => {
  let address: DatabaseAddress;
  let processes: ApiProcess[] = [];
  before(async () => {
    address = await createDatabase('revocation');
    processes = await Promise.all([startApi(address), startApi(address), startApi(address)]);
  });
  after(async () => {
    await Promise.all(processes.map((each) => each.dispose()));
  });

  it('opens nothing in any, and its streams end in all', async () => {
    const [first, ...others] = processes;
    assert.ok(first);
    const { id, key } = await first.store.keys.create('CI', 'never');
    const readers = others.map(({ app }) => ({ app, key }));
    const [reader] = readers;
    assert.ok(reader);
    const executionId = await execute(reader, await createDeployed(reader, delayed), {});
    const streams = await Promise.all(
      readers.flatMap((each) => [
        openStream(each, `/v1/executions/${executionId}/logs`),
        openStream(each, '/v1/portal/events'),
      ]),
    );
    const { ended } = await readToEnds(streams);
    assert.equal((await call(reader, 'GET', '/v1/workflows')).status, 200);
    await first.store.keys.revoke(id);
    for (const each of readers)
      assertRefused(
        await toCompleteResponse(await openStream(each, '/v1/portal/events')),
        401,
        'api_key_revoked',
      );
    await ended;
  });
});
