// Makes a test of what an execution did, in the file of its workflow's tests.
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../base/json.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { DefinitionText } from '../../definition/definitionText.ts';
import { definitionFormats } from '../../domain/definitionFormat.ts';
import { plainLine } from '../../base/format.ts';
import { replaceText } from '../../editor/documents/documents.ts';
import { statFile } from '../../editor/documents/workspaceFiles.ts';
import { PlainError } from '../../editor/plainError.ts';
import { settings } from '../../editor/settings.ts';
import { showStatusBarMessage } from '../../editor/prompts/statusBarMessage.ts';
import { hideKeys } from '../../editor/hideKeys.ts';
import type { App } from '../../ui/app.ts';
import { requireWorkflowId } from '../../ui/workflowOf.ts';
import { shortId } from '../../words/names.ts';
import { toDefinition } from '../../model/workflows/workflowDefinition.ts';
import { appendTest, renderTests } from '../../workflowTests/editTests.ts';
import { canBeTested, createTest, type RecordedExecution } from '../../workflowTests/fromExecution.ts';
import { TestFile, testFileEnding } from '../../workflowTests/testFile.ts';
import { isPath } from '../../workflowTests/testPlan.ts';
import { fileKey, workflowFileName } from '../../workflowFiles/fileNames.ts';
import { readJsonText } from '../../definition/jsonText.ts';
import { TextPositions } from '../../editor/documents/textPositions.ts';

export type CreateTestDeps = Pick<
  App,
  'executions' | 'following' | 'ranDefinitions' | 'services' | 'testFiles' | 'workflows'
>;

interface CreatedTest {
  readonly uri: vscode.Uri;
  readonly name: string;
}

/** Adds the test to the file, which it creates where there's none. Rejects with a PlainError or a ServiceError. */
export async function createTestFrom(deps: CreateTestDeps, target: ExecutionTarget): Promise<CreatedTest> {
  const folder = requireFolder();
  const { connectionId } = target;
  const execution = await deps.executions.read(target);
  if (!canBeTested(execution))
    throw new PlainError(
      vscode.l10n.t('A test can only be made from an execution that has completed or failed.'),
    );
  const workflowId = requireWorkflowId(execution);
  const workflow = await deps.workflows.read({ connectionId, workflowId });
  const uri = await chooseFile(deps, folder, workflow);
  requireJson(await openIfThere(uri));
  const recorded = await readRecorded(deps, target, workflowId);
  // Somebody may have typed, or created the file, meanwhile.
  const document = await openIfThere(uri);
  const text = requireJson(document);
  const names = new Set((text === undefined ? [] : new TestFile(text).tests).map(({ name }) => name));
  const name = freeName((each) => names.has(each), vscode.l10n.t('as in {0}', shortId(target.executionId)));
  const test = createTest(recorded, {
    name,
    ignored: settings.ignoredFields(),
    takesAnswers: deps.services.offers(connectionId, 'answers'),
  });
  if (document === undefined || text === undefined) {
    const content = hideKeys(renderTests(workflow.name, [test]));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(content));
  } else {
    // All else in the file stays as it is, its encoding too, and the editor can undo it.
    const isSaved =
      (await replaceText(document, appendTest(text, withoutKeys(test)))) && (await document.save());
    if (!isSaved) throw notSaved(uri);
  }
  await deps.testFiles.reread(uri);
  return { uri, name };
}

async function openIfThere(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return (await statFile(uri)) ? vscode.workspace.openTextDocument(uri) : undefined;
}

export function notSaved(uri: vscode.Uri): PlainError {
  return new PlainError(
    vscode.l10n.t(
      'The test couldn\'t be saved in "{0}". Open the file, and save it there.',
      plainLine(vscode.workspace.asRelativePath(uri)),
    ),
  );
}

/** Returns the text, if there's a document. Throws a PlainError if it isn't JSON. */
function requireJson(document: vscode.TextDocument | undefined): string | undefined {
  if (document === undefined) return undefined;
  const text = document.getText();
  if (readJsonText(text).error === undefined) return text;
  throw new PlainError(
    vscode.l10n.t(
      '"{0}" isn\'t valid JSON. Nothing was added.',
      plainLine(vscode.workspace.asRelativePath(document.uri)),
    ),
  );
}

function withoutKeys(test: JsonObject): JsonObject {
  const masked = parseJson(hideKeys(stringifyJson(test)));
  if (!isJsonObject(masked)) throw new TypeError('A test whose keys are masked is no longer a JSON object.');
  return masked;
}

/** Shows the test, with the cursor at its name. */
export async function showTest({ uri, name }: CreatedTest): Promise<void> {
  const editor = await vscode.window.showTextDocument(uri, { preview: false });
  const text = editor.document.getText();
  const test = new TestFile(text).tests.findLast((each) => each.name === name);
  if (test === undefined) return;
  const positions = new TextPositions(text);
  editor.selection = new vscode.Selection(positions.at(test.label.offset), positions.at(test.label.offset));
  editor.revealRange(positions.range(test.range), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  showStatusBarMessage(vscode.l10n.t('Test created.'));
}

function requireFolder(): vscode.WorkspaceFolder {
  if (!vscode.workspace.isTrusted)
    throw new PlainError(
      vscode.l10n.t(
        'Tests are files of the workspace, and this workspace isn\'t trusted. To trust it, run "Workspaces: Manage Workspace Trust".',
      ),
    );
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined)
    throw new PlainError(vscode.l10n.t('Tests are files of the workspace. Open a folder to use them.'));
  return folder;
}

/** The file that has tests of the workflow, or else the one that is named after it and has no tests of another one. */
async function chooseFile(
  { testFiles }: CreateTestDeps,
  folder: vscode.WorkspaceFolder,
  { name, id }: Workflow,
): Promise<vscode.Uri> {
  const files = await testFiles.list();
  const isOf = (file: TestFile): boolean => file.workflow === name || file.workflow === id;
  const known = files.find(({ file }) => isOf(file));
  if (known !== undefined) return known.uri;
  const uriOf = (stemName: string): vscode.Uri =>
    vscode.Uri.joinPath(folder.uri, `${stemName}${testFileEnding}`);
  const others = files.filter(({ file: { workflow } }) => workflow !== undefined && !isPath(workflow));
  const taken = new Set(others.map(({ uri }) => fileKey(uri.path)));
  return uriOf(freeName((each) => taken.has(fileKey(uriOf(each).path)), workflowFileName(name, '')));
}

function freeName(isTaken: (name: string) => boolean, wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted} (${count})`;
    if (!isTaken(name)) return name;
  }
}

async function readRecorded(
  { executions, following, ranDefinitions, services, workflows }: CreateTestDeps,
  target: ExecutionTarget,
  workflowId: string,
): Promise<RecordedExecution> {
  const { connectionId } = target;
  const workflow: WorkflowTarget = { connectionId, workflowId };
  const execution = await executions.readInput(target);
  await ranDefinitions.learn(workflow, execution);
  const definition =
    ranDefinitions.find(workflow, execution)?.definition ?? toDefinition(await workflows.read(workflow));
  const text = DefinitionText.of(definition, services.traits(connectionId).definitionFormat);
  const { requestType } = definitionFormats[text.format];
  const { nodeRuns } = await following.readLog(target);
  const whole = nodeRuns.map(async (run) =>
    run.isPinned || run.nodeType === requestType ? executions.readWholeValues(target, run) : run,
  );
  return {
    execution,
    input: execution.input,
    output: await executions.output(target),
    nodeRuns: await Promise.all(whole),
    definition: text,
  };
}
