// What bad input gets on an n8n, in words, from its answer over a socket to what a person reads.
import assert from 'node:assert/strict';
import { HttpLoader } from '../../src/api/http/httpLoader.ts';
import { createN8nClient } from '../../src/api/n8n/client.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import { describeError, forCode } from '../../src/ui/words/describeError.ts';
import { createHastyClock } from '../support/hastyClock.ts';
import { HandClock } from '../support/memory/ports.ts';
import { createWorld, type World } from '../support/memory/world.ts';
import { recordedToken } from '../support/n8n/recordedMcp.ts';
import { type Answer, recordedKey, RecordedN8n } from '../support/n8n/recordedN8n.ts';
import type { Running } from '../support/servers.ts';

const webhook = {
  id: 'n1',
  name: 'Input',
  type: 'n8n-nodes-base.webhook',
  parameters: { path: 'orders', httpMethod: 'POST' },
};
const say = { id: 'n2', name: 'Say', type: 'x.say', parameters: {} };
const content = { name: 'Orders', nodes: [webhook, say], connections: {}, settings: {} };
const errorPage =
  '<!DOCTYPE html><html><body><pre>Error: no such table<br> at Db.run (/app/db.js:7:1)</pre></body></html>';

describe('what an n8n refuses', () => {
  let n8n: RecordedN8n;
  let running: Running;
  let loader: HttpLoader;
  let world: World;
  let id: string;

  beforeEach(async () => {
    ({ n8n, running } = await RecordedN8n.serve(() => Date.UTC(2026, 0, 6)));
    loader = new HttpLoader(() => ({ environment: {} }));
    const clock = createHastyClock();
    world = createWorld({
      clock: new HandClock(),
      createClient: ({ baseUrl }, key, owner, mcpToken) =>
        createN8nClient({ http: loader.load, baseUrl, key, logger: silentLogger, clock, owner, mcpToken }),
    });
    const baseUrl = `http://127.0.0.1:${running.port}`;
    const given = { name: 'Mine', baseUrl, apiKey: recordedKey, mcpToken: recordedToken };
    ({ id } = await world.connections.add({ kind: 'n8n', ...given }));
  });
  afterEach(async () => {
    world.clients.dispose();
    loader.dispose();
    await running.close();
  });

  const add = (more: JsonObject = {}) => n8n.addWorkflow({ ...content, ...more });
  const answerTo = (part: string, answer: Answer) => {
    n8n.instead = (call) => (call.includes(part) ? answer : undefined);
  };
  /** What a person reads, and the buttons. */
  async function told(call: Promise<unknown>): Promise<readonly string[]> {
    const error: unknown = await call.then(
      () => assert.fail('The call went through.'),
      (thrown: unknown) => thrown,
    );
    const { message, actions } = describeError(error, 0);
    return [message, ...actions.map(({ label }) => label)];
  }
  const client = () => world.clients.get(id);
  const troubleOf = () => world.connectionTroubles.find(id);

  it('says of a key that was revoked what is the matter, and offers to replace it', async () => {
    n8n.keys.clear();
    assert.deepEqual(await told(client().workflows.list({})), [
      'The service rejected the API key. The service says: Unauthorized',
      'Replace Key…',
    ]);
    assert.notEqual(troubleOf(), undefined);
  });

  it('says the same of the token, by its own name', async () => {
    await world.connections.replaceMcpToken(id, 'forgotten-by-now', { verify: 'never' });
    const workflow = add();
    n8n.activate(workflow);
    assert.deepEqual(await told(client().workflows.execute(workflow.id, {})), [
      'The service rejected the MCP token. The service says: Unauthorized',
      'Replace MCP Token…',
    ]);
    assert.equal(troubleOf(), undefined);
  });

  it('refuses the one command that a key has no right to', async () => {
    answerTo('/activate', { status: 403, body: { message: 'Forbidden' } });
    const workflow = add();
    const words = await told(client().workflows.deploy(workflow.id));
    assert.deepEqual(words, ["The API key doesn't allow this. The service says: Forbidden", 'Replace Key…']);
    assert.equal(troubleOf(), undefined);
    assert.equal((await client().workflows.list({})).items.length, 1);
    assert.equal((await client().workflows.update(workflow.id, { name: 'Renamed' })).name, 'Renamed');
  });

  const discoveries = () => n8n.requests.filter(({ url }) => url === '/api/v1/discover').length;

  it('names the right that the key lacks, for each call, after one question', async () => {
    const { id: workflowId } = add();
    for (const [right, words, call] of [
      ['workflow:list', 'list workflows', () => client().workflows.list({})],
      ['workflow:read', 'read workflows', () => client().workflows.getOne(workflowId)],
      ['workflow:create', 'create workflows', () => client().workflows.create(content)],
      ['workflow:activate', 'deploy workflows', () => client().workflows.deploy(workflowId)],
      ['workflow:deactivate', 'undeploy workflows', () => client().workflows.undeploy(workflowId)],
      ['workflow:delete', 'delete or archive workflows', () => client().workflows.delete(workflowId)],
      ['execution:list', 'list executions', () => client().executions.list({})],
      ['execution:read', 'read executions', () => client().executions.get('1')],
    ] as const) {
      n8n.rights.delete(right);
      const key = `${recordedKey}-${right.replace(':', '-')}`;
      n8n.keys.add(key);
      await world.connections.replaceKey(id, key, { verify: 'never' });
      n8n.requests.splice(0);
      const sentence = `The key has no right to ${words} (${right}).`;
      const both = [await told(call()), await told(call())];
      assert.deepEqual(both, [
        [sentence, 'Replace Key…'],
        [sentence, 'Replace Key…'],
      ]);
      assert.equal(discoveries(), 1);
      n8n.rights.add(right);
    }
    assert.equal(troubleOf(), undefined);
  });

  it('says what it said where the key has the right, or n8n does not tell', async () => {
    const words = ["The API key doesn't allow this. The service says: Forbidden", 'Replace Key…'];
    answerTo('/activate', { status: 403, body: { message: 'Forbidden' } });
    const { id: workflowId } = add();
    assert.deepEqual(await told(client().workflows.deploy(workflowId)), words);
    n8n.rights.delete('workflow:activate');
    n8n.tellsRights = false;
    const key = `${recordedKey}-older`;
    n8n.keys.add(key);
    await world.connections.replaceKey(id, key, { verify: 'never' });
    n8n.requests.splice(0);
    const both = [
      await told(client().workflows.deploy(workflowId)),
      await told(client().workflows.deploy(workflowId)),
    ];
    assert.deepEqual(both, [words, words]);
    assert.equal(discoveries(), 1);
  });

  it('tells code the same sentence of a right, with the reason, and nothing else otherwise', async () => {
    n8n.rights.delete('workflow:list');
    const error: unknown = await client()
      .workflows.list({})
      .catch((thrown: unknown) => thrown);
    const given = forCode(error);
    assert.ok(isServiceError(given, 'forbidden') && isServiceError(error));
    assert.deepEqual(
      [given.message, given.status, given.reason, given.connectionId, given.stack],
      ['The key has no right to list workflows (workflow:list).', 403, error.reason, id, error.stack],
    );
    const other = new Error('other');
    assert.equal(forCode(other), other);
  });

  it('says one line of a page with a stack, without markup', async () => {
    answerTo('GET /workflows', { status: 500, body: errorPage });
    assert.deepEqual(await told(client().workflows.list({})), [
      'The service failed (HTTP 500). The service says: Internal Server Error',
      'Show Log',
    ]);
    answerTo('GET /workflows', { status: 200, body: errorPage });
    assert.deepEqual(await told(client().workflows.list({})), [
      "The service's response couldn't be read: got a web page, perhaps a proxy's sign-in page.",
      'Show Log',
    ]);
  });

  it('says one line of a webhook that failed, without its stack', async () => {
    await world.connections.replaceMcpToken(id, '', { verify: 'never' });
    const workflow = add();
    n8n.activate(workflow);
    workflow.lag = 0;
    const stacktrace = 'Error: no stock\n at Code (/app/code.js:1:1)';
    n8n.passOn = ({ url }, answer) => {
      if (!url.startsWith('/webhook/')) return answer;
      n8n.executions.clear();
      return { status: 500, body: { code: 0, message: 'Error in workflow', stacktrace } };
    };
    assert.deepEqual(await told(client().workflows.execute(workflow.id, {})), [
      'The service failed (HTTP 500). The service says: Error in workflow',
      'Show Log',
    ]);
  });

  for (const status of [401, 403])
    for (const [what, mcpToken, input, words, button] of [
      ['without a token', '', {}, 'add the MCP token of your n8n', ['Add MCP Token…']],
      ['that MCP may not execute yet', recordedToken, {}, 'Switch on "Available in MCP"', []],
      [
        'with what MCP does not take',
        recordedToken,
        { body: {}, query: { a: [1] } },
        "can't hand over this",
        [],
      ],
    ] as const)
      it(`names the webhook's own authentication after ${status}, not the key, ${what}, and sends it nothing of ours`, async () => {
        await world.connections.replaceMcpToken(id, mcpToken, { verify: 'never' });
        const workflow = add({ settings: {} });
        n8n.activate(workflow);
        workflow.lag = 0;
        n8n.webhookAnswer = { status, body: 'Authorization data is wrong!', mediaType: 'text/plain' };
        const [message = '', ...buttons] = await told(client().workflows.execute(workflow.id, input));
        assert.match(message, /^The workflow's Webhook node requires authentication of its own/);
        assert.ok(message.includes(words), message);
        assert.doesNotMatch(message, /API key|Authorization data/);
        assert.deepEqual(buttons, button);
        assert.equal(troubleOf(), undefined);
        const calls = n8n.requests.filter(({ url }) => url.startsWith('/webhook/'));
        assert.equal(calls.length, 1);
        for (const { headers, text, url } of calls) {
          for (const name of ['x-n8n-api-key', 'authorization', 'cookie'])
            assert.equal(headers[name], undefined);
          const sent = JSON.stringify([headers, text, url]);
          assert.ok(!sent.includes(recordedKey) && !sent.includes(recordedToken), sent);
        }
      });

  for (const [sentence, path] of [
    ['Workflow cannot be activated because it has no trigger node.', ''],
    ['Unrecognized node type: x.say', 'nodes.1.type'],
    ['Node "Say": Missing or invalid required parameters: "Text"', 'nodes.1.name'],
  ] as const)
    it(`says n8n's sentence at the node that it names: ${sentence}`, async () => {
      const workflow = add();
      answerTo('/activate', { status: 400, body: { message: sentence } });
      const call = client().workflows.deploy(workflow.id);
      const place = path === '' ? '' : `${path}: `;
      assert.deepEqual(await told(call), [`The service didn't accept this. ${place}${sentence}`]);
      await assert.rejects(
        call,
        (error) =>
          isServiceError(error, 'invalid') &&
          error.reason.kind === 'invalid' &&
          error.reason.details[0]?.path === path &&
          error.reason.details[0].message === sentence,
      );
    });

  it('says where a refused save has its fault', async () => {
    const workflow = add();
    const nodes = [webhook, { ...say, later: 1 }];
    assert.deepEqual(await told(client().workflows.update(workflow.id, { nodes })), [
      'The service didn\'t accept this. nodes.1.later: n8n\'s API takes no "later" of a node. Edit this workflow in n8n itself.',
    ]);
    assert.deepEqual(n8n.workflows.get(workflow.id)?.nodes, [webhook, say]);
  });
});
