// What the editor shows of a test that didn't pass, at its place in the file.
import * as vscode from 'vscode';
import { type JsonValue, stringifyJson } from '../../base/json.ts';
import { hideKeys } from '../../editor/hideKeys.ts';
import type { TextPositions } from '../../editor/documents/textPositions.ts';
import type { TestResult } from '../../workflowTests/runTest.ts';
import type { ShownTest } from './testItems.ts';

/** For menus on the message. */
const messageContext = 'workflowTest';

/** A difference, at the first field that differs: of this field where it's the only one, which the editor shows beside it; else of all. */
export function renderFailure(
  test: ShownTest,
  { message = '', expected = {}, actual = {}, differences = [] }: TestResult,
  positions: TextPositions,
): vscode.TestMessage {
  const [first, ...others] = differences;
  const isOnly = first !== undefined && others.length === 0;
  const shown = vscode.TestMessage.diff(
    hideKeys(message),
    textOf(isOnly ? first.left : expected),
    textOf(isOnly ? first.right : actual),
  );
  shown.contextValue = messageContext;
  const path = ['tests', test.test.index, 'expected', ...(first?.path ?? [])];
  return at(shown, test, test.file.locate(path), positions);
}

/** What is wrong in the test or in its file. */
export function renderRefusal(
  test: ShownTest,
  { message = '', refusal, execution }: TestResult,
  positions: TextPositions,
): vscode.TestMessage {
  const shown = new vscode.TestMessage(hideKeys(message));
  if (execution !== undefined) shown.contextValue = messageContext;
  const [problem] = [...test.file.problems, ...test.test.problems];
  const { path = [], isName } = refusal ?? {};
  const above = path[0] === 'workflow' ? [] : ['tests', test.test.index];
  const place =
    problem ?? (path.length === 0 ? test.test.label : test.file.locate([...above, ...path], isName));
  return at(shown, test, place, positions);
}

/** Empty for what isn't there. */
function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : hideKeys(stringifyJson(value, 2));
}

function at(
  message: vscode.TestMessage,
  { uri }: ShownTest,
  place: { readonly offset: number; readonly length: number },
  positions: TextPositions,
): vscode.TestMessage {
  message.location = new vscode.Location(uri, positions.range(place));
  return message;
}
