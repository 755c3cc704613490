// The tests of the workspace as the editor's view shows them: files, their tests, and the rows of a test.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/async.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { plainLine } from '../../base/format.ts';
import { baseName } from '../../editor/documents/documents.ts';
import { TextPositions } from '../../editor/documents/textPositions.ts';
import type { App } from '../../ui/app.ts';
import { idOf, type TestName, testNameOf } from '../../ui/testNames.ts';
import type { FoundTestFile } from '../../ui/testFiles.ts';
import type { TestResult } from '../../workflowTests/runTest.ts';
import { rowsOf, type WantedTest } from '../../workflowTests/runTests.ts';
import type { PlannedTest } from '../../workflowTests/testPlan.ts';
import { type TestCase, type TestFile, testFileEnding } from '../../workflowTests/testFile.ts';

/** A test, or a row of one, with its item. */
export interface ShownTest extends WantedTest {
  readonly item: vscode.TestItem;
  readonly uri: vscode.Uri;
  /** "test / row". */
  readonly title: string;
}

export interface EndedTest {
  readonly test: ShownTest;
  readonly result: TestResult;
  readonly planned: PlannedTest | undefined;
}

export class TestItems implements Disposable {
  readonly #deps: Pick<App, 'testFiles' | 'tests'>;
  readonly #owned = new DisposableStore();
  readonly #positions = new WeakMap<TestFile, TextPositions>();
  /** Resolves once all files were read. */
  readonly discover = once(() => this.#showAll());

  constructor(deps: Pick<App, 'testFiles' | 'tests'>) {
    this.#deps = deps;
    this.#owned.add(deps.testFiles.onDidChange((uri) => this.#show(uri)));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#showAll()));
  }

  async refresh(): Promise<void> {
    await this.#deps.testFiles.refresh();
    await this.#showAll();
  }

  /** The tests of a request, in the order of the files. */
  list({ include, exclude = [] }: Pick<vscode.TestRunRequest, 'include' | 'exclude'>): readonly ShownTest[] {
    const { items } = this.#deps.tests.controller;
    const excluded = new Set(exclude.map(({ id }) => id));
    const wanted = include ?? Array.from(items, ([, item]) => item);
    const found = new Map<string, ShownTest>();
    for (const item of wanted) for (const test of this.#below(item, excluded)) found.set(test.item.id, test);
    return [...found.values()];
  }

  find(name: TestName): vscode.TestItem | undefined {
    const file = this.#deps.tests.controller.items.get(name.uri);
    if (name.name === undefined) return file;
    const test = file?.children.get(idOf({ uri: name.uri, name: name.name }));
    return name.row === undefined ? test : test?.children.get(idOf(name));
  }

  /** Where the parts of a file's text are. */
  positions(file: TestFile): TextPositions {
    return getOrInsert(this.#positions, file, () => new TextPositions(file.text));
  }

  dispose(): void {
    this.#owned.dispose();
    this.#deps.tests.controller.items.replace([]);
  }

  async #showAll(): Promise<void> {
    const files = await this.#deps.testFiles.list();
    this.#deps.tests.controller.items.replace(files.map((found) => this.#createFile(found)));
  }

  #show(uri: vscode.Uri): void {
    const { controller } = this.#deps.tests;
    const found = this.#deps.testFiles.find(uri);
    const known = controller.items.get(uri.toString());
    if (found === undefined) controller.items.delete(uri.toString());
    else if (known === undefined) controller.items.add(this.#createFile(found));
    else this.#fill(known, found);
  }

  #createFile(found: FoundTestFile): vscode.TestItem {
    const { uri } = found;
    const base = baseName(uri);
    const label = plainLine(base.slice(0, -testFileEnding.length), 80);
    const item = this.#deps.tests.controller.createTestItem(uri.toString(), label, uri);
    item.description = plainLine(vscode.workspace.asRelativePath(uri).slice(0, -base.length), 80);
    this.#fill(item, found);
    return item;
  }

  /** Items that stay keep their results. */
  #fill(item: vscode.TestItem, found: FoundTestFile): void {
    const { file, error } = found;
    const [problem] = file.problems;
    item.error = error ?? problem?.message;
    const { children } = item;
    const names = new Set<string>();
    const tests = file.tests.flatMap((test) => {
      const id = idOf({ uri: item.id, name: test.name });
      if (names.has(id)) return [];
      names.add(id);
      const child = children.get(id) ?? this.#create(id, test.name, found);
      child.range = this.positions(found.file).range(test.range);
      child.sortText = String(test.index).padStart(6, '0');
      this.#fillRows(child, found, test);
      return [child];
    });
    children.replace(tests);
  }

  #fillRows(item: vscode.TestItem, found: FoundTestFile, { name, rows }: TestCase): void {
    const uri = found.uri.toString();
    const byId = new Map(
      rows.map((row, at) => {
        const id = idOf({ uri, name, row: row.name });
        const child = item.children.get(id) ?? this.#create(id, row.name, found);
        child.range = this.positions(found.file).range(row.range);
        child.sortText = String(at).padStart(6, '0');
        return [id, child] as const;
      }),
    );
    item.children.replace([...byId.values()]);
  }

  #create(id: string, label: string, { uri }: FoundTestFile): vscode.TestItem {
    return this.#deps.tests.controller.createTestItem(id, plainLine(label, 200), uri);
  }

  #below(item: vscode.TestItem, excluded: ReadonlySet<string>): readonly ShownTest[] {
    if (excluded.has(item.id)) return [];
    if (item.children.size > 0)
      return Array.from(item.children, ([, child]) => child)
        .sort((one, other) => ((one.sortText ?? '') < (other.sortText ?? '') ? -1 : 1))
        .flatMap((child) => this.#below(child, excluded));
    const { uri, name, row } = testNameOf(item.id);
    const found = item.uri && this.#deps.testFiles.find(item.uri);
    const test = found?.file.tests.find((each) => each.name === name);
    if (item.uri === undefined || found === undefined || test === undefined) return [];
    const at = row === undefined ? undefined : test.rows.findIndex((each) => each.name === row);
    if (at === -1 || !rowsOf(test).includes(at)) return [];
    const title = row === undefined ? test.name : `${test.name} / ${row}`;
    return [{ item, uri: item.uri, title, place: uri, file: found.file, test, row: at }];
  }
}
