// Every error text that a person can meet is met here, on the screen, once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { clickUntil } from '../clicks.ts';
import { BadConnection, fromMenu } from './badService.ts';
import { refusing } from '../../support/servers.ts';
import { meetCommandErrors } from './commandErrors.ts';
import { meetConnectionErrors } from './connectionErrors.ts';
import { closeQuestion, quickPick } from './meeting.ts';
import { meetServiceErrors } from './serviceErrors.ts';
import { meetShownErrors } from './shownErrors.ts';
import { isMet, plainErrorTexts } from './sourceTexts.ts';
import { meetTextErrors } from './textErrors.ts';
import { page, requirePage } from '../page.ts';
import { until } from '../until.ts';

const notMetHere = [
  // A deleted workflow, and a text that is broken while the question about it stands: see definitions.deleted.test.ts.
  'This workflow was deleted on the service. Nothing was saved; your edits are kept.',
  "Your text isn't valid JSON, so no workflow can be created from it.",
  // Only nodes of an n8n have code: see n8n.code.test.ts. An edit that the editor refuses can't be brought about.
  'No node of this workflow has code that can be edited here.',
  'The node "{0}" has no code.',
  "This code holds half a character, which a file can't keep. Edit it in the definition instead.",
  "The definition can't be changed at the moment. Save again.",
  // Only an n8n executes what is saved as a draft: see n8n.drafts.test.ts.
  'The workflow has changed in {0}. Refresh the definition, then execute it.',
  // Only an n8n archives: see n8n.working.test.ts.
  'No workflows are archived.',
  // Only code can ask a service without pages for one: see n8n.working.test.ts.
  'This service has no page for it in a browser.',
  // Only of an execution whose definition the service doesn't keep anymore: see ranDefinitions.test.ts.
  "It isn't known which definition this execution ran.",
  // Only nodes of an n8n start other executions: see n8n.executions.test.ts.
  'This node run started no other execution.',
  "The service doesn't say that another execution started this one.",
  // Only code can ask for it.
  'This node run sent no HTTP request.',
  "This execution isn't a retry.",
  'No retry of this execution is listed.',
  // Only a launch configuration can name it: see debugging.test.ts and launchTarget.test.ts.
  'No workflow has the name or ID "{0}".',
  'Several workflows are named "{0}". Use the ID of one of them.',
  'No execution of "{0}" has failed yet.',
  '"{0}" has no executions yet.',
  'The launch configuration has invalid values: {0}.',
  // Only where the file is changed by something else at that moment.
  'The test couldn\'t be saved in "{0}". Open the file, and save it there.',
  // The message of a test, which the Testing view shows: see workflowTests.test.ts.
  'A test uses only files of the workspace.',
  'A file that a test uses is too large. The maximum is 5 MiB.',
  // The terminal of a task shows it: see taskRun.test.ts.
  'The task has invalid values: {0}.',
  'The task has both "input" and "preset". Remove one of them.',
  'No connection is named "{0}".',
  'Several connections are named "{0}".',
  '"{0}" isn\'t a JSON object.',
  // Of a preset, and of a file that a test uses: see test/ui/testFiles.test.ts.
  '"{0}" isn\'t UTF-8 text.',
  'No preset is named "{0}".',
  'Several presets are named "{0}".',
  // Only of a response that the service cuts.
  // The editor shows why a document can't be saved: see definitions.pins.test.ts and definitions.answers.test.ts.
  'Not saved: answer {0} must have a "status" from 100 to 599, with "headers" of texts and a "body" where it has them, or be {1} or {2}.',
  "The pin isn't valid JSON. Not saved: fix the errors in the document.",
  'Nothing was saved: the text must be UTF-8. Change the encoding of the document.',
  "The pin isn't saved: its value is nested more than {0} levels deep.",
  // Code is told; a person is asked instead.
  'The input has unsaved changes. They were kept.',
  // Code is told, by the commands on linked files: see workflowFiles.test.ts.
  'There\'s no {0} in "{1}".',
  'Several folders are linked. Name one as "folder".',
  '"{0}" is guarded. Pass its name as "confirm".',
  'What "{0}" and the workflow last had in common isn\'t known, so nothing can be merged.',
  // In a folder that is linked: see workflowFiles.test.ts.
  '{0} has several environments. Add "default" with the name of one.',
  'You have no connection to {0}, the environment "{1}".',
  'There\'s only one environment. Add the one to promote to in {0}: "environments" has a name and a "url" for each.',
  '"{0}" is no workflow.',
  '"{0}" isn\'t in conflict.',
  '"{0}" has changed in the meantime. Nothing was done; decide again.',
  // A late Undo, and a log that loses rows while a line is looked for.
  '"{0}" was pinned or answered again in the meantime, so nothing was restored.',
  'The log no longer has this line.',
  // Only in a workspace that isn't trusted.
  'Trust this workspace first: nothing of it is read before.',
  // The menu and the quick fix are there for an open definition with a token: see secrets.test.ts.
  'Open the definition with the token first.',
  "There's no token in the headers or queries of this definition.",
  "The token was stored as a secret, but it couldn't be removed from the definition.",
];

describe('errors', () => {
  before(function () {
    requirePage(this);
  });
  const met = [
    ...meetConnectionErrors(),
    ...meetServiceErrors(),
    ...meetCommandErrors(),
    ...meetShownErrors(),
    ...meetTextErrors(),
  ];

  // The reasons of services, connections and the local service are held complete by their types.
  it('that are worded where they arise are all among them', () => {
    const extension = vscode.extensions.getExtension('workflow-automation.workflow-automation');
    const texts = plainErrorTexts(join(extension?.extensionPath ?? '', 'src'));
    assert.ok(texts.length > 25);
    const unmet = texts.filter((text) => !met.some(({ words }) => isMet(text, words)));
    assert.deepEqual(unmet.toSorted(), notMetHere.toSorted());
  });

  // Last, since it leaves the mouse where the others are photographed, and comes before them where it stands in no group.
  describe('with a button', () => {
    it('are put right for the connection they are about, whichever is active', async () => {
      const about = await BadConnection.direct('Billing');
      const active = await BadConnection.direct('Staging');
      about.answers = { rest: refusing(401, 'api_key_revoked', 'Revoked.') };
      await fromMenu('workflow.deploy', about.row);
      await until(
        () => page.notifications(),
        (all) => all.length > 0,
      );
      await clickUntil('.notification-list-item .monaco-button:has-text("Replace Key")', () =>
        page.isThere(`${quickPick}:has-text("API key of Billing")`),
      );
      await closeQuestion();
      await about.close();
      await active.close();
    });
  });
});
