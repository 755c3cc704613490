// Filling the input of a workflow of n8n: completed, explained and checked by what its triggers take.
import * as vscode from 'vscode';
import { completionsAt } from './completions.ts';
import { replaceText } from './edits.ts';
import { openInput } from './inputDocuments.ts';
import { untilExplained } from './hovers.ts';
import { drawnLens } from './lenses.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const formFields = {
  values: [
    { fieldLabel: 'Name', requiredField: true },
    {
      fieldLabel: 'Size',
      fieldType: 'dropdown',
      fieldOptions: { values: [{ option: 'S' }, { option: 'L' }] },
    },
  ],
};
const nodes = {
  Chat: { id: 'c', name: 'Chat', type: '@n8n/n8n-nodes-langchain.chatTrigger', parameters: {} },
  Form: { id: 'f', name: 'Form', type: 'n8n-nodes-base.formTrigger', parameters: { formFields } },
  Users: {
    id: 'u',
    name: 'Users',
    type: 'n8n-nodes-base.webhook',
    parameters: { path: 'users/:userId', httpMethod: 'POST' },
  },
  Any: {
    id: 'a',
    name: 'Any',
    type: 'n8n-nodes-base.webhook',
    parameters: { path: 'any', httpMethod: 'POST' },
  },
};

describe('the input of a workflow of n8n', () => {
  let own: OwnN8n;

  before(async function () {
    requirePage(this);
    own = await startOwnN8n();
    await own.connect();
  });
  after(() => own.stop());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  const open = (name: keyof typeof nodes) =>
    openInput(own.n8n.addWorkflow({ name, nodes: [nodes[name]], connections: {}, settings: {} }).id);
  const untilOffered = async (document: vscode.TextDocument, marked: string, wanted: readonly string[]) => {
    await replaceText(document, marked.replace('|', ''));
    const labels = await until(
      () => completionsAt(document, document.positionAt(marked.indexOf('|'))),
      (offered) => wanted.every((label) => offered.includes(label)),
    );
    return labels;
  };
  const untilFaulty = async (document: vscode.TextDocument, text: string, words: RegExp) => {
    await replaceText(document, text);
    await until(
      () => vscode.languages.getDiagnostics(document.uri),
      (all) => all.some(({ message, source }) => source === 'Workflows' && words.test(message)),
    );
  };
  const untilRight = async (document: vscode.TextDocument, text: string) => {
    await replaceText(document, text);
    await until(
      () => vscode.languages.getDiagnostics(document.uri),
      (all) => all.length === 0,
    );
  };

  it('is the message of a chat', async () => {
    const document = await open('Chat');
    await page.waitFor(drawnLens("Validated against the trigger's schema"));
    await untilOffered(document, '{ "|" }', ['chatInput', 'sessionId']);
    await untilFaulty(document, '{ "chatInput": 7 }', /chatInput/);
    await page.screenshot('n8n-input-chat');
    await untilRight(document, '{ "chatInput": "hello" }');
    await untilExplained(document, new vscode.Position(0, 4), 'The message to the chat');
  });

  it('is the fields of a form, with their options', async () => {
    const document = await open('Form');
    await untilOffered(document, '{ "|" }', ['Name', 'Size']);
    await untilOffered(document, '{ "Size": | }', ['"S"', '"L"']);
    await untilFaulty(document, '{ "Size": "M", "Name": "Ada" }', /Size/);
    await untilFaulty(document, '{ "Size": "S" }', /Name/);
    await untilRight(document, '{ "Size": "S", "Name": "Ada" }');
  });

  it('is the values of an address beside body and query', async () => {
    const document = await open('Users');
    await untilOffered(document, '{ "|" }', ['body', 'query', 'params']);
    await untilOffered(document, '{ "params": { "|" } }', ['userId']);
    await untilFaulty(document, '{ "body": {}, "params": {} }', /userId/);
    await untilRight(document, '{ "body": {}, "params": { "userId": 7 } }');
  });

  it('is anything for a webhook, of which the query is told', async () => {
    const document = await open('Any');
    await page.waitFor(drawnLens('Any JSON object is valid'));
    await untilOffered(document, '{ "|" }', ['body', 'query']);
    await untilRight(document, '{ "query": "text", "more": 1 }');
  });
});
