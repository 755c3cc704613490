// The editor says of a definition what the local service says when it's deployed: neither more nor less, whatever the author wrote.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkText } from '../../src/definition/checkText.ts';
import { writePath } from '../../src/definition/faultList.ts';
import { at, call, listAt, textAt } from '../service/calls.ts';
import { tries } from '../support/properties.ts';
import { createTestService, type TestService } from '../support/service.ts';

const ids = fc.constantFrom('start', 'a', 'b', 'c', 'd', 'no', 'a-b', '');
const types = fc.constantFrom(
  ...['trigger', 'transform', 'condition', 'forEach', 'httpRequest', 'delay', 'log', 'portalEvent', 'fail'],
  ...['output', 'teleport', ''],
);
const expressions = fc.constantFrom('input', '1 +', '(', '', 'nodes.a.x', '$f(', '"', 'a b', '\n[1');
const templates = fc.constantFrom('Hi', '{{ input }}', '{{ ( }}', 'x {{ 1 + }} y {{ a b }}', '{{', '{{}}}}');
const config = fc.record(
  {
    expression: fc.oneof(expressions, fc.constant(5)),
    items: expressions,
    result: expressions,
    message: templates,
    url: templates,
    headers: fc.dictionary(
      fc.constantFrom('x', 'a.b', '0', '__proto__'),
      fc.oneof(templates, fc.constant([])),
    ),
    body: fc.oneof(templates, fc.array(templates, { maxLength: 2 })),
    milliseconds: fc.constantFrom(0, -1, 1.5, '{{ 1 }}', '{{ ) }}'),
    type: fc.constantFrom('mail', 'no mail'),
    expectedStatus: fc.array(fc.constantFrom(200, 'x', 5), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const node = fc.record(
  {
    id: fc.oneof({ weight: 20, arbitrary: ids }, { weight: 1, arbitrary: fc.constant(5) }),
    type: fc.oneof({ weight: 20, arbitrary: types }, { weight: 1, arbitrary: fc.constant(null) }),
    name: fc.constantFrom('Name', ''),
    config: fc.oneof({ weight: 20, arbitrary: config }, { weight: 1, arbitrary: fc.constant([]) }),
    retry: fc.constantFrom({}, { maximumAttempts: 0 }, 5),
  },
  { requiredKeys: ['id', 'type'] },
);
const edge = fc.record(
  {
    source: fc.oneof({ weight: 20, arbitrary: ids }, { weight: 1, arbitrary: fc.constant(5) }),
    target: ids,
    branch: fc.constantFrom('true', 'each', 'done', true, null, 5),
  },
  { requiredKeys: ['target'] },
);
/** Mostly right, so that what is wrong deeper down is reached too. */
const chains = fc
  .record({ types: fc.array(types, { maxLength: 3 }), config, more: fc.array(edge, { maxLength: 3 }) })
  .map((made) => {
    const inner = made.types.map((type, index) => ({
      id: `n${index}`,
      type,
      config: {
        expression: '1',
        items: '[1]',
        message: '',
        url: 'x',
        milliseconds: 1,
        type: 'x',
        ...made.config,
      },
    }));
    const nodes = [{ id: 'start', type: 'trigger' }, ...inner];
    const edges = inner.map(({ id }, index) => ({ source: nodes[index]?.id, target: id }));
    return { name: 'Chain', nodes, edges: [...edges, ...made.more] };
  });
const anything = fc.record(
  {
    name: fc.constant('Any'),
    nodes: fc.array(node, { maxLength: 5 }),
    edges: fc.array(edge, { maxLength: 6 }),
  },
  { requiredKeys: ['name'] },
);

describe('A definition, checked while it is written and when it is deployed', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 1_000_000, sandbox: { checkDeadlineMs: 60_000 } });
  });
  after(() => service.dispose());

  it('has the same faults', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(chains, anything), async (definition) => {
        const text = JSON.stringify(definition);
        const created = await call(service, 'POST', '/v1/workflows', text);
        assert.equal(created.status, 201, created.text);
        const answer = await call(service, 'POST', `/v1/workflows/${textAt(created.body, 'id')}/deploy`);
        const found = checkText(text, 'local');
        assert.ok(found);
        // Nothing is refused for a warning.
        const own = found.faults
          .filter(({ isWarning }) => isWarning !== true)
          .map(({ path, message }) => ({ path: writePath(path), message }));
        if (answer.status === 200) {
          assert.deepEqual(own, []);
          return;
        }
        refused += 1;
        assert.equal(at(answer.body, 'error', 'code'), 'workflow_invalid', answer.text);
        assert.deepEqual(own, listAt(answer.body, 'error', 'details'));
      }),
      tries(70),
    );
    assert.ok(refused > 50, String(refused));
  });
});
