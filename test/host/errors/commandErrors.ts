// Whatever a command refuses before or instead of asking a service is brought about once.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandId } from '../../../src/editor/commands/names.ts';
import { type Answers, BadConnection, fromMenu, fromPalette, listing, someKey } from './badService.ts';
import { answering } from '../../support/servers.ts';
import { failedExecutions } from './failedExecutions.ts';
import { importErrors } from './importErrors.ts';
import { inputErrors } from './inputErrors.ts';
import { pinErrors } from './pinErrors.ts';
import { searchErrors } from './searchErrors.ts';
import { testErrors } from './testErrors.ts';
import { take } from '../keyboard.ts';
import { meetEach, type Meeting, type Meetings, show, withLog } from './meeting.ts';
import { PlainError } from '../../../src/editor/plainError.ts';
import { writeTextFile } from '../../../src/editor/documents/writeTextFile.ts';

let connection: BadConnection;
const executionId = 'exec_1';
const execution = { id: executionId, workflowId: 'wf_1', status: 'completed', input: { key: someKey } };
const cancelling = { ...execution, status: 'running', cancelRequested: true };
const draft = { id: 'wf_1', name: 'Lead intake', isDeployed: false, nodes: [], edges: [] };
const greeting = { id: 'greet', type: 'log', config: { message: 'Hello {{ input.name }}' } };
const ofExecution = () => ({ connectionId: connection.row.connectionId, executionId });
/** Where the service answers this. */
const where = (answers: Answers, meet: () => PromiseLike<unknown>) => () => {
  connection.answers = answers;
  return meet();
};

const picking: Meetings = {
  noWorkflows: {
    meet: where({ 'GET /workflows': listing() }, () => fromPalette('workflow.deploy')),
    words: 'This service has no workflows yet.',
    buttons: ['Create a Workflow…'],
  },
  noExecutions: {
    meet: () => fromPalette('execution.open'),
    words: 'There are no executions yet.',
    buttons: ['Execute a Workflow…'],
  },
  noEvents: {
    meet: () => fromPalette('portalEvent.open'),
    words: 'The service has published no portal events yet.',
  },
  eventGone: {
    meet: () => fromMenu('portalEvent.open', { ...connection.row, eventId: 'evt_9' }),
    words: 'The service no longer keeps this event.',
  },
  eventWithoutExecution: {
    meet: where({ 'GET /portal/events': listing({ id: 'evt_1', type: 'order.received', data: {} }) }, () =>
      fromMenu('portalEvent.showExecution', { ...connection.row, eventId: 'evt_1' }),
    ),
    words: "This event doesn't belong to an execution.",
  },
  noNodeRun: {
    meet: where({ 'GET /executions/exec_1/logs': listing() }, () =>
      fromMenu('nodeRun.open', { ...ofExecution(), nodeId: 'n1' }),
    ),
    words: 'This node has no run in this execution.',
  },
  debugWithoutWorkflow: {
    meet: where(
      { 'GET /executions/exec_2': answering(200, { ...execution, id: 'exec_2', workflowId: null }) },
      () => fromMenu('execution.debug', { ...ofExecution(), executionId: 'exec_2' }),
    ),
    words: "The service doesn't say which workflow this execution is of.",
  },
  debugWithoutRuns: {
    meet: where(
      {
        'GET /executions/exec_1': answering(200, execution),
        'GET /executions/exec_1/logs': listing(),
        'GET /workflows/wf_1': answering(200, draft),
      },
      () => fromMenu('execution.debug', ofExecution()),
    ),
    words: 'The service recorded no node runs for this execution.',
  },
  threeToCompare: {
    meet: () => {
      const rows = ['exec_1', 'exec_2', 'exec_3'].map((id) => ({
        ...ofExecution(),
        executionId: id,
        invokedBy: 'person',
      }));
      return vscode.commands.executeCommand(commandId('execution.compare'), rows[0], rows);
    },
    words: 'Select two executions to compare them.',
  },
  noneFollowed: {
    meet: () => fromPalette('execution.stopFollowing'),
    words: 'No execution is followed.',
  },
  allCancelling: {
    meet: where({ 'GET /executions/exec_1': answering(200, cancelling) }, async () => {
      await vscode.commands.executeCommand(commandId('execution.open'), ofExecution());
      await vscode.commands.executeCommand(commandId('execution.showLogs'), ofExecution());
      return fromPalette('execution.cancelFollowed');
    }),
    words: 'All followed executions are already being cancelled.',
  },
  noLinkedFolder: {
    meet: () => fromMenu('files.push', {}),
    words: 'No folder of this window is linked to a service.',
    buttons: ['Link a Folder…'],
  },
  notLinked: {
    meet: () => fromMenu('files.pushFile', { linkedFile: 'file:///elsewhere/a.workflow.json' }),
    words: '"/elsewhere/a.workflow.json" is in no folder that is linked to a service.',
  },
  noneDeployed: {
    meet: where({ 'GET /workflows': listing(draft) }, () => fromPalette('workflow.undeploy')),
    words: 'No workflows are deployed.',
  },
  noneEdited: {
    meet: where({ 'GET /workflows': listing(draft) }, () => fromPalette('workflow.compareWithDeployed')),
    words: 'No workflows have been edited since they were deployed.',
  },
  nothingDeployed: {
    meet: where({ 'GET /workflows/wf_1': answering(200, draft) }, () =>
      fromMenu('workflow.compareWithDeployed', connection.row),
    ),
    words: '"Lead intake" isn\'t deployed, so there\'s nothing to compare its draft with.',
  },
  deployedNotTold: {
    meet: where({ 'GET /workflows/wf_1': answering(200, { ...draft, isDeployed: true }) }, () =>
      fromMenu('workflow.compareWithDeployed', connection.row),
    ),
    words: "The service doesn't report the deployed version, so there's nothing to compare with.",
  },
  noNodeToExecute: {
    meet: () => fromMenu('node.execute', connection.row),
    words: 'Open the definition and place the cursor inside a node.',
  },
  noExpression: {
    meet: where({ 'GET /workflows/wf_1': answering(200, draft) }, () =>
      fromMenu('workflow.evaluateExpression', connection.row),
    ),
    words: 'Place the cursor inside an expression, or inside a node with expressions.',
  },
  nothingToEvaluateWith: {
    meet: where({ 'GET /workflows/wf_1': answering(200, { ...draft, nodes: [greeting] }) }, () =>
      fromMenu('workflow.evaluateExpression', { ...connection.row, nodeId: greeting.id }),
    ),
    words: "No execution of this workflow is shown, so there's no data to evaluate with.",
  },
  inputNotTold: {
    meet: where({ 'GET /executions/exec_1': answering(200, { ...execution, input: null }) }, () =>
      fromMenu('execution.rerun', ofExecution()),
    ),
    words: "The service doesn't return the input of this execution, so it can't be executed again.",
  },
};

