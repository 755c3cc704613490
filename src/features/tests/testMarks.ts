// What is wrong in files with tests, while they're written.
import type * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { DocumentMarks, lookWhileTyping, type Mark } from '../../editor/documents/documentMarks.ts';
import { testSelector } from '../../editor/ids.ts';
import type { App } from '../../ui/app.ts';
import { findStale } from '../../workflowTests/testPlan.ts';
import type { TestFile, TestProblem } from '../../workflowTests/testFile.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import type { TestedDefinitions } from './testedDefinitions.ts';

type TestMarksDeps = Pick<App, 'definitionTexts' | 'testFiles' | 'workflows'>;

export function registerTestMarks(
  { definitionTexts, testFiles, workflows }: TestMarksDeps,
  definitions: TestedDefinitions,
): Disposable {
  const definitionOf = ({ uri }: vscode.TextDocument, { workflow }: TestFile): DefinitionText | undefined =>
    workflow === undefined ? undefined : definitions.find(uri, workflow);
  return new DocumentMarks({
    name: 'tests',
    selector: testSelector,
    find: (document) => {
      const { file } = testFiles.readDocument(document);
      return findProblems(file, definitionOf(document, file)).map((problem): Mark => ({
        ...problem,
        severity: 'Error',
        code: 'workflowTest',
      }));
    },
    dependsOn: (document) => [definitionOf(document, testFiles.readDocument(document).file)],
    watch: (marks) =>
      combine(
        lookWhileTyping(marks),
        definitionTexts.onDidRest(marks.lookAgain),
        workflows.onDidChangeItems(marks.lookAgain),
      ),
  });
}

/** In a file that is no JSON, nothing else is looked for. */
function findProblems(file: TestFile, definition: DefinitionText | undefined): readonly TestProblem[] {
  if (file.problems.length > 0) return file.problems;
  return file.tests.flatMap(({ index, spec, problems }) => {
    if (spec === undefined || definition === undefined) return problems;
    return findStale(spec, definition).map(({ path, isName, message }) => ({
      ...file.locate(['tests', index, ...path], isName),
      message,
    }));
  });
}
