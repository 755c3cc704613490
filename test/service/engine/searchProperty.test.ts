// A property: what a search finds is what a look at all records finds, whatever is executed, retried, drafted, deleted and added to the index
// meanwhile.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tries } from '../../support/properties.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, call, createDeployed, execute, follow, keepDrafts, listAt, textAt } from '../calls.ts';
import { scannedDefinition, scanRecords } from '../recordScan.ts';
import { idsOf } from '../searching.ts';

const word = fc.string({
  unit: fc.constantFrom('a', 'B', 'ß', '%', '_', '"', '7', '😀'),
  minLength: 1,
  maxLength: 6,
});
const value = fc.oneof(word, fc.constantFrom(77, 7.5, true, null), fc.record({ a7B: word }));
const input = fc.record({ list: fc.array(value, { maxLength: 3 }), fails: fc.boolean() });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('execute' as const), input }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('draft' as const), input }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retry' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('index' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('prune' as const), keep: fc.integer({ min: 0, max: 6 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const query = fc.record({
  q: fc.string({
    unit: fc.constantFrom('a', 'b', 'ß', '%', '_', '"', '7', '.', '😀', 's '),
    minLength: 2,
    maxLength: 4,
  }),
  kind: fc.constantFrom('', 'deployed', 'draft'),
  status: fc.constantFrom('', 'failed'),
});

describe('What a search finds', () => {
  let service: TestService;
  let workflowId = '';
  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 1_000_000 });
    workflowId = await createDeployed(service, scannedDefinition);
  });
  afterEach(() => service.dispose());

  const started = async (path: string, body: object): Promise<void> => {
    const answer = await call(service, 'POST', path, body);
    if (answer.status === 202) await follow(service, textAt(answer.body, 'executionIds', 0));
  };

  async function take(next: Step): Promise<void> {
    const { executions, searchQueue } = service.store;
    if (next.kind === 'execute') await follow(service, await execute(service, workflowId, next.input));
    if (next.kind === 'draft')
      await started(`/v1/workflows/${workflowId}/draft-executions`, { input: next.input });
    if (next.kind === 'retry') {
      const { body } = await call(service, 'GET', '/v1/executions?status=failed&limit=1');
      const [failed] = listAt(body, 'data');
      if (failed) await started(`/v1/executions/${textAt(failed, 'id')}/retry`, {});
    }
    if (next.kind === 'index') await searchQueue.step();
    if (next.kind === 'prune')
      await executions.prune({
        before: null,
        draftsBefore: null,
        keep: next.keep,
        keepDrafts: { ...keepDrafts, count: next.keep },
        limit: 20,
      });
  }

  it('is what stands in the records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 10 }),
        fc.array(query, { minLength: 3, maxLength: 6 }),
        async (steps, queries) => {
          for (const next of steps) await take(next);
          for (const { q, ...others } of queries) {
            const filters = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
            const wanted = await scanRecords(service, q, (execution) =>
              Object.entries(filters).every(([name, value]) => at(execution, name) === value),
            );
            for (const limit of [2, 100])
              assert.deepEqual(await idsOf(service, { q, ...filters }, limit), wanted, q);
          }
        },
      ),
      tries(8),
    );
  });
});
