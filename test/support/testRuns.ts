// Runs tests of workflows over the real service, without an editor.
import { systemClock } from '../../src/base/time.ts';
import { stringifyJson } from '../../src/base/json.ts';
import type { PatternTest } from '../../src/workflowTests/compareTest.ts';
import { rowsOf, runTests, type WantedTest } from '../../src/workflowTests/runTests.ts';
import type { TestResult } from '../../src/workflowTests/runTest.ts';
import type { PlannedTest } from '../../src/workflowTests/testPlan.ts';
import { TestFile } from '../../src/workflowTests/testFile.ts';
import type { TestPorts } from '../../src/workflowTests/testPorts.ts';
import type { ServiceModel } from './serviceModel.ts';

const testPattern: PatternTest = (pattern, text) => Promise.resolve(new RegExp(pattern, 'u').test(text));

/** Nothing is open, and there are no files but those that are given. */
export function testPortsOf(model: ServiceModel, change: Partial<TestPorts> = {}): TestPorts {
  const { services, workflows, actions, executions, following } = model;
  return {
    services,
    workflows,
    actions,
    executions,
    following,
    clock: systemClock,
    testPattern,
    openText: () => undefined,
    readFile: () => Promise.resolve(undefined),
    readPreset: () => Promise.resolve(undefined),
    describe: String,
    ...change,
  };
}

export interface EndedTest extends TestResult {
  readonly name: string;
  readonly planned: PlannedTest | undefined;
}

/** In the order in which they end. */
export async function runAll(
  model: ServiceModel,
  workflow: string,
  tests: readonly unknown[],
  ports = testPortsOf(model),
  signal = new AbortController().signal,
): Promise<readonly EndedTest[]> {
  const file = new TestFile(stringifyJson({ workflow, tests }, 2));
  const wanted = file.tests.flatMap((test) =>
    rowsOf(test).map((row): WantedTest => ({ place: 'test', file, test, row })),
  );
  const ended: EndedTest[] = [];
  await runTests(
    ports,
    model.connectionId,
    wanted,
    {
      onStart: () => ({}),
      onEnd: ({ test, row }, result, planned) =>
        ended.push({
          ...result,
          name: row === undefined ? test.name : `${test.name} / ${test.rows[row]?.name ?? ''}`,
          planned,
        }),
    },
    signal,
  );
  return ended;
}
