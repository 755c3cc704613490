// What goes wrong where nobody pressed anything stands beside what it is about: in a row, above the rows, in the text, in a channel.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { viewIds } from '../../../src/editor/ids.ts';
import { page, viewSelector } from '../page.ts';
import { type Answers, BadConnection, fromMenu, fromPalette, listing } from './badService.ts';
import { refusing } from '../../support/servers.ts';
import { clickOpen } from '../clicks.ts';
import { check, typeOver } from '../keyboard.ts';
import { closeQuestion, meetEach, type Meeting, type Meetings, quickPick } from './meeting.ts';

let connection: BadConnection;
const failing = refusing(500, 'internal_error', 'The database is locked.');
const failed = 'The service failed (HTTP 500). The service says: The database is locked.';
const execution = { id: 'exec_1', workflowId: 'wf_1', status: 'completed' };
const ofExecution = () => ({ connectionId: connection.row.connectionId, executionId: 'exec_1' });

const rowOf = (viewId: string): string => `${viewSelector(viewId)} .monaco-list-row`;
const focus = (viewId: string): Thenable<unknown> => vscode.commands.executeCommand(`${viewId}.focus`);
const open = async (viewId: string, ...rows: readonly string[]) => {
  await focus(viewId);
  for (const row of rows)
    await clickOpen(
      `${rowOf(viewId)}:has-text("${row}")`,
      `${rowOf(viewId)}[aria-expanded="true"]:has-text("${row}")`,
    );
};
/** Where the service answers this. */
const where = (answers: Answers, meet: () => PromiseLike<unknown>) => () => {
  connection.answers = answers;
  return meet();
};
const event = (id: string) => ({
  id,
  type: 'order.received',
  timestamp: '2026-01-05T10:00:00.000Z',
  data: {},
});

const isStream = (request: IncomingMessage) => request.headers.accept === 'text/event-stream';
const beginStream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ping\n\n');

/** Streams once, until the list was asked for as well; from then on it fails. */
function dyingStream(): RequestListener {
  let stream: ServerResponse | undefined;
  return (request, response) => {
    if (stream?.destroyed === true) {
      failing(request, response);
    } else if (isStream(request)) {
      stream = response;
      beginStream(response);
    } else {
      listing(event('evt_1'))(request, response);
      stream?.destroy();
    }
  };
}

/** Lists another event each time, and has never heard of the one before. */
function forgetfulStream(): RequestListener {
  let count = 0;
  return (request, response) => {
    if (!isStream(request)) {
      count += 1;
      listing(event(`evt_${count}`))(request, response);
    } else if (request.headers['last-event-id'] === undefined) beginStream(response);
    else refusing(410, 'event_gap', 'Pruned.')(request, response);
  };
}

const views: Meetings = {
  workflowsNotUpToDate: {
    meet: async () => {
      await open(viewIds.workflows);
      await page.waitFor(`${rowOf(viewIds.workflows)}:has-text("${connection.workflowName}")`);
      connection.answers = { 'GET /workflows': failing };
      await fromPalette('workflows.refresh');
    },
    words: `Out of date. ${failed}`,
    place: `${viewSelector(viewIds.workflows)} .message`,
  },
  executionsOfWorkflow: {
    meet: where({ 'GET /executions': failing }, () => open(viewIds.workflows, connection.workflowName)),
    words: failed,
    place: rowOf(viewIds.workflows),
  },
  nodeRuns: {
    meet: where({ 'GET /executions': listing(execution), 'GET /executions/exec_1/logs': failing }, () =>
      open(viewIds.workflows, connection.workflowName, 'exec_1'),
    ),
    words: failed,
    place: rowOf(viewIds.workflows),
  },
  executions: {
    meet: where({ 'GET /executions': failing }, () => open(viewIds.executions)),
    words: failed,
    place: rowOf(viewIds.executions),
  },
  events: {
    meet: where({ 'GET /portal/events': failing }, () => open(viewIds.portalEvents)),
    words: failed,
    place: rowOf(viewIds.portalEvents),
  },
  eventsNotUpToDate: {
    meet: where({ 'GET /portal/events': listing(event('evt_1')) }, async () => {
      await open(viewIds.portalEvents);
      await page.waitFor(`${rowOf(viewIds.portalEvents)}:has-text("order.received")`);
      connection.answers = { 'GET /portal/events': failing };
      await fromPalette('portalEvents.refresh');
    }),
    words: `Out of date. ${failed}`,
    place: `${viewSelector(viewIds.portalEvents)} .message`,
  },
  eventsLost: {
    meet: () => where({ 'GET /portal/events': dyingStream() }, () => open(viewIds.portalEvents))(),
    words: 'Reconnecting…',
    place: `${viewSelector(viewIds.portalEvents)} .message`,
  },
  eventsGone: {
    meet: () => where({ 'GET /portal/events': forgetfulStream() }, () => open(viewIds.portalEvents))(),
    words: "aren't available: the service keeps only the latest.",
    place: `${viewSelector(viewIds.portalEvents)} .message`,
  },
};

