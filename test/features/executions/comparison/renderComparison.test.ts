// A comparison as a text: values that look the same are the same, and every line that leads somewhere is where its place says.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ComparedDocuments } from '../../../../src/features/executions/comparison/comparedDocuments.ts';
import { renderComparisonLenses } from '../../../../src/features/executions/comparison/comparisonLenses.ts';
import { keepShown } from '../../../../src/features/executions/comparison/register.ts';
import {
  renderComparison,
  renderValues,
} from '../../../../src/features/executions/comparison/renderComparison.ts';
import { comparisonUri } from '../../../../src/features/executions/comparison/sides.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import type { JsonValue } from '../../../../src/base/json.ts';
import { type ComparedFacts, compareExecutions } from '../../../../src/model/comparison/compareExecutions.ts';
import { executionAddress } from '../../../../src/ui/addresses.ts';
import { foldNodeRuns, makeExecution, makeNodeLog, statusOf } from '../../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';
import { front } from '../../../support/vscodeStandIn.ts';

const { signal } = new AbortController();

describe('two values on a line each', () => {
  const long = 'x'.repeat(100_000);
  const nested = Array.from({ length: 50_000 }, () => ({ name: 'value' }));
  for (const [name, left, right, expected] of [
    ['are JSON', 1, 'a', ['1', '"a"']],
    ['say that there is none', undefined, null, ['(nothing)', 'null']],
    ['show spaces and unseen characters', 'a b', 'a\u00a0b\u202e', ['"a b"', '"a\\u00a0b\\u202e"']],
    ['show line ends', 'a\nb', 'a', ['"a\\nb"', '"a"']],
    ['are JSON in their own order', { b: 1, a: [] }, {}, ['{"b":1,"a":[]}', '{}']],
  ] as const satisfies readonly (readonly [string, JsonValue | undefined, JsonValue | undefined, unknown])[])
    it(name, () => assert.deepEqual(renderValues(left, right), expected));

  it('are cut, and a long text around its difference', () => {
    const [left, right] = renderValues(`${long}left`, `${long}right`);
    assert.equal(left, `…"${'x'.repeat(40)}left"`);
    assert.equal(right, `…"${'x'.repeat(40)}right"`);
    for (const text of renderValues(nested, long)) assert.ok(text.length <= 160 && text.endsWith('…'), text);
    const [short, longer] = renderValues('abc', `abd${long}`);
    assert.equal(short, '"abc"');
    assert.ok(longer.startsWith('"abd') && longer.endsWith('…'));
  });
});

const factsOf = (id: string, email: string): ComparedFacts => ({
  execution: makeExecution(id, { status: statusOf('completed') }),
  input: { email },
  output: { kind: 'ready', output: null, error: null },
  nodeRuns: foldNodeRuns([
    makeNodeLog(1, { nodeId: 'a', nodeName: 'Check', output: { email, at: id } }),
    makeNodeLog(2, { nodeId: id, nodeName: `Only ${id}` }),
  ]),
  goneRuns: 0,
});

describe('what a retry took over, in a comparison', () => {
  const facts = (id: string, output: string, change: Partial<NodeLog>): ComparedFacts => ({
    ...factsOf(id, ''),
    execution: makeExecution(id, { status: statusOf('completed'), retryOf: change.reusedFrom ?? null }),
    nodeRuns: foldNodeRuns([
      makeNodeLog(1, { nodeId: 'a', nodeName: 'Check', ...change }),
      makeNodeLog(2, { nodeId: 'b', nodeName: 'Rate', output, ...change }),
    ]),
  });

  it('says so, on the side where nothing ran', async () => {
    const comparison = await compareExecutions(
      facts('e1', 'x', { isPinned: true }),
      facts('e2', 'y', { reusedFrom: 'e1' }),
      [],
      signal,
    );
    const { text } = renderComparison(['Flow', 'Flow'], comparison, []);
    assert.match(text, /^> right {2}completed, retry of e1 /m);
    assert.match(text, /^≠ Rate {2}< pinned {2}> reused$/m);
    assert.match(text, /^Identical node runs: 1 \(Check \(reused\)\)$/m);
  });
});

