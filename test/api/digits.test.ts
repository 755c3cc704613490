// Numbers keep the digits that a service sent, as ids too (contract section 7.2).
import assert from 'node:assert/strict';
import { stringifyJson } from '../../src/base/json.ts';
import { createScriptedClient } from '../support/scriptedClient.ts';
import { longNumbersText, typed } from '../support/digits.ts';

const headers = { 'content-type': 'application/json' };

describe('a service whose ids are numbers beyond 2^53', () => {
  const ids = ['9007199254740992', '9007199254740993', '100000000000000000000000'];
  const rows = (row: (id: string) => string) => `{"data":[${ids.map(row).join(',')}],"nextCursor":null}`;

  it('has as many workflows as it says, and each is called by its own id', async () => {
    const { client, requests } = createScriptedClient((path) => {
      const [, id] = /\/workflows\/(\d+)/.exec(path) ?? [];
      return {
        headers,
        body:
          id === undefined
            ? rows((each) => `{"id":${each},"name":"W"}`)
            : `{"id":${id},"name":"W","status":"triggered"}`,
      };
    });
    const { items } = await client.workflows.list({});
    assert.deepEqual(
      items.map(({ id }) => id),
      ids,
    );
    for (const { id } of items) {
      await client.workflows.deploy(id);
      await client.workflows.execute(id, {});
      await client.workflows.delete(id);
    }
    assert.deepEqual(
      requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, url }) => `${method} ${new URL(url).pathname}`),
      ids.flatMap((id) => [
        `POST /v1/workflows/${id}/deploy`,
        `POST /v1/workflows/${id}/execute`,
        `DELETE /v1/workflows/${id}`,
      ]),
    );
  });

  it('has as many executions and rows, and tells the ids of events and executions as they are', async () => {
    const { client, requests } = createScriptedClient((path) => {
      if (path.includes('/logs'))
        return { headers, body: rows((id) => `{"id":${id},"nodeId":${id},"message":"m"}`) };
      if (path.includes('/execute'))
        return {
          headers,
          body: `{"workflowId":1,"eventIds":[${ids.join(',')}],"executionIds":[${ids[1] ?? ''}],"status":"triggered"}`,
        };
      return {
        headers,
        body: rows((id) => `{"id":${id},"workflowId":${id},"eventId":${id},"status":"completed"}`),
      };
    });
    const { items } = await client.executions.list({});
    assert.deepEqual(
      items.map(({ id, workflowId }) => [id, workflowId]),
      ids.map((id) => [id, id]),
    );
    const { rows: logs } = await client.executions.logs(ids[1] ?? '', {});
    assert.ok(requests.some(({ url }) => url.includes(`/executions/${ids[1] ?? ''}/logs`)));
    assert.deepEqual(logs.map(({ nodeId }) => nodeId).toSorted(), ids.toSorted());
    const triggered = await client.workflows.execute('1', {});
    assert.deepEqual([triggered.eventIds, triggered.executionIds], [ids, [ids[1]]]);
  });

  it('is read on by the token that it gives, with its digits', async () => {
    const { client, requests } = createScriptedClient((_path, _request, count) => ({
      headers,
      body:
        count === 0
          ? '{"data":[{"id":1,"name":"A"}],"nextCursor":9007199254740993}'
          : '{"data":[{"id":2,"name":"B"}]}',
    }));
    const { nextCursor } = await client.workflows.list({});
    assert.ok(nextCursor !== null);
    await client.workflows.list({ cursor: nextCursor });
    assert.equal(new URL(requests[1]?.url ?? '').searchParams.get('cursor'), '9007199254740993');
  });

  it('may send nanoseconds as numbers', async () => {
    const { client } = createScriptedClient(() => ({
      headers,
      body: '{"id":"e","workflowId":"w","status":"completed","startedAt":1767607200123456789,"completedAt":1767607201123456789}',
    }));
    const { startedAt, durationMs } = await client.executions.get('e');
    assert.deepEqual([startedAt?.toISOString(), durationMs], ['2026-01-05T10:00:00.123Z', 1000]);
  });
});

describe('values with numbers beyond what JavaScript holds', () => {
  it('are sent as they were typed', async () => {
    const { client, requests } = createScriptedClient(() => ({ headers, body: '{"id":"w","name":"A"}' }));
    await client.workflows.execute('w', typed(longNumbersText));
    assert.equal(requests[0]?.body, `{"input":${longNumbersText}}`);
    await client.workflows.create({ name: 'A', nodes: [], edges: [], settings: typed(longNumbersText) });
    assert.ok(requests[1]?.body?.includes(longNumbersText), requests[1]?.body ?? '');
    assert.ok(
      client.workflows
        .describeExecution('w', typed(longNumbersText))
        .body.replace(/\s/g, '')
        .includes(longNumbersText),
    );
  });

  it('are read as they were sent: input, output, rows of the log', async () => {
    const { client } = createScriptedClient((path) => {
      if (path.includes('/output'))
        return { headers, body: `{"executionId":"e","status":"completed","output":${longNumbersText}}` };
      if (path.includes('/logs'))
        return { headers, body: `{"data":[{"id":"l","nodeId":"n","output":${longNumbersText}}]}` };
      return { headers, body: `{"id":"e","workflowId":"w","status":"completed","input":${longNumbersText}}` };
    });
    const { input } = await client.executions.get('e');
    assert.equal(stringifyJson(input), longNumbersText);
    const output = await client.executions.output('e');
    assert.equal(output.kind === 'ready' && stringifyJson(output.output), longNumbersText);
    const { rows } = await client.executions.logs('e', {});
    assert.equal(stringifyJson(rows[0]?.output), longNumbersText);
  });
});
