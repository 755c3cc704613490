// Creates a workflow from what the user chooses: a sample, JSON from the clipboard, or a minimal one.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { DefinitionFormat } from '../../../domain/definitionFormat.ts';
import { type Choice, showMessage } from '../../../editor/prompts/prompts.ts';
import { pickStep, runSteps, textStep } from '../../../editor/prompts/steps.ts';
import { findLeftOut } from '../../../model/workflows/leftOut.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import type { App } from '../../../ui/app.ts';
import type { AddedRow } from '../addedRow.ts';
import { fileSource, readClipboardAlone } from './importSources.ts';
import { leftOutSentences, logLeftOut } from './leftOutWords.ts';

interface NewWorkflow {
  readonly connectionId: string;
  readonly definition: JsonObject;
}

export function registerCreate(
  {
    commands,
    connections,
    services,
    actions,
    samples,
    logger,
  }: Pick<App, 'commands' | 'connections' | 'services' | 'actions' | 'samples' | 'logger'>,
  added: Pick<AddedRow, 'show'>,
): Disposable {
  return commands.register<'workflow.create', NewWorkflow>('workflow.create', {
    ask: async () => {
      // Another connection may become active while the questions are open.
      const connectionId = requireActiveConnection(connections).id;
      const format = services.traits(connectionId).definitionFormat;
      return { connectionId, definition: await askNewDefinition(startChoices[format](samples)) };
    },
    run: async (argument, { isInteractive }) => {
      const { definition } = argument;
      const connectionId =
        'connectionId' in argument ? argument.connectionId : requireActiveConnection(connections).id;
      const workflow = await actions.create(connectionId, definition);
      const { id } = workflow;
      const leftOut = findLeftOut(definition, workflow);
      logLeftOut(logger, workflow, leftOut);
      if (isInteractive) {
        if (leftOut.length > 0)
          void showMessage('warning', leftOutSentences([{ workflow, leftOut }]).join(' '));
        await commands.run('workflow.open', { connectionId, workflowId: id });
        added.show({ connectionId, workflowId: id });
      }
      return { workflowId: id };
    },
  });
}

/** A workflow that can be executed as it is: a trigger, and an output that returns the input. Its members are in the samples' order. */
export function emptyDefinition(): JsonObject {
  return {
    name: '',
    description: '',
    nodes: [
      { id: 'start', name: 'Start', type: 'trigger', config: {} },
      { id: 'result', name: 'Result', type: 'output', config: { expression: 'input' } },
    ],
    edges: [{ source: 'start', target: 'result' }],
    settings: {},
  };
}

/** The same of n8n: a Webhook node, which starts executions and responds at once. Where it listens is new. */
export function emptyN8nDocument(): JsonObject {
  const id = crypto.randomUUID();
  const webhook = {
    id: crypto.randomUUID(),
    name: 'Input',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    position: [0, 0],
    webhookId: id,
    parameters: { httpMethod: 'POST', path: id, responseMode: 'onReceived' },
  };
  return { name: '', nodes: [webhook], connections: {}, settings: { executionOrder: 'v1' } };
}

type ReadStart = () => Promise<JsonObject>;
type StartChoices = (samples: vscode.Uri) => readonly Choice<ReadStart>[];

const clipboardChoice = (): Choice<ReadStart> => ({
  icon: 'clippy',
  label: vscode.l10n.t('From the Clipboard'),
  detail: vscode.l10n.t('A definition that you copied as JSON.'),
  value: readClipboardAlone,
});

/** The samples are of the service that the local one speaks like. */
const startChoices: Readonly<Record<DefinitionFormat, StartChoices>> = {
  service: choicesWithSamples,
  n8n: () => [
    {
      icon: 'new-file',
      label: vscode.l10n.t('Blank'),
      detail: vscode.l10n.t('A Webhook node, which starts executions.'),
      value: () => Promise.resolve(emptyN8nDocument()),
    },
    clipboardChoice(),
  ],
};

function choicesWithSamples(samples: vscode.Uri): readonly Choice<ReadStart>[] {
  const sample = (file: string) => fileSource(vscode.Uri.joinPath(samples, file)).read;
  return [
    {
      icon: 'new-file',
      label: vscode.l10n.t('Blank'),
      detail: vscode.l10n.t('A trigger and an output that returns its input.'),
      value: () => Promise.resolve(emptyDefinition()),
    },
    clipboardChoice(),
    {
      icon: 'type-hierarchy-sub',
      label: vscode.l10n.t('Support triage'),
      detail: vscode.l10n.t('A sample with branches: sends each request to the right team.'),
      value: sample('support-triage.json'),
    },
    {
      icon: 'sync',
      label: vscode.l10n.t('Order totals'),
      detail: vscode.l10n.t('A sample with a loop: adds up the lines of an order.'),
      value: sample('order-totals.json'),
    },
    {
      icon: 'shield',
      label: vscode.l10n.t('Signup check'),
      detail: vscode.l10n.t("A sample that fails when its input isn't valid."),
      value: sample('signup-check.json'),
    },
  ];
}

/** Sets the definition's name. "$schema" is removed, because it's for editors and not for the service. */
function named(definition: JsonObject, name: string): JsonObject {
  const members = Object.entries(definition).filter(([member]) => member !== '$schema');
  return { ...Object.fromEntries(members), name };
}

/** Asks the user for the start and the name. */
async function askNewDefinition(choices: readonly Choice<ReadStart>[]): Promise<JsonObject> {
  let start: ReadStart | undefined;
  let definition: JsonObject = {};
  let typedName: string | undefined;
  await runSteps(vscode.l10n.t('Create Workflow'), [
    pickStep(
      () => ({
        placeHolder: vscode.l10n.t('Select a starting point'),
        choices,
        ...(start === undefined ? {} : { value: start }),
      }),
      async (read) => {
        start = read;
        definition = await read();
      },
    ),
    textStep(
      () => ({
        prompt: vscode.l10n.t('Name of the new workflow'),
        value: typedName ?? suggestedName(definition),
        validate: (text) =>
          text.trim() === '' ? vscode.l10n.t('Enter a name for the workflow.') : undefined,
      }),
      (name) => {
        typedName = name;
      },
    ),
  ]);
  return named(definition, typedName ?? '');
}

function suggestedName({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}
