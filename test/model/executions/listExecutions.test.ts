// Only a service that has drafts is asked for a kind: another one may refuse what it doesn't know.
import assert from 'node:assert/strict';
import { listExecutions } from '../../../src/model/executions/connectionExecutions.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';

describe('a list of executions of one kind', () => {
  for (const [told, wanted] of [
    ['draft', '?status=failed&kind=deployed'],
    ['cancel', '?status=failed'],
  ] as const)
    it(`is ${told === 'draft' ? 'asked' : 'not asked'} of a service that tells "${told}"`, async () => {
      const headers = { 'content-type': 'application/json', 'workflow-capabilities': told };
      const { client, requests } = createScriptedClient(() => ({ headers, body: { data: [] } }));
      await client.workflows.list({});
      await listExecutions(client, { status: 'failed', kind: 'deployed' }, {});
      const { search } = new URL(requests.at(-1)?.url ?? '');
      const asked = new URLSearchParams(search);
      for (const [name, value] of new URLSearchParams(wanted)) assert.equal(asked.get(name), value);
      assert.equal(asked.has('kind'), told === 'draft');
    });
});
