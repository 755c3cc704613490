// A feed that folds rows as they come shows the same as one that reads them all at once and in order.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import type { NodeRun } from '../../src/domain/nodeRun.ts';
import { createFeed } from '../support/memory/logs.ts';
import { makeNodeLog, statusOf, treeOf } from '../support/memory/records.ts';
import { tries } from '../support/properties.ts';

/** Every member but those that tell which run it is, over and over from all rows: slow and plain. */
interface PlainRun {
  readonly first: NodeLog;
  startedAt: Date | null;
  status: NodeLog['status'];
  completedAt: Date | null;
  durationMs: number | null;
  error: NodeLog['error'];
  input: NodeLog['input'];
  output: NodeLog['output'];
  readonly logs: NodeLog[];
}

function isSameNode(one: NodeLog, other: NodeLog): boolean {
  return (
    one.nodeId === other.nodeId &&
    one.attempt === other.attempt &&
    JSON.stringify(one.iteration) === JSON.stringify(other.iteration)
  );
}

function belongsTo(row: NodeLog, run: PlainRun): boolean {
  if (!isSameNode(row, run.first)) return false;
  if (row.startedAt && run.startedAt) return row.startedAt.getTime() === run.startedAt.getTime();
  return !(row.status?.isTerminal === false && run.status?.isTerminal === true);
}

function laterValue(earlier: NodeLog['input'], later: NodeLog['input']): NodeLog['input'] {
  return later === undefined || (later === null && earlier !== undefined) ? earlier : later;
}

function foldPlainly(rows: readonly NodeLog[]): readonly PlainRun[] {
  const runs: PlainRun[] = [];
  for (const row of rows) {
    if (row.nodeId === '') continue;
    let run = runs.findLast((each) => belongsTo(row, each));
    if (!run) {
      run = {
        first: row,
        startedAt: null,
        status: null,
        completedAt: null,
        durationMs: null,
        error: null,
        input: undefined,
        output: undefined,
        logs: [],
      };
      runs.push(run);
    }
    run.startedAt = row.startedAt ?? run.startedAt;
    run.completedAt = row.completedAt ?? run.completedAt;
    const { startedAt, completedAt } = run;
    const measured = startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null;
    run.durationMs = row.durationMs ?? measured ?? run.durationMs;
    run.status = row.status ?? run.status;
    run.error = row.error ?? run.error;
    run.input = laterValue(run.input, row.input);
    run.output = laterValue(run.output, row.output);
    run.logs.push(row);
  }
  return runs;
}

const plainOf = (run: PlainRun) => {
  const { first, ...rest } = run;
  return { nodeId: first.nodeId, iteration: first.iteration, attempt: first.attempt, ...rest };
};
const shownOf = (run: NodeRun) => {
  const { nodeId, iteration, attempt, startedAt, status, completedAt, durationMs, error, input, output } =
    run;
  const members = {
    nodeId,
    iteration,
    attempt,
    startedAt,
    status,
    completedAt,
    durationMs,
    error,
    input,
    output,
  };
  return { ...members, logs: [...run.logs] };
};

const start = Date.UTC(2026, 0, 5);
const time = fc.option(fc.integer({ min: 0, max: 3 }).map((second) => new Date(start + second * 1000)));
const value = fc.constantFrom(undefined, null, 1, 'x');
const error = { code: null, message: 'e', nodeId: null };

/** Rows of few nodes and few keys, so that they meet each other in every way. */
function rowOf(maximumSequence: number, hasSequences: boolean): fc.Arbitrary<NodeLog> {
  return fc
    .record({
      number: fc.integer({ min: 1, max: maximumSequence }),
      nodeId: fc.constantFrom('a', 'a', 'b', ''),
      iteration: fc.constantFrom<readonly number[]>([], [], [0]),
      attempt: fc.constantFrom(1, 1, 2),
      status: fc.option(fc.constantFrom('running', 'completed', 'failed' as const)),
      startedAt: time,
      completedAt: time,
      durationMs: fc.option(fc.constantFrom(5, 7)),
      error: fc.option(fc.constant(error)),
      input: value,
      output: value,
      isNumbered: fc.constantFrom(true, true, hasSequences),
    })
    .map(({ number, status, isNumbered, ...rest }) =>
      makeNodeLog(number, {
        ...rest,
        sequence: isNumbered ? number : null,
        status: status === null ? null : statusOf(status === 'running' ? 'running' : status),
      }),
    );
}

describe('The node runs of a feed', () => {
  for (const hasSequences of [true, false])
    it(`are those of its rows, ${hasSequences ? 'all' : 'some'} of them numbered, whatever comes late or again`, () => {
      const batches = fc.array(fc.array(rowOf(12, hasSequences), { maxLength: 6 }), { maxLength: 14 });
      fc.assert(
        fc.property(batches, fc.boolean(), (given, looksOften) => {
          const feed = createFeed();
          let before: readonly NodeRun[] = [];
          for (const batch of given) {
            const seen = new Map(feed.nodeRuns.map((run) => [run.key, [run, [...run.logs]] as const]));
            feed.append(batch);
            if (looksOften) {
              before = feed.nodeRuns;
              assert.deepEqual([...feed.runTree.select(new Map())], [...treeOf(before).select(new Map())]);
            }
            for (const run of looksOften ? before : []) {
              const [earlier, logs] = seen.get(run.key) ?? [];
              // A row of another run can tell that this one was handled.
              const isSame =
                earlier?.isHandled === run.isHandled &&
                logs?.length === run.logs.length &&
                logs.every((row, at) => isDeepStrictEqual(row, run.logs[at]));
              // Rows that come in no order may make a run anew that ends as it was.
              if (run === earlier || hasSequences) assert.equal(run === earlier, isSame);
            }
          }
          assert.deepEqual(feed.nodeRuns.map(shownOf), foldPlainly(feed.rows).map(plainOf));
          assert.deepEqual(feed.runTree, treeOf(feed.nodeRuns));
          assert.equal(new Set(feed.rows.map(({ key }) => key)).size, feed.rows.length);
          const numbers = feed.rows.map(({ sequence }) => sequence);
          if (hasSequences)
            assert.deepEqual(
              numbers,
              numbers.toSorted((one, other) => (one ?? 0) - (other ?? 0)),
            );
        }),
        tries(500),
      );
    });
});
