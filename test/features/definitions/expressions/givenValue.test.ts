// What the definition shows behind its expressions is what the service gave, and nothing where that isn't known.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { ExpressionValues } from '../../../../src/ui/expressions/expressionValues.ts';
import { findGiven } from '../../../../src/features/definitions/expressions/expressionHints.ts';
import type { Evaluator } from '../../../../src/service/sandbox/evaluator.ts';
import { chain } from '../../../service/calls.ts';
import { HearingServers } from '../../../service/engine/hearingServers.ts';
import { createTestService, type TestService } from '../../../support/service.ts';
import { createEvaluator, ran, type RanExecution } from '../../../support/ranExecution.ts';

const { signal } = new AbortController();

const order: JsonObject = {
  name: 'Order',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'each', type: 'forEach', config: { items: 'input.lines', result: 'nodes.price & index' } },
    { id: 'price', type: 'transform', config: { expression: 'item.price * 2' } },
    { id: 'say', type: 'log', config: { message: 'Line {{ index + 1 }}: {{ nodes.price }} of {{ item }}' } },
    { id: 'large', type: 'condition', config: { expression: '$count(nodes.each) > 1' } },
    { id: 'never', type: 'transform', config: { expression: '1' } },
    { id: 'refuse', type: 'fail', config: { message: 'No: {{ $keys(nodes) }}' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'price', branch: 'each' },
    { source: 'price', target: 'say' },
    { source: 'each', target: 'large', branch: 'done' },
    { source: 'large', target: 'never', branch: false },
    { source: 'large', target: 'refuse', branch: true },
  ],
};
const input = { lines: [{ price: 2 }, { price: 5 }] };

describe('behind an expression stands', () => {
  let service: TestService;
  let evaluator: Evaluator;
  let values: ExpressionValues;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
    evaluator = createEvaluator();
    values = new ExpressionValues(evaluator);
  });
  after(async () => {
    evaluator.dispose();
    await service.dispose();
  });

  /** By node and path: what each expression gave; null for nothing. */
  async function givenIn({ text, shown }: RanExecution): Promise<Record<string, string | null>> {
    const places = [...text.byId.values()].flatMap((node) => node.expressions);
    const given: Record<string, string | null> = {};
    for (const place of places) {
      const found = await findGiven(values, shown, place, signal);
      given[`${place.nodeId}.${place.path.join('.')} ${place.part}`] = found?.text ?? null;
    }
    return given;
  }

  it('what it gave, in the first iteration of a loop, and nothing where nothing ran', async () => {
    assert.deepEqual(await givenIn(await ran(service, order, input)), {
      'each.items 0': '[{"price":2},{"price":5}]',
      'each.result 0': '"40"',
      'price.expression 0': '4',
      'say.message 0': '1',
      'say.message 1': '4',
      'say.message 2': '{"price":2}',
      'large.expression 0': 'true',
      'never.expression 0': null,
      'refuse.message 0': '["start","each","large"]',
    });
  });

  it('the item also where it is text that reads as JSON', async () => {
    const loop = {
      name: 'Codes',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'each', type: 'forEach', config: { items: 'input.codes' } },
        { id: 'say', type: 'log', config: { message: 'x{{ item }}{{ $type(item) }}' } },
      ],
      edges: [
        { source: 'start', target: 'each' },
        { source: 'each', target: 'say', branch: 'each' },
      ],
    };
    const given = await givenIn(await ran(service, loop, { codes: ['007', '7', 'true'] }));
    assert.equal(given['say.message 0'], '"007"');
    const other = await givenIn(await ran(service, loop, { codes: ['7'] }));
    assert.deepEqual([other['say.message 0'], other['say.message 1']], ['"7"', '"string"']);
  });

  it('what it saw of a node that failed and led on', async () => {
    const refusing = new HearingServers();
    const { origin } = await refusing.serve((response) => response.writeHead(401).end('Expired.'));
    const definition = {
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'ask', type: 'httpRequest', config: { url: origin } },
        { id: 'stop', type: 'transform', config: { expression: '$error("No.")' } },
        {
          id: 'why',
          type: 'log',
          config: { message: '{{ nodes.ask.error.status }} {{ nodes.ask.error.response.body }}' },
        },
        {
          id: 'end',
          type: 'output',
          config: { expression: '[nodes.stop.error.code, $keys(nodes.stop.error)]' },
        },
      ],
      edges: [
        { source: 'start', target: 'ask' },
        { source: 'ask', target: 'why', branch: 'error' },
        { source: 'why', target: 'stop' },
        { source: 'stop', target: 'end', branch: 'error' },
      ],
    };
    const given = await givenIn(await ran(service, { name: 'Led on', ...definition }));
    refusing.close();
    assert.deepEqual([given['why.message 0'], given['why.message 1']], ['401', '"Expired."']);
    assert.equal(given['end.expression 0'], '["expression_failed","code","message"]');
  });

  it('what was recorded of one that gives something else each time; nothing if nothing was recorded', async () => {
    const definition = chain(
      ['start', 'trigger'],
      ['now', 'transform', { expression: '$millis()' }],
      ['later', 'log', { message: 'It is {{ $millis() }}, it was {{ nodes.now }}' }],
    );
    const { shown, ...rest } = await ran(service, definition);
    const given = await givenIn({ shown, ...rest });
    assert.equal(given['now.expression 0'], JSON.stringify(shown.runOf('now')?.run.output));
    assert.equal(given['later.message 0'], null);
    assert.equal(given['later.message 1'], given['now.expression 0']);
  });

  it('nothing where the text is another one than ran, or what ran is not known', async () => {
    const execution = await ran(service, order, input);
    const [place] = [...execution.text.byId.values()].flatMap((node) => node.expressions);
    assert.ok(place);
    const { shown } = execution;
    assert.equal(await findGiven(values, shown, { ...place, string: `${place.string} ` }, signal), undefined);
    assert.equal(await findGiven(values, { ...shown, ran: undefined }, place, signal), undefined);
  });

  it('the beginning of what is too large to be listed, and nothing of what reads it', async () => {
    const definition = chain(
      ['start', 'trigger'],
      ['many', 'transform', { expression: '[1..80000]' }],
      ['count', 'log', { message: '{{ $count(nodes.many) }}{{ input.a }}{{ $keys(nodes) }}' }],
    );
    const given = await givenIn(await ran(service, definition, { a: 1 }));
    assert.match(given['many.expression 0'] ?? '', /^\[1,2,3,/);
    assert.deepEqual(
      [given['count.message 0'], given['count.message 1'], given['count.message 2']],
      [null, '1', '["start","many"]'],
    );
  });
});
