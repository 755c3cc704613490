// Runs tests and shows what comes of them in the editor's view.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import type { LogLine } from '../../domain/logEntry.ts';
import { withSignal } from '../../editor/documents/documents.ts';
import type { CommandResult } from '../../editor/commands/types.ts';
import { hideKeys } from '../../editor/hideKeys.ts';
import type { TestRunKind } from '../../editor/lazy/lazyTests.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { formats } from '../../words/formats.ts';
import { renderResult, type TestProgress, type TestResult } from '../../workflowTests/runTest.ts';
import { runTests } from '../../workflowTests/runTests.ts';
import type { PlannedTest } from '../../workflowTests/testPlan.ts';
import { CoverageDetails } from './coverageDetails.ts';
import type { EndedTest, ShownTest, TestItems } from './testItems.ts';
import { renderFailure, renderRefusal } from './testMessages.ts';
import type { TestedDefinitions } from './testedDefinitions.ts';
import { createTestPorts, type TestPortsDeps } from './testPorts.ts';

export type TestRunsDeps = TestPortsDeps & Pick<App, 'commands' | 'connections' | 'testFiles' | 'tests'>;

/** The last result of a test. Node runs would keep the rows and values of their logs in memory. */
export interface LastResult {
  readonly result: Omit<TestResult, 'nodeRuns'>;
  readonly hasFailedNode: boolean;
  /** The text that the file had. */
  readonly text: string;
}

export class TestRuns {
  readonly coverage = new CoverageDetails();
  readonly #deps: TestRunsDeps;
  readonly #items: TestItems;
  readonly #definitions: TestedDefinitions;
  readonly #last = new Map<string, LastResult>();

  constructor(deps: TestRunsDeps, items: TestItems, definitions: TestedDefinitions) {
    this.#deps = deps;
    this.#items = items;
    this.#definitions = definitions;
  }

  /** `id`: of the test's item. */
  last(id: string): LastResult | undefined {
    return this.#last.get(id);
  }

  /** Returns what has ended, in the order of the files, also after the signal was aborted. Rejects with a PlainError without a connection. */
  async run(
    request: vscode.TestRunRequest,
    signal: AbortSignal | undefined,
    kind: TestRunKind,
  ): Promise<readonly EndedTest[]> {
    await this.#items.discover();
    this.#deps.testFiles.catchUp();
    const connectionId = requireActiveConnection(this.#deps.connections).id;
    const wanted = this.#items.list(request);
    const run = this.#deps.tests.controller.createTestRun(request);
    const shown = new ShownRun(run, wanted, this.#items);
    try {
      await withSignal(run.token, (ended) =>
        runTests(
          createTestPorts(this.#deps),
          connectionId,
          wanted,
          shown,
          signal === undefined ? ended : AbortSignal.any([signal, ended]),
        ),
      );
    } catch (error) {
      if (!isAbortError(error)) throw error;
    } finally {
      for (const { test, result, planned } of shown.ended) {
        if (planned !== undefined) this.#definitions.note(planned.workflow);
        this.#last.set(test.item.id, lastResultOf(test, result));
      }
      if (kind === 'coverage') this.coverage.show(run, shown.ended, this.#deps);
      run.end();
    }
    const byId = new Map(shown.ended.map((each) => [each.test.item.id, each]));
    return wanted.flatMap(({ item }) => byId.get(item.id) ?? []);
  }
}

function lastResultOf({ file }: ShownTest, { nodeRuns = [], ...result }: TestResult): LastResult {
  const hasFailedNode = nodeRuns.some(({ status }) => status?.state === 'failed');
  return { result, hasFailedNode, text: file.text };
}

/** What code gets. */
export function outcomeOf({ test, result }: EndedTest): CommandResult<'test.run'>[number] {
  return renderResult(test.uri.toString(), test.title, result);
}

/** One run in the view. */
class ShownRun {
  readonly ended: EndedTest[] = [];
  readonly #run: vscode.TestRun;
  readonly #items: TestItems;

  constructor(run: vscode.TestRun, wanted: readonly ShownTest[], items: TestItems) {
    this.#run = run;
    this.#items = items;
    for (const { item } of wanted) run.enqueued(item);
  }

  readonly onStart = ({ item }: ShownTest): TestProgress => {
    this.#run.started(item);
    return {
      onWait: (waitMs) => {
        const seconds = formats.number(Math.ceil(waitMs / 1000));
        this.#print(vscode.l10n.t('waits {0} s for the request limit', seconds), item);
      },
      onExecute: (feed) => {
        const print = (lines: readonly LogLine[]): void => {
          for (const { text } of lines) this.#print(text, item);
        };
        print(feed.lines(0, feed.count));
        return feed.onDidAppend(({ lines }) => print(lines));
      },
    };
  };

  readonly onEnd = (test: ShownTest, result: TestResult, planned: PlannedTest | undefined): void => {
    this.ended.push({ test, result, planned });
    const { item } = test;
    const { outcome, message = '', durationMs } = result;
    item.description = outcome === 'skipped' ? message : '';
    const positions = this.#items.positions(test.file);
    switch (outcome) {
      case 'passed':
        this.#run.passed(item, durationMs);
        break;
      case 'failed':
        this.#run.failed(item, renderFailure(test, result, positions), durationMs);
        break;
      case 'errored':
        this.#run.errored(item, renderRefusal(test, result, positions), durationMs);
        break;
      case 'skipped':
        this.#print(message, item);
        this.#run.skipped(item);
    }
  };

  /** The editor shows it in a terminal. */
  #print(lines: string, item: vscode.TestItem): void {
    this.#run.appendOutput(`${hideKeys(lines).replaceAll(/\r\n|\r|\n/g, '\r\n')}\r\n`, undefined, item);
  }
}