describe('the places in a comparison', () => {
  it('are the lines that they speak of', async () => {
    const patterns = [{ text: '**.at', steps: [{ kind: 'deep' }, { kind: 'exact', text: 'at' }] }] as const;
    const comparison = await compareExecutions(factsOf('e1', 'x'), factsOf('e2', 'y'), patterns, signal);
    const rendered = renderComparison(['Flow', 'Other'], comparison, ['a[']);
    const lines = rendered.text.split('\n');
    for (const { title, firstLine, lastLine, runs } of rendered.sections) {
      assert.equal(lines[firstLine], title);
      for (const run of runs) {
        assert.ok(lines[run.firstLine]?.slice(2).startsWith(run.title));
        assert.ok(firstLine < run.firstLine && run.lastLine <= lastLine);
      }
    }
    assert.deepEqual(
      rendered.fields.map(({ pattern, firstLine, lastLine }) => [
        pattern,
        ...lines.slice(firstLine, lastLine + 1),
      ]),
      [
        ['nodes.a.output.email', '  output.email', '    < "x"', '    > "y"'],
        ['input.email', '  input.email', '    < "x"', '    > "y"'],
      ],
    );
    assert.equal(lines[rendered.ignoredLine ?? -1], 'Ignored differences: 1');
    const targets = {
      left: { connectionId: 'c', executionId: 'e1' },
      right: { connectionId: 'c', executionId: 'e2' },
    };
    const lenses = renderComparisonLenses('workflow-execution:x', { ...targets, comparison, rendered });
    assert.deepEqual(
      lenses.map(({ line, command: { title } }) => `${lines[line] ?? ''}: ${title}`),
      [
        `${lines[0] ?? ''}: Open Diff`,
        '≠ Check: Open Left',
        '≠ Check: Open Right',
        '≠ Check: Reveal Node in Definition',
        ...(['< Only e1', '> Only e2'] as const).flatMap((begin) => {
          const line = lines.find((text) => text.startsWith(begin)) ?? '';
          return [
            `${line}: Open ${begin.startsWith('<') ? 'Left' : 'Right'}`,
            `${line}: Reveal Node in Definition`,
          ];
        }),
        'Ignored differences: 1: Edit Ignored Fields',
      ],
    );
  });
});

describe('the comparison that is shown', () => {
  it('is the one that was in front last, until its tab is closed, with the first node that differs', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.executions = ['e1', 'e2', 'e3'].map((id) =>
      makeExecution(id, { status: statusOf('completed') }),
    );
    for (const [at, id] of ['e1', 'e2', 'e3'].entries())
      world.first.logs.set(id, [
        makeNodeLog(1, { nodeId: 'same' }),
        makeNodeLog(2, { nodeId: 'n', output: at }),
      ]);
    const compared = new ComparedDocuments(world);
    const { comparison } = world.selection;
    const keeping = keepShown(world, compared);
    const open = async (left: string, right: string) => {
      const targets = {
        left: { connectionId, executionId: left },
        right: { connectionId, executionId: right },
      };
      const uri = comparisonUri(world, targets);
      front.show(new vscode.TabInputText(uri));
      const address = executionAddress(uri) ?? assert.fail('It is no document of an execution.');
      await compared.read({ uri, address }, signal);
      return targets;
    };
    const first = await open('e1', 'e2');
    assert.deepEqual(comparison.current, { ...first, firstDifferentNodeId: 'n' });
    const second = await open('e2', 'e3');
    assert.deepEqual(comparison.current, { ...second, firstDifferentNodeId: 'n' });
    front.show('another tab');
    assert.equal(comparison.current.firstDifferentNodeId, 'n');
    front.close();
    assert.equal(comparison.current, null);
    const same = await open('e1', 'e1');
    assert.deepEqual(comparison.current, { ...same, firstDifferentNodeId: null });
    keeping.dispose();
    compared.dispose();
    front.close();
  });
});