const documents: Meetings = {
  execution: {
    meet: where({ 'GET /executions': listing(execution), 'GET /executions/exec_1': failing }, async () => {
      await open(viewIds.executions);
      await page.waitFor(`${rowOf(viewIds.executions)}[aria-label*="exec_1"]`);
      await fromMenu('execution.openInput', ofExecution());
    }),
    words: failed,
    buttons: ['Show Log'],
  },
  input: {
    meet: where({ 'GET /workflows/wf_1': failing }, () => fromMenu('workflow.openInput', connection.row)),
    words: failed,
    buttons: ['Show Log'],
  },
  diagnosis: {
    meet: where({ 'GET /workflows': failing }, () => fromMenu('connection.diagnose', connection.row)),
    words: `5. Request with key (list workflows): failed: ${failed}`,
    place: '.editor-instance .view-line',
  },
  following: {
    meet: where({ rest: refusing(401, 'api_key_revoked', 'Revoked.') }, () =>
      fromMenu('execution.showLogs', ofExecution()),
    ),
    words: 'following failed: The service rejected the API key. The service says: Revoked.',
    place: '.output-view .view-line',
  },
};

/** A text that an input box does not take. */
const typed = (begin: () => Promise<unknown>, prompt: string, text: string) => ({
  place: quickPick,
  meet: async () => {
    await begin();
    await typeOver(prompt, text);
  },
});
const begin = (work: () => Thenable<unknown>) => () => {
  void work();
  return Promise.resolve();
};

const boxes: Meetings = {
  workflowName: {
    ...typed(
      begin(() => fromMenu('workflow.rename', connection.row)),
      'New name of the workflow',
      ' ',
    ),
    words: 'Enter a name for the workflow.',
  },
  presetOutside: {
    ...typed(
      begin(() => fromMenu('workflow.saveInputPreset', connection.row)),
      'File name of the preset',
      '../a.input.json',
    ),
    words: 'Enter a path inside the folder.',
  },
  presetEnding: {
    ...typed(
      begin(() => fromMenu('workflow.saveInputPreset', connection.row)),
      'File name of the preset',
      'a.json',
    ),
    words: 'The name of a preset must end in ".input.json".',
  },
  since: {
    ...typed(
      async () => {
        void fromPalette('executions.filter');
        await check('Since…');
        await page.press('Enter');
      },
      'Start date',
      'soon',
    ),
    words: 'Use the format 2026-01-31 or 2026-01-31 14:00.',
  },
};

/** Its tests, and what is met in them. */
export function meetShownErrors(): readonly Meeting[] {
  const met: Meeting[] = [];
  describe('where they stand', () => {
    beforeEach(async function () {
      await vscode.commands.executeCommand('workbench.view.explorer');
      // Named after the test: a view that comes into sight shows for a moment what it showed before.
      connection = await BadConnection.direct('Billing', this.currentTest?.title);
    });
    afterEach(async () => {
      await closeQuestion();
      await vscode.commands.executeCommand('workbench.action.closePanel');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await connection.close();
    });
    met.push(...meetEach('shown', { ...documents, ...boxes }));
    describe('in a view', () => {
      before(async () => {
        // A row is one line: with some room it can be read.
        await page.drag('.monaco-sash.vertical:not(.disabled)', '.command-center');
      });
      met.push(...meetEach('shown', views));
    });
  });
  return met;
}
