// Runs many tests, several at once. How many requests they send is the budget's matter: they wait behind what people ask for.
import { isAbortError } from '../base/async.ts';
import { runTest, type TestProgress, type TestResult } from './runTest.ts';
import { type PlannedTest, TestPlanner } from './testPlan.ts';
import type { TestCase, TestFile } from './testFile.ts';
import type { TestPorts } from './testPorts.ts';

/** One test, or one row of it. */
export interface WantedTest {
  /** Of the file: what paths in it begin at. */
  readonly place: string;
  readonly file: TestFile;
  readonly test: TestCase;
  /** The position in `each`. */
  readonly row?: number | undefined;
}

export interface TestListener<T extends WantedTest> {
  /** It's planned and about to be executed. */
  readonly onStart: (wanted: T, planned: PlannedTest) => TestProgress;
  readonly onEnd: (wanted: T, result: TestResult, planned: PlannedTest | undefined) => void;
}

/** More at once would only wait for the limit of requests. */
const atOnce = 6;

/** The tests that a test of a file stands for: itself, or one for each of its rows. */
export function rowsOf(test: TestCase): readonly (number | undefined)[] {
  return test.rows.length === 0 ? [undefined] : test.rows.map((_, row) => row);
}

/** Rejects with the signal's reason, once those that were begun have ended. */
export async function runTests<T extends WantedTest>(
  ports: TestPorts,
  connectionId: string,
  wanted: readonly T[],
  listener: TestListener<T>,
  signal: AbortSignal,
): Promise<void> {
  const planner = new TestPlanner(ports, connectionId, signal);
  const waiting = wanted[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const each of waiting) {
      signal.throwIfAborted();
      await runOne(ports, planner, each, listener, signal);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function runOne<T extends WantedTest>(
  ports: TestPorts,
  planner: TestPlanner,
  wanted: T,
  listener: TestListener<T>,
  signal: AbortSignal,
): Promise<void> {
  const { place, file, test, row } = wanted;
  try {
    const planned = await planner.plan(place, file, test, row);
    if (planned.kind !== 'planned') {
      const { kind, message } = planned;
      listener.onEnd(wanted, { outcome: kind, message, refusal: planned }, undefined);
      return;
    }
    const progress = listener.onStart(wanted, planned);
    listener.onEnd(wanted, await runTest(ports, planned, progress, signal), planned);
  } catch (error) {
    if (signal.aborted || isAbortError(error)) throw error;
    // What the plan needs can't be read.
    listener.onEnd(wanted, { outcome: 'errored', message: ports.describe(error) }, undefined);
  }
}
