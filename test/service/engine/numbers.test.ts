// Numbers keep their digits from the input to the output (contract section 10).
import assert from 'node:assert/strict';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../src/base/json.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { longNumbers, typed } from '../../support/digits.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, call, chain, createDeployed, execute, follow, type Run, runToEnd, textAt } from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;
const numbers = longNumbers;
const list = `[${numbers.join(',')}]`;

const written = (value: JsonValue | undefined): string => stringifyJson(value);

describe('Numbers with more digits than JavaScript holds', () => {
  let service: TestService;
  const servers = new HearingServers();
  before(async () => {
    service = await createTestService({
      requestsPerMinute: 10_000,
      secretsKeys: { current: new SecretsKey('a key of thirty-two characters or more'), old: [] },
    });
  });
  afterEach(() => servers.close());
  after(() => service.dispose());

  /** Serves JSON. */
  const serve = (body: string) =>
    servers.serve(
      (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
    );
  const warnings = ({ rows }: Run, nodeId: string) =>
    rows.filter((row) => row['nodeId'] === nodeId && row['level'] === 'warn').map((row) => row['message']);

  it('come out as they came in: in details, output, node log and its stream', async () => {
    const { executionId, result, rows } = await runToEnd(
      service,
      chain(start, ['answer', 'output', { expression: 'input' }]),
      typed(`{"list":${list}}`),
    );
    assert.equal(written(result['output']), `{"list":${list}}`);
    for (const part of ['', '/output', '/logs'])
      assert.ok(
        (await call(service, 'GET', `/v1/executions/${executionId}${part}`)).text.includes(list),
        part,
      );
    assert.ok(
      rows.every(
        (row) => !('output' in row) || row['output'] === null || written(row['output']).includes(list),
      ),
    );
  });

  it('come out as they came in through each way that an expression can name them', async () => {
    const config = {
      expression: 'input.orders[0].id',
    };
    const input = typed(
      `{"orders":[{"id":9007199254740993,"a b":1e400},{"id":9007199254740995,"a b":2}],"one":{"a b":9007199254740993}}`,
    );
    const names = {
      'input.orders[0].id': '9007199254740993',
      'input.orders[-1].id': '9007199254740995',
      'input.orders.id': '[9007199254740993,9007199254740995]',
      'input.orders.`a b`': '[1e400,2]',
      'input.one."a b"': '9007199254740993',
      'input.one["a b"]': '{"a b":9007199254740993}',
      '$$.input.one': '{"a b":9007199254740993}',
      'nodes.first': '9007199254740993',
      ' input.orders[1] ': '{"id":9007199254740995,"a b":2}',
    };
    for (const [expression, expected] of Object.entries(names)) {
      const run = await runToEnd(
        service,
        chain(
          start,
          ['first', 'transform', config],
          ['then', 'transform', { expression }],
          ['answer', 'output', { expression: 'nodes.then' }],
        ),
        input,
      );
      assert.equal(written(run.result['output']), expected, expression);
      assert.deepEqual(warnings(run, 'then'), [], expression);
    }
  });

  it('are sent and received unchanged in an address, a header and a body, and recorded so', async () => {
    const { origin, heard } = await serve(`{"id":-12345678901234567890,"rate":0.1234567890123456789}`);
    const node = {
      method: 'POST',
      url: `${origin}/orders/{{ input.id }}`,
      headers: { 'X-Id': '{{ input.id }}' },
      body: { id: '{{ input.id }}', text: 'Order {{ input.id }}', all: '{{ input }}' },
    };
    const definition = typed(
      stringifyJson(
        chain(start, ['call', 'httpRequest', node], ['answer', 'output', { expression: 'nodes.call.body' }]),
      ).replace('"id":"{{ input.id }}"', '"id":"{{ input.id }}","own":9007199254740995'),
    );
    const { result, rows } = await runToEnd(service, definition, typed('{"id":9007199254740993}'));
    const [request] = heard;
    assert.equal(request?.url, '/orders/9007199254740993');
    assert.equal(request.headers['x-id'], '9007199254740993');
    const body =
      '{"id":9007199254740993,"own":9007199254740995,"text":"Order 9007199254740993","all":{"id":9007199254740993}}';
    assert.equal(request.body, body);
    assert.equal(written(result['output']), '{"id":-12345678901234567890,"rate":0.1234567890123456789}');
    const end = rows.findLast(({ nodeId }) => nodeId === 'call');
    assert.equal(written(at(end, 'request', 'body')), body);
    assert.equal(
      written(at(end, 'response', 'body')),
      '{"id":-12345678901234567890,"rate":0.1234567890123456789}',
    );
  });

  it('keep their digits through a loop, a portal event and a log line', async () => {
    const definition: JsonObject = {
      name: 'Loop',
      nodes: [
        { id: 'start', type: 'trigger', name: 'Start', config: {} },
        { id: 'each', type: 'forEach', name: 'Each', config: { items: 'input.list' } },
        { id: 'say', type: 'log', name: 'Say', config: { message: 'Got {{ item }}' } },
        {
          id: 'tell',
          type: 'portalEvent',
          name: 'Tell',
          config: { type: 'got', data: { id: '{{ item }}' } },
        },
        { id: 'same', type: 'transform', name: 'Same', config: { expression: 'item' } },
        { id: 'answer', type: 'output', name: 'Answer', config: { expression: 'nodes.each' } },
      ],
      edges: [
        { source: 'start', target: 'each' },
        { source: 'each', target: 'say', branch: 'each' },
        { source: 'say', target: 'tell' },
        { source: 'tell', target: 'same' },
        { source: 'each', target: 'answer', branch: 'done' },
      ],
    };
    const run = await runToEnd(service, definition, typed(`{"list":${list}}`));
    assert.equal(written(run.result['output']), list);
    assert.deepEqual(
      run.rows.flatMap((row) =>
        row['nodeId'] === 'say' && typeof row['output'] === 'string' ? [row['output']] : [],
      ),
      numbers.map((number) => `Got ${number}`),
    );
    const { text } = await call(
      service,
      'GET',
      `/v1/portal/events?type=portal.got&workflowId=${run.workflowId}`,
    );
    for (const number of numbers) assert.ok(text.includes(`"id":${number}`), number);
    assert.deepEqual(
      run.rows.filter(({ level }) => level === 'warn'),
      [],
    );
  });

  it('leave null unchanged, beside them and in a loop', async () => {
    const config = { items: '[{ "a": null }, null]', result: '[item, item, $type(item)]' };
    const definition: JsonObject = {
      name: 'Nulls',
      nodes: [
        { id: 'start', type: 'trigger', name: 'Start', config: {} },
        { id: 'each', type: 'forEach', name: 'Each', config },
        { id: 'same', type: 'transform', name: 'Same', config: { expression: '[item, item]' } },
      ],
      edges: [
        { source: 'start', target: 'each' },
        { source: 'each', target: 'same', branch: 'each' },
      ],
    };
    const { result } = await runToEnd(service, definition);
    assert.equal(result['status'], 'completed', written(result));
  });

  it('keep their digits in a definition, in pins and in a retry', async () => {
    const text = `{"name":"Digits","nodes":[{"id":"start","type":"trigger","name":"S","config":{}},{"id":"stop","type":"fail","name":"F","config":{"message":"No","note":9007199254740993}}],"edges":[{"source":"start","target":"stop"}],"settings":{"id":1e400}}`;
    const workflowId = await createDeployed(service, typed(text));
    const { text: stored } = await call(service, 'GET', `/v1/workflows/${workflowId}`);
    assert.ok(stored.includes('"note":9007199254740993') && stored.includes('{"id":1e400}'), stored);
    const first = await execute(service, workflowId, typed(`{"list":${list}}`));
    await follow(service, first);
    const retried = await call(service, 'POST', `/v1/executions/${first}/retry`, {});
    const second = textAt(retried.body, 'executionIds', 0);
    const rows = await follow(service, second);
    assert.equal(
      written(
        at(
          rows.find((row) => 'reusedFrom' in row && row['reusedFrom'] !== null),
          'output',
          'list',
        ),
      ),
      list,
    );
    const drafted = await call(
      service,
      'POST',
      `/v1/workflows/${workflowId}/draft-executions`,
      `{"input":{"list":${list}},"pinned":{"stop":{"id":9007199254740993}}}`,
    );
    assert.equal(drafted.status, 202, drafted.text);
    const draft = textAt(drafted.body, 'executionIds', 0);
    const pinned = (await follow(service, draft)).find((row) => row['pinned'] === true);
    assert.equal(written(pinned?.['output']), '{"id":9007199254740993}');
  });

  it('are distinguished in a repeated request', async () => {
    const id = await createDeployed(service, chain(start));
    const send = (number: string) =>
      call(service, 'POST', `/v1/workflows/${id}/execute`, `{"input":{"id":${number}}}`, {
        'Idempotency-Key': 'digits',
      });
    assert.equal((await send('9007199254740993')).status, 202);
    assert.equal((await send('9007199254740993')).status, 202);
    assert.equal((await send('9007199254740992')).status, 409);
  });

  it('are computed with as the nearest numbers, which is logged once with their places', async () => {
    const expression =
      '{ "id": input.id, "next": input.id + 1, "rate": $sum(input.rates), "name": input.name }';
    const run = await runToEnd(
      service,
      chain(start, ['sum', 'transform', { expression }], ['answer', 'output', { expression: 'nodes.sum' }]),
      typed('{"id":9007199254740993,"unread":9007199254740995,"rates":[0.1234567890123456789,1],"name":"A"}'),
    );
    assert.deepEqual(run.result['output'], {
      id: 9007199254740992,
      next: 9007199254740992,
      rate: 0.12345678901234568 + 1,
      name: 'A',
    });
    assert.deepEqual(warnings(run, 'sum'), [
      'Expressions compute with the nearest number. They read input.id, which is 9007199254740993, as 9007199254740992; ' +
        'input.rates[0], which is 0.1234567890123456789, as 0.12345678901234568.',
    ]);
    assert.deepEqual(warnings(run, 'answer'), []);
  });

  it('are reported if an expression itself contains one, and if a node fails that computes with one', async () => {
    const literal = await runToEnd(
      service,
      chain(start, ['sum', 'transform', { expression: '[9007199254740993, 2]' }]),
    );
    assert.deepEqual(warnings(literal, 'sum'), [
      'Expressions compute with the nearest number. They read 9007199254740993 as 9007199254740992.',
    ]);
    const failed = await runToEnd(
      service,
      chain(start, ['sum', 'transform', { expression: '$uppercase(input.`a b`)' }]),
      typed('{"a b":9007199254740993}'),
    );
    assert.equal(failed.result['status'], 'failed');
    assert.deepEqual(warnings(failed, 'sum'), [
      'Expressions compute with the nearest number. They read input.`a b`, which is 9007199254740993, as 9007199254740992.',
    ]);
  });

  it('are hidden where they equal a secret, and stay unchanged elsewhere', async () => {
    await service.secrets.set('NUMBER', '9007199254740993');
    const run = await runToEnd(
      service,
      chain(start, ['answer', 'output', { expression: 'input' }]),
      typed('{"a":9007199254740993,"b":9007199254740995}'),
    );
    assert.equal(written(run.result['output']), '{"a":"***","b":9007199254740995}');
  });

  it('fail a loop over a list with a value that is not a number in JSON', async () => {
    const definition = {
      name: 'Loop',
      nodes: [
        { id: 'start', type: 'trigger', name: 'Start', config: {} },
        { id: 'each', type: 'forEach', name: 'Each', config: { items: '[1, 1/0]' } },
        { id: 'same', type: 'transform', name: 'Same', config: { expression: 'item' } },
      ],
      edges: [
        { source: 'start', target: 'each' },
        { source: 'each', target: 'same', branch: 'each' },
      ],
    };
    const { result } = await runToEnd(service, definition);
    assert.equal(
      at(result, 'error', 'message'),
      'The expression "[1, 1/0]" gave Infinity, which isn\'t a number in JSON.',
    );
  });
});

describe('A result that is not a number in JSON', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  const failing: readonly (readonly [type: string, config: JsonObject])[] = [
    ['transform', { expression: '1/0' }],
    ['transform', { expression: "{'rate': 1/0}" }],
    ['transform', { expression: "{'rates': [1, -1/0]}" }],
    ['transform', { expression: "{'rate': 0/0}" }],
    ['transform', { expression: "$string({'rate': 1/0})" }],
    ['output', { expression: "{'rate': 1/0}" }],
    ['log', { message: 'The rate is {{ 1/0 }}' }],
    ['fail', { message: 'The rate is {{ 1/0 }}' }],
    ['portalEvent', { type: 'x', data: { rate: '{{ 1/0 }}' } }],
    ['delay', { milliseconds: '{{ 1/0 }}' }],
    ['httpRequest', { url: 'http://127.0.0.1:1/', body: { rate: '{{ 1/0 }}' } }],
  ];
  for (const [type, config] of failing)
    it(`fails a ${type} node with ${stringifyJson(config)}`, async () => {
      const { result } = await runToEnd(service, chain(start, ['broken', type, config]));
      assert.equal(result['status'], 'failed');
      assert.equal(at(result, 'error', 'code'), 'expression_failed', stringifyJson(result));
      assert.match(textAt(result, 'error', 'message'), /(Infinity|NaN), which isn't a number in JSON\.$/);
    });
});
