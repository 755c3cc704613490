// What running tests needs, in this editor: open texts count, saved or not.
import * as vscode from 'vscode';
import { findDocument } from '../../editor/documents/documents.ts';
import { readTextFile } from '../../editor/documents/workspaceFiles.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { presetEnding } from '../../model/inputs/presetChoices.ts';
import { findPresets } from '../../ui/presetFiles.ts';
import { resolvePath } from '../../ui/testFiles.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { patternTestBy } from '../../workflowTests/compareTest.ts';
import type { TestPorts } from '../../workflowTests/testPorts.ts';

export type TestPortsDeps = Pick<
  App,
  | 'actions'
  | 'clock'
  | 'definitionTargets'
  | 'evaluator'
  | 'executions'
  | 'following'
  | 'services'
  | 'workflows'
>;

/** Definitions and inputs are at most as large as what a service takes. */
const maximumBytes = 5 * 1024 * 1024;

export function createTestPorts(deps: TestPortsDeps): TestPorts {
  const { actions, clock, definitionTargets, evaluator, executions, following, services, workflows } = deps;
  return {
    actions,
    clock,
    executions,
    following,
    services,
    workflows,
    testPattern: patternTestBy(evaluator),
    openText: (target) => definitionTargets.findOpen(target)?.getText(),
    linkedTo: async (from, path) => {
      await definitionTargets.load();
      return definitionTargets.of(resolvePath(vscode.Uri.parse(from, true), path));
    },
    readFile: (from, path) => readFile(resolvePath(vscode.Uri.parse(from, true), path)),
    readPreset: async (from, preset) => {
      if (preset.endsWith(presetEnding)) return readFile(resolvePath(vscode.Uri.parse(from, true), preset));
      const found = (await findPresets(undefined)).find(({ name }) => name === preset);
      return found && readFile(found.uri);
    },
    describe: (error) => describeError(error, clock.now()).message,
  };
}

/** Returns undefined if there's none. Rejects with a PlainError for one outside the workspace, and for a large one. */
async function readFile(uri: vscode.Uri): Promise<string | undefined> {
  const open = findDocument(uri);
  if (open !== undefined) return open.getText();
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined)
    throw new PlainError(vscode.l10n.t('A test uses only files of the workspace.'));
  const text = await readTextFile(uri, maximumBytes);
  if (text !== null) return text;
  throw new PlainError(vscode.l10n.t('A file that a test uses is too large. The maximum is 5 MiB.'));
}
