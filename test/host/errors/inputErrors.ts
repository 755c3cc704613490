// What is refused of inputs and presets is refused once.
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { PlainError } from '../../../src/editor/plainError.ts';
import { replaceText } from '../edits.ts';
import { openInput } from '../inputDocuments.ts';
import { type Answers, type BadConnection, fromMenu } from './badService.ts';
import { answering } from '../../support/servers.ts';
import { type Meetings, show } from './meeting.ts';

const draft = { id: 'wf_1', name: 'Lead intake', isDeployed: false, nodes: [], edges: [] };
const trigger = {
  id: 'start',
  type: 'trigger',
  config: { inputSchema: { type: 'object', properties: { age: { type: 'integer' } } } },
};

/** The connection is another one in each test. */
export function inputErrors(connection: () => BadConnection): Meetings {
  /** Where the service answers this. */
  const where = (answers: Answers, meet: () => PromiseLike<unknown>) => () => {
    connection().answers = answers;
    return meet();
  };
  /** Executes a preset with this text. */
  const preset = (name: string, text: string) => async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const uri = vscode.Uri.joinPath(folder?.uri ?? vscode.Uri.file(tmpdir()), name);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await fromMenu('preset.execute', { ...connection().row, fileUri: uri.toString() });
  };

  /** In the input document with this text. */
  const input = (text: string, meet: (uri: string) => PromiseLike<unknown>) => async () => {
    const document = await openInput(connection().row.workflowId);
    await replaceText(document, text);
    await meet(document.uri.toString());
  };

  return {
    inputNotSent: {
      meet: input('{ "name": ', (inputUri) =>
        fromMenu('workflow.execute', { ...connection().row, inputUri }),
      ),
      words: "The input isn't a valid JSON object. Not sent: fix the errors in the document.",
    },
    inputMismatch: {
      meet: where(
        { 'GET /workflows/wf_1': answering(200, { ...draft, nodes: [trigger] }) },
        input('{ "age": "old" }', (inputUri) =>
          fromMenu('workflow.execute', { ...connection().row, inputUri }),
        ),
      ),
      words:
        "The input doesn't match the trigger's schema: age must be of type integer, not string. Execute anyway?",
      buttons: ['Execute Anyway'],
    },
    inputNotCopied: {
      meet: input('[]', () => fromMenu('workflow.copyAs', { ...connection().row, as: 'curl' })),
      words: "The input isn't a valid JSON object. Nothing was copied.",
    },
    inputNotSaved: {
      meet: input('[]', () => fromMenu('workflow.saveInputPreset', connection().row)),
      words: "The input isn't a valid JSON object. Nothing was saved.",
    },
    presetNotJson: {
      meet: preset('a.input.json', '{\n  "name": "Ada"\n  "age": 36\n}'),
      words: '"a.input.json" isn\'t a valid input. Line 3: Invalid JSON: a comma is missing.',
    },
    presetNoObject: {
      meet: preset('list.input.json', '[]'),
      words:
        '"list.input.json" isn\'t a valid input. Line 1: The input must be a JSON object: {"name": value, …}.',
    },
    presetTooLarge: {
      meet: preset('large.input.json', ' '.repeat(1024 * 1024 + 1)),
      words: '"large.input.json" is too large. The maximum for an input is 1 MiB.',
    },
    presetGone: {
      meet: () => fromMenu('preset.execute', { ...connection().row, fileUri: 'file:///gone/a.input.json' }),
      words: "Couldn't read or write a file:",
      buttons: ['Show Log'],
    },
    // A VS Code under test trusts its one folder.
    presetsUntrusted: {
      meet: () =>
        show(
          new PlainError(
            'Presets are files of the workspace, and this workspace isn\'t trusted. To trust it, run "Workspaces: Manage Workspace Trust".',
          ),
        ),
      words:
        'Presets are files of the workspace, and this workspace isn\'t trusted. To trust it, run "Workspaces: Manage Workspace Trust".',
    },
    presetsNoFolder: {
      meet: () => show(new PlainError('Presets are files of the workspace. Open a folder to use them.')),
      words: 'Presets are files of the workspace. Open a folder to use them.',
    },
  };
}
