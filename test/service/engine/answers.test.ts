// HTTP request nodes of a draft get answers instead of sending their requests; all else of them happens (contract section 9).
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { createTestService } from '../../support/service.ts';
import { assertRefused, at, call, follow, textAt } from '../calls.ts';
import { edge, end, start } from './callingDefinitions.ts';
import { useCallingService } from './callingService.ts';

const quick = { maximumAttempts: 3, initialDelayMs: 1 };

describe('The answers of a draft', () => {
  const { server, service, ask, line, loop, get, askRetry } = useCallingService({
    secretsKeys: { current: new SecretsKey('a key of thirty-two characters or more'), old: [] },
  });

  const create = async (definition: JsonObject) =>
    textAt((await call(service, 'POST', '/v1/workflows', definition)).body, 'id');
  const askDraft = (workflowId: string, body?: JsonObject) =>
    call(service, 'POST', `/v1/workflows/${workflowId}/draft-executions`, body);
  const read = async (executionId: string) => {
    const rows = await follow(service, executionId);
    const { body } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
    const ends = rows.filter(
      (row) => row['nodeType'] === 'httpRequest' && row['completedAt'] !== null && row['request'],
    );
    return { executionId, rows, ends, output: body['output'], error: body['error'], status: body['status'] };
  };
  const draft = async (definition: JsonObject, body: JsonObject) => {
    const answer = await askDraft(await create(definition), body);
    assert.equal(answer.status, 202, answer.text);
    return read(textAt(answer.body, 'executionIds', 0));
  };
  /** One node, whose output is the execution's. */
  const single = (config: JsonObject, more: JsonObject = {}, expression = 'nodes.call'): JsonObject => ({
    name: 'Single',
    nodes: [start, { id: 'call', type: 'httpRequest', config, ...more }, end(expression)],
    edges: [edge('start', 'call'), edge('call', 'end')],
  });
  const statuses = (ends: readonly JsonObject[]): readonly (JsonValue | undefined)[] =>
    ends.map((row) => at(row, 'response', 'status'));

  it('are given in order, so that a retry can be tested, and nothing is sent', async () => {
    const headers = { 'Content-Type': 'text/plain', 'retry-after': '1' };
    const config = { url: `${server.origin}/x`, method: 'POST', body: { word: '{{ input.word }}' } };
    const { ends, output, status, rows } = await draft(single(config, { retry: quick }), {
      input: { word: 'hello' },
      answers: {
        call: [
          { status: 503, headers, body: 'busy' },
          { status: 200, body: { id: 7 } },
        ],
      },
    });
    assert.deepEqual([status, server.take()], ['completed', {}]);
    assert.deepEqual(output, { status: 200, headers: {}, body: { id: 7 } });
    const request = {
      method: 'POST',
      url: `${server.origin}/x`,
      headers: { 'Content-Type': 'application/json' },
      body: { word: 'hello' },
    };
    assert.deepEqual(
      ends.map(({ attempt, answered, request: sent, response }) => [attempt, answered, sent, response]),
      [
        [1, true, request, { status: 503, headers, body: 'busy' }],
        [2, true, request, { status: 200, headers: {}, body: { id: 7 } }],
      ],
    );
    assert.equal(at(ends[0], 'error', 'code'), 'http_status');
    const lines = rows.filter(({ nodeId }) => nodeId === 'call').map(({ message }) => message);
    assert.ok(lines.includes(`POST ${server.origin}/x isn't sent, because the draft answers it.`));
    assert.ok(lines.includes(`POST ${server.origin}/x answered 200, as the draft says.`));
  });

  it('have headers with the names of a response in the output', async () => {
    const config = { url: server.origin };
    const { output } = await draft(single(config, {}, 'nodes.call.headers."x-count"'), {
      answers: { call: [{ status: 204, headers: { 'X-Count': '2' } }] },
    });
    assert.equal(output, '2');
  });

  for (const [error, code, message] of [
    ['timeout', 'request_timed_out', /did not respond within 10000 ms/],
    ['unreachable', 'request_failed', /could not be reached: that is the draft's answer/],
  ] as const)
    it(`can be a ${error}, which takes the error branch at once`, async () => {
      const definition = {
        name: 'Branch',
        nodes: [start, ask('call', '/x'), end('nodes.call.error.code')],
        edges: [edge('start', 'call'), edge('call', 'end', 'error')],
      };
      const { ends, output, status } = await draft(definition, { answers: { call: [{ error }] } });
      assert.deepEqual([status, output, server.take()], ['completed', code, {}]);
      assert.match(textAt(ends[0] ?? {}, 'error', 'message'), message);
      assert.equal(ends[0]?.['answered'], true);
      assert.equal(ends[0]['response'], undefined);
    });

  it('go on over iterations, the last one again and again, and other nodes send', async () => {
    const { ends, status } = await draft(loop(), {
      answers: { a: [{ status: 200 }, { status: 201 }, { status: 202 }] },
    });
    assert.equal(status, 'completed');
    const ofA = ends.filter(({ nodeId }) => nodeId === 'a');
    assert.deepEqual(statuses(ofA), [200, 201, ...Array.from({ length: 8 }, () => 202)]);
    const sent = server.take();
    assert.deepEqual([sent['/a0'], sent['/b0'], sent['/after']], [undefined, 1, 1]);
    for (const row of ends.filter(({ nodeId }) => nodeId !== 'a')) assert.ok(!('answered' in row));
  });

  it('are checked for what is expected, and too large ones fail', async () => {
    const config = { url: server.origin, expectedStatus: [404], maximumBytes: 10 };
    const fits = await draft(single(config), { answers: { call: [{ status: 404, body: 'none' }] } });
    assert.equal(fits.status, 'completed');
    const large = await draft(single(config), { answers: { call: [{ status: 404, body: 'x'.repeat(11) }] } });
    assert.equal(at(large.error, 'code'), 'response_too_large');
    const other = await draft(single(config), { answers: { call: [{ status: 200 }] } });
    assert.equal(at(other.error, 'code'), 'http_status');
  });

  it('keep what fails before anything is sent', async () => {
    const empty = single({ url: `${server.origin}/{{ input.none }}` });
    const { error, rows } = await draft(empty, { answers: { call: [{ status: 200 }] } });
    assert.equal(at(error, 'code'), 'template_empty');
    assert.ok(rows.every((row) => !('answered' in row)));
  });

  it('continue in a retry where the execution ended, and are stored once', async () => {
    const answers = { call: [{ status: 503 }, { status: 500 }, { status: 200, body: 'x'.repeat(100_000) }] };
    const failed = await draft(single({ url: server.origin }), { answers });
    assert.deepEqual([failed.status, statuses(failed.ends)], ['failed', [503]]);
    const retryOf = async (id: string) => read(textAt((await askRetry(id)).body, 'executionIds', 0));
    const second = await retryOf(failed.executionId);
    const third = await retryOf(second.executionId);
    assert.deepEqual([statuses(second.ends), statuses(third.ends)], [[500], [200]]);
    assert.deepEqual(
      [third.status, (await get(third.executionId))['kind'], server.take()],
      ['completed', 'draft', {}],
    );
    const plan = (await service.store.records.getSource(third.executionId))?.plan;
    assert.deepEqual([plan?.answers, plan?.pinnedIn], [{}, failed.executionId]);
  });

  it('are given to a node that runs alone, and not to a pinned one', async () => {
    const answers = { a: [{ status: 418 }], b: [{ status: 200, body: { path: 'answered' } }] };
    const workflowId = await create(line());
    const alone = await read(
      textAt((await askDraft(workflowId, { only: 'b', answers })).body, 'executionIds', 0),
    );
    assert.equal(at(alone.output, 'body', 'path'), 'answered');
    const pinned = await read(
      textAt((await askDraft(workflowId, { until: 'b', pinned: { a: 1 }, answers })).body, 'executionIds', 0),
    );
    assert.deepEqual([pinned.status, server.take()], ['completed', {}]);
  });

  for (const id of ['__proto__', 'constructor'])
    it(`are found for a node "${id}"`, async () => {
      const definition = {
        name: 'Odd',
        nodes: [start, ask(id, '/odd')],
        edges: [edge('start', id)],
      };
      const body = parseJson(`{"answers":{"${id}":[{"status":200}]}}`);
      const { status } = await draft(definition, isJsonObject(body) ? body : assert.fail());
      assert.deepEqual([status, server.take()], ['completed', {}]);
    });

  it('never contain a secret, and what is sent with one is masked', async () => {
    const secret = 'tok_0123456789';
    await service.secrets.set('TOKEN', secret, ['https://api.example.com']);
    const config = {
      url: 'https://api.example.com/{{ input.id }}',
      headers: { 'X-Key': '{{ secrets.TOKEN }}' },
    };
    const answer = { status: 200, headers: { 'x-echo': secret }, body: { said: `<${secret}>`, id: 7 } };
    const { ends, output, executionId } = await draft(single(config), {
      input: { id: 7 },
      answers: { call: [answer] },
    });
    assert.equal(at(ends[0], 'request', 'headers', 'X-Key'), '***');
    assert.deepEqual(at(output, 'body'), { said: '<***>', id: 7 });
    assert.deepEqual(at(output, 'headers'), { 'x-echo': '***' });
    const plan = (await service.store.records.getSource(executionId))?.plan;
    assert.ok(!JSON.stringify(plan).includes(secret));
    const elsewhere = single({ ...config, url: server.origin });
    const refused = await draft(elsewhere, { answers: { call: [answer] } });
    assert.deepEqual([at(refused.error, 'code'), server.take()], ['secret_refused', {}]);
  });

  it('do not allow a private address that the service refuses, and no name is looked up', async () => {
    const strict = await createTestService({ requestsPerMinute: 10_000, refusesPrivateAddresses: true });
    const codeOf = async (url: string) => {
      const definition = single({ url });
      const workflow = await call(strict, 'POST', '/v1/workflows', definition);
      const path = `/v1/workflows/${textAt(workflow.body, 'id')}/draft-executions`;
      const { body } = await call(strict, 'POST', path, { answers: { call: [{ status: 200 }] } });
      const id = textAt(body, 'executionIds', 0);
      await follow(strict, id);
      return at((await call(strict, 'GET', `/v1/executions/${id}`)).body, 'error', 'code');
    };
    assert.equal(await codeOf(server.origin), 'address_refused');
    assert.equal(await codeOf('https://nowhere.invalid/x'), undefined);
    await strict.dispose();
  });

  it('are refused with a clear error before anything runs', async () => {
    const workflowId = await create(loop());
    const shape =
      'must have a "status" from 100 to 599, with "headers" of texts and a "body" where it has them, or be {"error": "timeout"} or {"error": "unreachable"}';
    const some = [{ status: 200 }];
    const refusals: readonly (readonly [JsonValue, string])[] = [
      [[], 'answers must be an object.'],
      [{ nowhere: some }, "answers.nowhere isn't a node of the definition."],
      [{ each: some }, 'answers.each is a forEach node, and only an httpRequest node can be answered.'],
      [{ a: {} }, 'answers.a must be a list of answers.'],
      [{ a: [] }, 'answers.a must have an answer.'],
      [
        { a: Array.from({ length: 1001 }, () => some[0] ?? {}) },
        'answers.a must have at most 1,000 answers.',
      ],
      [{ a: [...some, { status: 99 }] }, 'answers.a.1.status must be a whole number from 100 to 599.'],
      [{ a: [{ status: 200.5 }] }, 'answers.a.0.status must be a whole number from 100 to 599.'],
      [{ a: [{ error: 'refused' }] }, `answers.a.0 ${shape}.`],
      [{ a: [{ status: 200, headers: { a: 1 } }] }, `answers.a.0 ${shape}.`],
      [{ a: ['200'] }, `answers.a.0 ${shape}.`],
    ];
    for (const [answers, message] of refusals) {
      const answer = await askDraft(workflowId, { answers });
      assertRefused(answer, 422, 'validation_failed');
      assert.equal(at(answer.body, 'error', 'message'), message);
      assert.equal(at(answer.body, 'error', 'details', 0, 'message'), message.replace(/^\S+ (.*)\.$/s, '$1'));
    }
    assert.deepEqual(server.take(), {});
  });
});
