// What a mask leaves of an input and of a response, and what it logs about it (contract section 10, "Masks").
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { call, chain, createDeployed, execute, follow, runToEnd, textAt } from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;
const answerWarning = 'The response contains values of secrets, which are replaced with ***.';
const inputWarning = 'The input contains values of secrets, which are replaced with ***.';

describe('A mask', () => {
  let service: TestService;
  const servers = new HearingServers();
  before(async () => {
    const current = new SecretsKey('a key of thirty-two characters or more');
    service = await createTestService({ requestsPerMinute: 10_000, secretsKeys: { current, old: [] } });
    const values = ['000000', 'false,', '":{"id"', '202601', '123456', 'sekret-value-1'];
    for (const [index, value] of values.entries()) await service.secrets.set(`WEAK_${index}`, value);
  });
  afterEach(() => servers.close());
  after(() => service.dispose());

  const ask = async (answer: string, type = 'application/json') => {
    const { origin, heard } = await servers.serve(
      (response) => void response.writeHead(200, { 'Content-Type': type }).end(answer),
    );
    const run = await runToEnd(
      service,
      chain(
        start,
        ['ask', 'httpRequest', { url: origin }],
        [
          'send',
          'httpRequest',
          { method: 'POST', url: origin, body: { total: '{{ nodes.ask.body.total }}' } },
        ],
        ['end', 'output', { expression: 'nodes.ask.body' }],
      ),
    );
    const said = (id: string): readonly string[] =>
      run.rows
        .filter(({ nodeId, level }) => nodeId === id && level === 'warn')
        .map((row) => textAt(row, 'message'));
    return { output: run.result['output'], sent: heard[1]?.body, said };
  };

  it('keeps the structure and the numbers of a response that contains values', async () => {
    for (const answer of [
      '{"amount":1000000,"total":5}',
      '{"done":false,"total":5}',
      '{"total":5,"a":{"id":7}}',
      '{"total":5,"since":20260131,"phone":491234567}',
    ]) {
      const { output, sent, said } = await ask(answer);
      assert.deepEqual(output, JSON.parse(answer), answer);
      assert.equal(sent, '{"total":5}');
      assert.deepEqual(said('ask'), []);
    }
  });

  it('logs that it changed a response', async () => {
    const { output, said } = await ask('{"total":123456,"name":"a sekret-value-1 b"}');
    assert.deepEqual(output, { total: '***', name: 'a *** b' });
    assert.deepEqual(said('ask'), [answerWarning]);
    const { output: text } = await ask('a sekret-value-1 b', 'text/plain');
    assert.equal(text, 'a *** b');
  });

  it('logs once that it changed the input, or a pinned output', async () => {
    const definition = chain(
      start,
      ['a', 'transform', { expression: 'input' }],
      ['b', 'output', { expression: 'input' }],
    );
    const workflowId = await createDeployed(service, definition);
    const warnings = async (executionId: string) => {
      const rows = await follow(service, executionId);
      return rows
        .filter(({ level }) => level === 'warn')
        .map((row) => [textAt(row, 'nodeId'), textAt(row, 'message')]);
    };
    const changed = await execute(service, workflowId, { is: 'my sekret-value-1' });
    assert.deepEqual(await warnings(changed), [['start', inputWarning]]);
    const { body } = await call(service, 'GET', `/v1/executions/${changed}`);
    assert.deepEqual(body['input'], { is: 'my ***' });
    assert.deepEqual(await warnings(await execute(service, workflowId, { is: 1_000_000 })), []);
    const draft = async (pinned: JsonObject) => {
      const path = `/v1/workflows/${workflowId}/draft-executions`;
      const answer = await call(service, 'POST', path, { input: {}, pinned });
      return textAt(answer.body, 'executionIds', 0);
    };
    assert.deepEqual(await warnings(await draft({ a: { is: 'sekret-value-1' } })), [['start', inputWarning]]);
    assert.deepEqual(await warnings(await draft({ a: { is: 1 } })), []);
  });

  it('leaves the id of a pinned node, which does not run though a secret has the same value', async () => {
    await service.secrets.set('USER', 'postgres');
    const workflowId = await createDeployed(
      service,
      chain(
        start,
        ['postgres', 'transform', { expression: '"ran"' }],
        ['end', 'output', { expression: 'nodes.postgres' }],
      ),
    );
    const path = `/v1/workflows/${workflowId}/draft-executions`;
    const answer = await call(service, 'POST', path, {
      input: {},
      pinned: { postgres: 'a sekret-value-1 b' },
    });
    const id = textAt(answer.body, 'executionIds', 0);
    await follow(service, id);
    const { body } = await call(service, 'GET', `/v1/executions/${id}/output`);
    assert.equal(body['output'], 'a *** b');
  });

  it('masks long inputs, responses and events', async () => {
    const long = 'x'.repeat(300_000);
    const { output, said } = await ask(JSON.stringify({ long, value: 'sekret-value-1' }));
    assert.deepEqual(output, { long, value: '***' });
    assert.deepEqual(said('ask'), [answerWarning]);
    const workflowId = await createDeployed(service, chain(start, ['b', 'output', { expression: 'input' }]));
    const executionId = await execute(service, workflowId, { long, value: 'sekret-value-1' });
    await follow(service, executionId);
    const { text } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
    assert.ok(text.includes('"value":"***"') && !text.includes('sekret'), text.slice(-200));
    const sent = await call(service, 'POST', '/v1/portal/events', {
      type: 'long',
      data: { long, value: 'sekret-value-1' },
    });
    assert.equal(sent.status, 202);
    const events = await call(service, 'GET', '/v1/portal/events?limit=1');
    assert.ok(events.text.includes('"value":"***"') && !events.text.includes('sekret'));
  });
});
