// What keeps an input or a definition from being sent or saved is told where it is written.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run } from '../commands.ts';
import { replaceText } from '../edits.ts';
import { openInput } from '../inputDocuments.ts';
import { BadConnection, fromMenu } from './badService.ts';
import { answering, refusing } from '../../support/servers.ts';
import { answerConflict, closeConflict, saveIntoQuestion } from '../conflict.ts';
import { closeQuestion, meetEach, type Meeting, type Meetings } from './meeting.ts';

let connection: BadConnection;
/** The last save that asked. */
let saving: Thenable<boolean> | undefined;
const problems = '.markers-panel .monaco-list-row';
/** The editor's own, beside what keeps it from saving. */
const buttons = ['Retry', 'Save As...', 'Revert'];
const record = (change: object = {}) => ({
  id: 'wf_1',
  name: 'Lead intake',
  description: 'Ours',
  isDeployed: true,
  nodes: [],
  edges: [],
  ...change,
});
const reading = (change?: object) => ({ 'GET /workflows/wf_1': answering(200, record(change)) });

/** An input that may not be sent. */
const input = (text: string) => async () => {
  connection.answers = reading();
  await replaceText(await openInput('wf_1'), text);
  await vscode.commands.executeCommand('workbench.actions.view.problems');
};

const inputs: Meetings = {
  // What isn't JSON is listed by the JSON language, except for an empty text.
  inputNotJson: {
    meet: input(''),
    words: 'Invalid JSON: a value is missing',
    place: problems,
  },
  inputNoObject: {
    meet: input('["Ada"]'),
    words: 'The input must be a JSON object: {"name": value, …}.',
    place: problems,
  },
};

async function edit(change: (text: string) => string): Promise<vscode.TextDocument> {
  connection.answers = reading();
  const uri = await run(v.string(), 'workflow.open', connection.row);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  await replaceText(document, change(document.getText()));
  return document;
}

/** Saves a definition that was changed. answers: from then on. */
const saved =
  (change: (text: string) => string, answers = {}) =>
  async () => {
    const document = await edit(change);
    connection.answers = { ...reading(), ...answers };
    await document.save();
  };
const mine = (text: string) => text.replace('Ours', 'Mine');
const refused = refusing(422, 'validation_failed', 'The definition is not valid.', [
  { path: 'nodes', message: 'has no trigger' },
]);
const kept = 'Nothing was sent.';

/** Saves over somebody else's change, up to the question. */
async function conflicting(): Promise<vscode.TextDocument> {
  const document = await edit(mine);
  connection.answers = reading({ description: 'Theirs' });
  ({ saved: saving } = await saveIntoQuestion(document));
  return document;
}

const definitions: Meetings = {
  definitionNotJson: {
    meet: saved((text) => text.replace('"Ours",', '"Ours"')),
    words: `Line 4, column 3: Invalid JSON: a comma is missing. ${kept}`,
    buttons,
  },
  draftNotJson: {
    meet: async () => {
      await edit(() => '{');
      void fromMenu('workflow.executeDraft', connection.row);
    },
    words: "The definition isn't a valid JSON object. Not sent: fix the errors in the document.",
  },
  definitionNoObject: {
    meet: saved(() => '[]'),
    words: `Line 1, column 1: A definition must be a JSON object. ${kept}`,
    buttons,
  },
  memberTwice: {
    meet: saved((text) => text.replace('{', '{ "name": "Twice",')),
    words: `Duplicate key "name". ${kept}`,
    buttons,
  },
  definitionRefused: {
    meet: saved(mine, { 'PATCH /workflows/wf_1': refused }),
    words:
      "The service didn't accept this. The service says: The definition is not valid. nodes: has no trigger",
    buttons,
  },
  definitionProblem: {
    meet: async () => {
      await saved(mine, { 'PATCH /workflows/wf_1': refused })();
      await vscode.commands.executeCommand('workbench.actions.view.problems');
    },
    words: 'nodes: has no trigger',
    place: problems,
  },
  changedMeanwhile: {
    meet: async () => {
      await conflicting();
      await closeConflict();
    },
    words: 'This workflow was changed on the service. Nothing was saved; your edits are kept.',
    buttons,
  },
  bothChanged: {
    meet: conflicting,
    words:
      '"Lead intake" was also changed on the service. Left: the service\'s version. Right: yours. Nothing is saved yet. Both changed description; Merge keeps yours there.',
    buttons: ['Merge', 'Keep Mine', 'Take Theirs'],
  },
  changedWhileAsked: {
    meet: async () => {
      const document = await conflicting();
      await replaceText(document, '{');
      await answerConflict('Take Theirs');
    },
    words: 'You edited the text in the meantime. Nothing was saved; save again to decide.',
    buttons,
  },
  notTakenOver: {
    meet: saved(mine, { 'PATCH /workflows/wf_1': answering(200, record({ description: 'mine' })) }),
    words: 'The service saved these differently: description. Undo restores your text.',
  },
};

/** Its tests, and what is met in them. */
export function meetTextErrors(): readonly Meeting[] {
  const met: Meeting[] = [];
  describe('of a text', () => {
    beforeEach(async () => {
      connection = await BadConnection.direct('Billing');
    });
    afterEach(async () => {
      await closeQuestion();
      // What a save ends with isn't said in the next test.
      await vscode.commands.executeCommand('notifications.clearAll');
      await saving;
      await vscode.commands.executeCommand('workbench.action.closePanel');
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await connection.close();
    });
    met.push(...meetEach('text', { ...inputs, ...definitions }));
  });
  return met;
}
