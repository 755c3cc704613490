// What the recorded n8n answers, so that tests over it mean what they mean over a real one.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import { recordedKey, RecordedN8n } from '../../support/n8n/recordedN8n.ts';
import { settle } from '../../support/memory/ports.ts';
import type { Running } from '../../support/servers.ts';

const webhook = {
  id: 'n1',
  name: 'Input',
  type: 'n8n-nodes-base.webhook',
  parameters: { path: 'in', httpMethod: 'POST' },
};
const content = { name: 'Sorts', nodes: [webhook], connections: {}, settings: {} };

describe('the recorded n8n', () => {
  let n8n: RecordedN8n;
  let running: Running;

  beforeEach(async () => {
    ({ n8n, running } = await RecordedN8n.serve(() => Date.UTC(2026, 0, 6, 10)));
  });
  afterEach(() => running.close());

  async function send(method: string, path: string, body?: JsonObject | string, key = recordedKey) {
    const response = await fetch(`http://127.0.0.1:${running.port}${path}`, {
      method,
      headers: { 'X-N8N-API-KEY': key },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: parseJson(text) };
  }
  const api = async (method: string, path: string, body?: JsonObject): Promise<string> => {
    const answer = await send(method, `/api/v1${path}`, body);
    return `${answer.status} ${text(answer.body, 'message') ?? ''}`.trim();
  };

  it('knows its key below /api/v1, and answers anything else with a page', async () => {
    assert.deepEqual((await send('GET', '/api/v1/workflows', undefined, 'other')).body, {
      message: 'Unauthorized',
    });
    const elsewhere = await send('GET', '/v1/workflows');
    assert.match(`${elsewhere.status} ${elsewhere.text}`, /^200 <!DOCTYPE html>/);
    const cut = await send('POST', '/api/v1/workflows', '{');
    assert.match(`${cut.status} ${cut.text}`, /^500 .*<pre>SyntaxError/);
    assert.equal(await api('GET', '/nothing'), '404 not found');
  });

  it('refuses what its key has no right to, and tells its rights', async () => {
    n8n.rights.delete('workflow:list');
    assert.equal(await api('GET', '/workflows'), '403 Forbidden');
    assert.equal(await api('GET', '/executions'), '200');
    const { body } = await send('GET', '/api/v1/discover');
    assert.ok(isJsonObject(body) && isJsonObject(body['data']));
    assert.deepEqual(body['data']['scopes'], [...n8n.rights]);
    n8n.tellsRights = false;
    assert.equal(await api('GET', '/discover'), '404 not found');
  });

  it('is strict with what it stores', async () => {
    for (const [change, words] of [
      [{ id: 'x' }, '400 request/body/id is read-only'],
      [{ x: 1 }, "400 request/body Unrecognized key(s) in object: 'x'"],
      [{ nodes: [{ ...webhook, x: 1 }] }, "400 request/body/nodes/0 Unrecognized key(s) in object: 'x'"],
      [{ settings: { x: 1 } }, "400 request/body/settings Unrecognized key(s) in object: 'x'"],
      [{}, '200'],
    ] as const)
      assert.equal(await api('POST', '/workflows', { ...content, ...change }), words);
  });

  it('activates, deactivates and deletes later than it answers', async () => {
    const { id } = n8n.addWorkflow(content);
    assert.equal(await api('POST', `/workflows/${id}/execute`), '405 POST method not allowed');
    assert.equal(await api('POST', `/workflows/${id}/activate`), '200');
    const called: number[] = [];
    for (let count = 0; count < 3; count += 1) called.push((await send('POST', '/webhook/in', {})).status);
    assert.deepEqual(called, [404, 404, 200]);
    assert.match(await api('DELETE', `/workflows/${id}`), /^409 Cannot delete a published workflow/);
    await api('POST', `/workflows/${id}/deactivate`);
    const deleted: string[] = [];
    for (let count = 0; count < 3; count += 1) deleted.push(await api('DELETE', `/workflows/${id}`));
    assert.match(deleted.join(), /^409 Workflow is still being unpublished.*,409 Workflow is still.*,200$/);
    assert.equal(await api('GET', '/executions/1'), '404 Not Found');
  });

  it('leaves running executions out of its list, tells their nodes late, and forgets what it does not save', async () => {
    const { id } = n8n.addWorkflow({ ...content, settings: { saveDataSuccessExecution: 'none' } });
    const [first, second] = [n8n.start(id), n8n.start(id)];
    n8n.ran(first.id, 'Input', { startTime: 1 });
    const ids = async (query: string): Promise<JsonValue[]> => {
      const { body } = await send('GET', `/api/v1/executions${query}`);
      const data = isJsonObject(body) ? body['data'] : [];
      return Array.isArray(data)
        ? data.map((each: JsonValue) => (isJsonObject(each) ? (each['id'] ?? '') : ''))
        : [];
    };
    const nodes = async (): Promise<string> =>
      /"runData":(\{[^}]*\})/.exec((await send('GET', '/api/v1/executions/1?includeData=true')).text)?.[1] ??
      '';
    assert.deepEqual([await ids(''), await ids('?status=running')], [[], ['2', '1']]);
    assert.equal(await nodes(), '{}');
    assert.equal(await api('POST', '/executions/2/stop'), '200');
    assert.match(await api('POST', '/executions/2/stop'), /^409/);
    n8n.end(first.id, 'success');
    assert.equal(await api('GET', '/executions/1'), '404 Not Found');
    const retrying = api('POST', `/executions/${second.id}/retry`);
    while (!n8n.executions.has(3)) await settle();
    assert.deepEqual(await ids('?status=running'), ['3']);
    n8n.end(3, 'error');
    assert.equal(await retrying, '200');
  });
});

function text(body: JsonValue | undefined, member: string): string | null {
  const value = isJsonObject(body) ? body[member] : undefined;
  return typeof value === 'string' ? value : null;
}
