// Creates a workflow from what the user chooses: a sample, JSON from the clipboard, or a minimal one.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { JsonObject } from '../../../base/json.ts';
import { askText, choose } from '../../../editor/prompts.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import type { App } from '../../../ui/app.ts';
import type { AddedRow } from '../addedRow.ts';
import { fileSource, readClipboardAlone } from './importSources.ts';

export function registerCreate(
  { commands, connections, actions, samples }: Pick<App, 'commands' | 'connections' | 'actions' | 'samples'>,
  added: Pick<AddedRow, 'show'>,
): Disposable {
  return commands.register('workflow.create', {
    ask: async () => {
      requireActiveConnection(connections);
      return { definition: await askNewDefinition(samples) };
    },
    run: async ({ definition }, { isInteractive }) => {
      const connectionId = requireActiveConnection(connections).id;
      const { id } = await actions.create(connectionId, definition);
      if (isInteractive) {
        await commands.run('workflow.open', { connectionId, workflowId: id });
        added.show({ connectionId, workflowId: id });
      }
      return { workflowId: id };
    },
  });
}

/** A workflow that can be executed as it is: a trigger, and an output that returns the input. */
function emptyDefinition(): JsonObject {
  return {
    name: '',
    description: null,
    nodes: [
      { id: 'start', type: 'trigger', name: 'Start', config: {} },
      { id: 'result', type: 'output', name: 'Result', config: { expression: 'input' } },
    ],
    edges: [{ source: 'start', target: 'result' }],
    settings: {},
  };
}

function askStart(samples: vscode.Uri): Promise<() => Promise<JsonObject>> {
  const sample = (file: string) => fileSource(vscode.Uri.joinPath(samples, file)).read;
  return choose(vscode.l10n.t('Create a workflow from what?'), [
    {
      icon: 'new-file',
      label: vscode.l10n.t('Empty'),
      detail: vscode.l10n.t('A trigger, and an output that gives the input back.'),
      value: () => Promise.resolve(emptyDefinition()),
    },
    {
      icon: 'clippy',
      label: vscode.l10n.t('From the Clipboard'),
      detail: vscode.l10n.t('A definition that was copied as JSON.'),
      value: readClipboardAlone,
    },
    {
      icon: 'type-hierarchy-sub',
      label: vscode.l10n.t('Support triage'),
      detail: vscode.l10n.t('A sample that branches: each request goes to the desk it belongs to.'),
      value: sample('support-triage.json'),
    },
    {
      icon: 'sync',
      label: vscode.l10n.t('Order totals'),
      detail: vscode.l10n.t('A sample that loops: goes through the lines of an order and adds them up.'),
      value: sample('order-totals.json'),
    },
    {
      icon: 'shield',
      label: vscode.l10n.t('Signup check'),
      detail: vscode.l10n.t('A sample that fails at a node when its input is bad.'),
      value: sample('signup-check.json'),
    },
  ]);
}

/** Sets the definition's name. "$schema" is removed, because it's for editors and not for the service. */
function named(definition: JsonObject, name: string): JsonObject {
  const members = Object.entries(definition).filter(([member]) => member !== '$schema');
  return { ...Object.fromEntries(members), name };
}

/** Asks the user for the start and the name. samples: the folder with the samples. */
async function askNewDefinition(samples: vscode.Uri): Promise<JsonObject> {
  const definition = await (await askStart(samples))();
  const suggested = definition['name'];
  const name = await askText({
    prompt: vscode.l10n.t('Name of the new workflow'),
    ...(typeof suggested === 'string' ? { value: suggested } : {}),
    validate: (text) => (text.trim() === '' ? vscode.l10n.t('A workflow needs a name.') : undefined),
  });
  return named(definition, name);
}
