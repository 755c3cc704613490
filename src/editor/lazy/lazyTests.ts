import { l10n, tests, TestRunProfileKind } from 'vscode';
import type * as vscode from 'vscode';
import { LazySurface, type LoadApp } from './lazySurfaces.ts';

/** How tests are run. */
export type TestRunKind = 'run' | 'debug' | 'coverage';

/** What the editor's view of tests asks for. */
interface TestProvider {
  /** Adds the tests to the controller, once. */
  discover(): Promise<void>;
  refresh(): Promise<void>;
  /** Resolves when all have ended; a continuous run when it's cancelled. */
  run(request: vscode.TestRunRequest, token: vscode.CancellationToken, kind: TestRunKind): Promise<unknown>;
  detail(coverage: vscode.FileCoverage): vscode.FileCoverageDetail[];
}

/** The tests of a window, which the editor may ask for before the app is loaded. */
export class LazyTests extends LazySurface<TestProvider> {
  readonly controller: vscode.TestController;
  readonly profiles: Readonly<Record<TestRunKind, vscode.TestRunProfile>>;

  constructor(id: string, load: LoadApp) {
    super(load);
    const controller = this.own(tests.createTestController(id, l10n.t('Workflows')));
    controller.resolveHandler = async (item) => {
      if (item === undefined) await (await this.provider()).discover();
    };
    controller.refreshHandler = async () => (await this.provider()).refresh();
    const names: Readonly<Record<TestRunKind, string>> = {
      run: l10n.t('Run'),
      debug: l10n.t('Debug'),
      coverage: l10n.t('Run with Coverage'),
    };
    const create = (kind: TestRunKind, editorKind: vscode.TestRunProfileKind) =>
      controller.createRunProfile(
        names[kind],
        editorKind,
        async (request, token) => {
          await (await this.provider()).run(request, token, kind);
        },
        true,
        undefined,
        kind !== 'debug',
      );
    this.controller = controller;
    this.profiles = {
      run: create('run', TestRunProfileKind.Run),
      debug: create('debug', TestRunProfileKind.Debug),
      coverage: create('coverage', TestRunProfileKind.Coverage),
    };
    this.profiles.coverage.loadDetailedCoverage = async (_run, coverage) =>
      (await this.provider()).detail(coverage);
  }
}
