// What differs between two executions is found once, in the order in which it came about, whatever the sizes.
import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/base/json.ts';
import type { NodeRun } from '../../../src/domain/nodeRun.ts';
import {
  type ComparedFacts,
  compareExecutions,
  type Comparison,
} from '../../../src/model/comparison/compareExecutions.ts';
import { formatField } from '../../../src/base/fieldPath.ts';
import { parseFieldPatterns } from '../../../src/model/comparison/fieldPatterns.ts';
import { makeExecution, statusOf } from '../../support/memory/records.ts';

const { signal } = new AbortController();

const runOf = (nodeId: string, change: Partial<NodeRun> = {}): NodeRun => ({
  key: nodeId,
  nodeId,
  nodeName: nodeId,
  nodeType: null,
  iteration: [],
  attempt: 1,
  status: statusOf('completed'),
  startedAt: null,
  completedAt: null,
  durationMs: null,
  reusedFrom: null,
  isPinned: false,
  isAnswered: false,
  children: [],
  error: null,
  isHandled: false,
  input: null,
  output: null,
  exchange: undefined,
  logs: [],
  valueKeys: null,
  ...change,
});

const factsOf = (nodeRuns: readonly NodeRun[], change: Partial<ComparedFacts> = {}): ComparedFacts => ({
  execution: makeExecution('e1', { status: statusOf('completed') }),
  input: {},
  output: { kind: 'ready', output: null, error: null },
  nodeRuns,
  goneRuns: 0,
  ...change,
});

const compare = (
  left: ComparedFacts,
  right: ComparedFacts,
  ignored: readonly string[] = [],
): Promise<Comparison> => compareExecutions(left, right, parseFieldPatterns(ignored).patterns, signal);

/** "node path" for each difference, "< node" and "> node" for what ran on one side. */
const namesOf = ({ different }: Comparison): readonly string[] =>
  different.flatMap(({ left, right, differences }) => {
    if (left === undefined) return [`> ${right?.nodeId ?? ''}`];
    if (right === undefined) return [`< ${left.nodeId}`];
    return differences.shown.map(({ path }) => formatField(path));
  });

const differing = async (left: JsonValue, right: JsonValue, ignored: readonly string[] = []) =>
  compare(factsOf([runOf('a', { output: left })]), factsOf([runOf('a', { output: right })]), ignored);

describe('two HTTP requests', () => {
  const exchange = (url: string, status: number) => ({
    request: { method: 'GET', url, headers: {}, body: null },
    response: { status, headers: {}, body: null },
  });
  const fieldsOf = async (left: Partial<NodeRun>, right: Partial<NodeRun>) =>
    namesOf(await compare(factsOf([runOf('a', left)]), factsOf([runOf('a', right)])));

  it('differ in what was sent, and in what was answered where that is no output', async () => {
    const [one, other] = [{ exchange: exchange('http://a/', 200) }, { exchange: exchange('http://b/', 503) }];
    assert.deepEqual(await fieldsOf(one, other), ['nodes.a.request.url', 'nodes.a.response.status']);
    assert.deepEqual(await fieldsOf({ ...one, output: 1 }, { ...other, output: 1 }), ['nodes.a.request.url']);
    assert.deepEqual(await fieldsOf(one, {}), ['nodes.a.request', 'nodes.a.response']);
    const truncated = { exchange: { $cut: { bytes: 3, preview: '' } } };
    assert.deepEqual(await fieldsOf(one, truncated), []);
  });
});

describe('two values', () => {
  for (const [left, right, expected] of [
    [1, 1, []],
    [1, '1', ['nodes.a.output']],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [{ a: 1 }, { b: 1 }, ['nodes.a.output.a', 'nodes.a.output.b']],
    [{ a: null }, {}, ['nodes.a.output.a']],
    [
      [1, 2, 3],
      [1, 5],
      ['nodes.a.output[1]', 'nodes.a.output[2]'],
    ],
    [[], {}, ['nodes.a.output']],
    [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }, ['nodes.a.output.a.b[0].c']],
    [{ toString: 1 }, {}, ['nodes.a.output.toString']],
    [{}, { constructor: 1 }, ['nodes.a.output.constructor']],
  ] as const)
    it(`${JSON.stringify(left)} and ${JSON.stringify(right)} differ in ${expected.length} fields`, async () =>
      assert.deepEqual(namesOf(await differing(left, right)), expected));

  it('with thousands of differences are shown in part, and all are counted', async () => {
    const items = Array.from({ length: 5000 }, (_, at) => at);
    const { different } = await differing(
      items,
      items.map((item) => item + 1),
    );
    assert.equal(different[0]?.differences.shown.length, 20);
    assert.equal(different[0].differences.more, 4980);
  });

  it('that the service cut differ in one field, or are the same as far as they are known', async () => {
    const cut = (preview: string) => ({ $cut: { bytes: 300_000, preview } });
    const other = await differing(cut('[1'), cut('[2'));
    assert.deepEqual(namesOf(other), ['nodes.a.output']);
    assert.equal(other.truncatedCount, 0);
    const same = await differing(cut('[1'), cut('[1'));
    assert.deepEqual([same.sameCount, same.truncatedCount], [1, 1]);
    const here = (bytes: number) => ({ $cut: { bytes, preview: '' } });
    for (const [left, right] of [
      [here(2000), here(3000)],
      [here(2000), 'x'.repeat(1000)],
    ] as const) {
      const unknown = await differing(left, right);
      assert.deepEqual([namesOf(unknown), unknown.sameCount, unknown.truncatedCount], [[], 1, 1]);
    }
  });
});