/** 65 MB, a piece at a time. */
async function* longText(): AsyncGenerator<string> {
  for (let count = 0; count < 65; count += 1) yield await Promise.resolve('x'.repeat(1024 * 1024));
}

const clipboard = (text: string) => async () => {
  await vscode.env.clipboard.writeText(text);
  void fromPalette('workflow.create');
  await take('From the Clipboard');
};

const others: Meetings = {
  clipboardEmpty: { meet: clipboard(''), words: "The clipboard doesn't contain a definition. It's empty." },
  noKeyInText: {
    meet: async () => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'Hello' }));
      await fromPalette('keyGuard.moveKey');
    },
    words: "There's no API key in this document.",
  },
  textTooLong: {
    meet: () =>
      writeTextFile(vscode.Uri.parse('elsewhere:/a.log'), longText(), new AbortController().signal).catch(
        (error: unknown) => show(v.parse(v.instance(Error), error)),
      ),
    words: 'The text is longer than 64 MB. Save it to a file on this machine.',
  },
  noText: { meet: () => fromPalette('keyGuard.moveKey'), words: 'Open the document with the API key first.' },
  textKeptItsKey: {
    // The editor changes whatever text is open.
    meet: () =>
      show(
        new PlainError(
          "The key was moved to the secret storage, but it couldn't be removed from the document.",
        ),
      ),
    words: "The key was moved to the secret storage, but it couldn't be removed from the document.",
  },
  unexpected: {
    meet: () => fromMenu('keyGuard.moveKey', { uri: 'gone:notes' }),
    words: 'Something went wrong in the extension: cannot open gone:notes.',
    buttons: ['Show Log'],
  },
};

/** Its tests, and what is met in them. */
export function meetCommandErrors(): readonly Meeting[] {
  const met: Meeting[] = [];
  const closeEditor = () => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  // What a service was asked is remembered, so that each begins with one that wasn't asked yet.
  describe('of a command', () => {
    beforeEach(async () => {
      connection = await BadConnection.direct('Billing');
    });
    afterEach(async () => {
      await closeEditor();
      await connection.close();
    });
    met.push(
      ...meetEach('command', {
        ...picking,
        ...failedExecutions(() => connection),
        ...inputErrors(() => connection),
      }),
      ...meetEach(
        'pin',
        pinErrors(() => connection),
      ),
      ...meetEach(
        'search',
        searchErrors(() => connection),
      ),
    );
    met.push(
      ...meetEach(
        'test',
        testErrors(() => connection),
      ),
    );
  });
  describe('of a file or a text', () => {
    before(async () => {
      connection = await BadConnection.direct('Billing');
    });
    afterEach(closeEditor);
    after(() => connection.close());
    met.push(...meetEach('import', withLog(importErrors)), ...meetEach('command', others));
  });
  return met;
}
