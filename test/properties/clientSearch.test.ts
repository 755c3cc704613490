// A property: what the client's own search finds is what stands in the records, whatever is executed, retried and deleted meanwhile, and whether
// it was read before or not.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { HttpPort } from '../../src/api/http/httpPort.ts';
import { stringifyJson } from '../../src/base/json.ts';
import { searchExecutions } from '../../src/model/search/searchExecutions.ts';
import { systemClock } from '../../src/base/time.ts';
import { call, createDeployed, execute, follow, keepDrafts, listAt, textAt } from '../service/calls.ts';
import { scannedDefinition, scanRecords } from '../service/recordScan.ts';
import { tries } from '../support/properties.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { createServiceModel, type ServiceModel } from '../support/serviceModel.ts';
import { withoutSearch } from '../support/withoutSearch.ts';

const letter = fc.constantFrom('a', 'B', 'ß', '%', '"', '7', '😀');
const word = fc.string({ unit: letter, minLength: 1, maxLength: 6 });
const value = fc.oneof(word, fc.constantFrom(77, 7.5, true, null), fc.record({ a7B: word }));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('execute' as const),
      input: fc.record({ list: fc.array(value, { maxLength: 3 }), fails: fc.boolean() }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retry' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), keep: fc.integer({ min: 0, max: 6 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const query = fc.record({
  text: fc.string({
    unit: fc.constantFrom('a', 'b', 'ß', '%', '7', '.', '😀', 's'),
    minLength: 2,
    maxLength: 3,
  }),
  isFailed: fc.boolean(),
});

describe("What the client's own search finds", () => {
  let service: TestService;
  let model: ServiceModel;
  let workflowId = '';
  /** What happens at the next requests of the search. */
  let meanwhile: Step[] = [];

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 1_000_000 });
    workflowId = await createDeployed(service, scannedDefinition);
    const through = (port: HttpPort): HttpPort => {
      const inner = withoutSearch(port);
      return async (...request) => {
        const next = meanwhile.shift();
        if (next !== undefined) await take(next);
        return inner(...request);
      };
    };
    model = await createServiceModel(service, { through });
  });
  afterEach(async () => {
    model.dispose();
    await service.dispose();
  });

  async function take(next: Step): Promise<void> {
    if (next.kind === 'execute') await follow(service, await execute(service, workflowId, next.input));
    if (next.kind === 'retry') {
      const { body } = await call(service, 'GET', '/v1/executions?status=failed&limit=1');
      const [failed] = listAt(body, 'data');
      if (failed === undefined) return;
      const { body: started } = await call(
        service,
        'POST',
        `/v1/executions/${textAt(failed, 'id')}/retry`,
        {},
      );
      await follow(service, textAt(started, 'executionIds', 0));
    }
    if (next.kind === 'delete')
      await service.store.executions.prune({
        before: null,
        draftsBefore: null,
        keep: next.keep,
        keepDrafts: { ...keepDrafts, count: next.keep },
        limit: 1000,
      });
  }

  const look = ({ text, isFailed }: { readonly text: string; readonly isFailed: boolean }) =>
    scanRecords(service, text, ({ status }) => !isFailed || status === 'failed');

  async function search({ text, isFailed }: { readonly text: string; readonly isFailed: boolean }) {
    const written = `"${text}"${isFailed ? ' status:failed' : ''}`;
    const read = { limit: 1000, signal: new AbortController().signal };
    const state = await searchExecutions(
      { searches: model.searches, clock: systemClock },
      model.connectionId,
      written,
      read,
    );
    assert.deepEqual([state.status, state.partlySearched], ['ended', 0]);
    assert.ok(state.found.every(({ found = [] }) => found.length > 0));
    return state.found.map(({ id }) => id);
  }

  it('is what stands in the records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 8 }),
        fc.array(query, { minLength: 2, maxLength: 4 }),
        fc.array(step, { maxLength: 6 }),
        async (steps, queries, later) => {
          for (const next of [{ kind: 'delete', keep: 0 } as const, ...steps]) await take(next);
          for (const each of queries) {
            assert.deepEqual(await search(each), await look(each), stringifyJson(each));
            const before = await look(each);
            meanwhile = [...later];
            const found = await search(each);
            for (const next of meanwhile.splice(0)) await take(next);
            const after = await look(each);
            const gone = new Set([...found, ...before].filter((id) => !after.includes(id)));
            const { body } = await call(service, 'GET', '/v1/executions?limit=100');
            for (const execution of listAt(body, 'data')) gone.delete(textAt(execution, 'id'));
            const matched = new Set([...before, ...after, ...gone]);
            assert.deepEqual(
              found.filter((id) => !matched.has(id)),
              [],
            );
            assert.deepEqual(
              before.filter((id) => !found.includes(id) && !gone.has(id)),
              [],
            );
          }
        },
      ),
      tries(6),
    );
  });
});