describe('ignored fields', () => {
  it('are counted, and what differs in nothing else is the same', async () => {
    const found = await differing({ at: 1, total: 3 }, { at: 2, total: 3 }, ['**.at']);
    assert.deepEqual([found.different.length, found.sameCount, found.ignored], [0, 1, 1]);
    const partly = await differing({ at: 1, total: 3 }, { at: 2, total: 4 }, ['**.at']);
    assert.deepEqual(namesOf(partly), ['nodes.a.output.total']);
    assert.equal(partly.ignored, 1);
  });

  it('hide no node that ran on one side only', async () => {
    const found = await compare(factsOf([runOf('a')]), factsOf([]), ['**']);
    assert.deepEqual(namesOf(found), ['< a']);
  });
});

describe('node runs', () => {
  it('are matched by turn and attempt, in the order in which they ran', async () => {
    const turn = (index: number, output: number, attempt = 1) =>
      runOf('t', { iteration: [index], output, attempt });
    const left = factsOf([runOf('s'), turn(0, 1), turn(1, 2), runOf('ok'), runOf('end')]);
    const right = factsOf([runOf('s'), turn(1, 3), turn(0, 1), turn(1, 3, 2), runOf('no'), runOf('end')]);
    const found = await compare(left, right);
    assert.deepEqual(namesOf(found), ['nodes.t.output', '< ok', '> t', '> no']);
    assert.deepEqual([found.sameCount, found.same.map(({ nodeId }) => nodeId)], [3, ['s', 't', 'end']]);
  });

  it('without numbers of turns are matched in their order', async () => {
    const left = factsOf([runOf('t', { output: 1 }), runOf('t', { output: 2 })]);
    const right = factsOf([runOf('t', { output: 1 }), runOf('t', { output: 3 }), runOf('t')]);
    assert.deepEqual(namesOf(await compare(left, right)), ['nodes.t.output', '> t']);
  });

  it('differ by status and error', async () => {
    const error = { code: 'no', message: 'not so', nodeId: 'a' };
    const failed = runOf('a', { status: statusOf('failed'), error });
    const found = await compare(factsOf([runOf('a')]), factsOf([failed]));
    assert.deepEqual(namesOf(found), ['nodes.a.status', 'nodes.a.error.message', 'nodes.a.error.code']);
  });

  it('by thousands are shown in part, and all are counted', async () => {
    const runs = (output: number) =>
      Array.from({ length: 3000 }, (_, at) => runOf('t', { iteration: [at], output }));
    const found = await compare(factsOf(runs(1)), factsOf(runs(2)));
    assert.deepEqual([found.different.length, found.moreDifferent], [500, 2500]);
  });
});

describe('a comparison', () => {
  it('tells what differs in the executions themselves', async () => {
    const error = { code: null, message: 'no', nodeId: 'a' };
    const right = factsOf([], {
      execution: makeExecution('e2', { status: statusOf('failed'), error }),
      input: { n: 1 },
      output: { kind: 'notReady', status: null },
    });
    const { whole } = await compare(
      factsOf([], { output: { kind: 'text', text: 'a\nb', mediaType: '' } }),
      right,
    );
    assert.deepEqual(
      whole.shown.map(({ path }) => formatField(path)),
      ['status', 'error.message', 'error.nodeId', 'input.n', 'output'],
    );
  });

  it('lets others go on while it works, and ends with its signal', async () => {
    const values = Array.from({ length: 200_000 }, (_, at) => ({ at }));
    const controller = new AbortController();
    const facts = (output: JsonValue) => factsOf([runOf('a', { output })]);
    const comparing = compareExecutions(facts(values), facts(structuredClone(values)), [], controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(comparing, { name: 'AbortError' });
  });
});
