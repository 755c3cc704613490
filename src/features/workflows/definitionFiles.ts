// Why: definitions come in from a file or from code and go out to a file, whole: unknown members included.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { WorkflowReading } from '../../api/readings.ts';
import { requireActiveConnection } from '../../pickers/activeConnection.ts';
import { workflowArgument } from '../../pickers/workflowPicker.ts';
import { PlainError } from '../../platform/describeError.ts';
import { fileName, plainLine } from '../../platform/format.ts';
import { askText, Cancelled, withProgress } from '../../platform/prompts.ts';
import { limits } from '../../protocol/operations.ts';
import type { WorkflowCommandsParts } from './workflowCommands.ts';

const filters = { JSON: ['json'] };

/** What the service keeps of a record but a definition must not carry along. */
const recordMembers = new Set(['id', 'isDeployed', 'deployedAt', 'version', 'createdAt', 'updatedAt']);

/** The definition as it is exported: the record without what belongs to this service alone. */
export function toDefinition(workflow: WorkflowReading): JsonObject {
  return Object.fromEntries(Object.entries(workflow.raw).filter(([name]) => !recordMembers.has(name)));
}

/** A workflow that runs as it is: a trigger and an output that gives the input back. */
function newDefinition(name: string): JsonObject {
  return {
    name,
    description: null,
    nodes: [
      { id: 'start', type: 'trigger', name: 'Start', config: {} },
      { id: 'result', type: 'output', name: 'Result', config: { expression: 'input' } },
    ],
    edges: [{ source: 'start', target: 'result' }],
    settings: {},
  };
}

function decodeDefinition(value: Readonly<Record<string, unknown>>): JsonObject | undefined {
  return isJsonObject(value['definition']) ? value['definition'] : undefined;
}

async function readDefinition(uri: vscode.Uri): Promise<JsonObject> {
  const name = plainLine(uri.path.slice(uri.path.lastIndexOf('/') + 1));
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > limits.importBytes)
    throw new PlainError(vscode.l10n.t('"{0}" is larger than 5 MiB, the most that can be imported.', name));
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const definition = parseJson(text);
  if (definition === undefined)
    throw new PlainError(vscode.l10n.t('"{0}" is not valid JSON. Nothing was imported.', name));
  if (!isJsonObject(definition))
    throw new PlainError(vscode.l10n.t('"{0}" holds no workflow: it must be a JSON object.', name));
  return definition;
}

async function askDefinitionFile(): Promise<JsonObject> {
  const picked = await vscode.window.showOpenDialog({
    filters,
    canSelectMany: false,
    openLabel: vscode.l10n.t('Import'),
    title: vscode.l10n.t('Import a Workflow'),
  });
  const uri = picked?.[0];
  if (uri === undefined) throw new Cancelled();
  return readDefinition(uri);
}

function fileNameOf(name: string): string {
  const plain = fileName(name);
  return `${plain === '' ? 'workflow' : plain}.workflow.json`;
}

async function saveDefinition(workflow: WorkflowReading, definition: JsonObject): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = fileNameOf(workflow.name);
  const uri = await vscode.window.showSaveDialog({
    filters,
    title: vscode.l10n.t('Export the Workflow'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) throw new Cancelled();
  await vscode.workspace.fs.writeFile(
    uri,
    new TextEncoder().encode(`${JSON.stringify(definition, null, 2)}\n`),
  );
}

export function registerDefinitionFiles(parts: WorkflowCommandsParts): Disposable {
  const { commands, connections, workflows, actions } = parts;
  const owned = new DisposableStore();
  owned.add(
    commands.register('workflow.create', {
      decode: decodeDefinition,
      expects: '{definition}',
      ask: async () => {
        requireActiveConnection(connections);
        return newDefinition(
          await askText({
            prompt: vscode.l10n.t('Name of the new workflow'),
            validate: (text) => (text.trim() === '' ? vscode.l10n.t('A workflow needs a name.') : undefined),
          }),
        );
      },
      run: async (definition) => {
        const workflow = await actions.create(requireActiveConnection(connections).id, definition);
        return { workflowId: workflow.id };
      },
    }),
  );
  owned.add(
    commands.register('workflow.import', {
      decode: decodeDefinition,
      expects: '{definition}',
      ask: async () => {
        requireActiveConnection(connections);
        return askDefinitionFile();
      },
      run: async (definition) => {
        const workflow = await actions.import(requireActiveConnection(connections).id, definition);
        return { workflowId: workflow.id };
      },
    }),
  );
  owned.add(
    commands.register('workflow.export', {
      ...workflowArgument(parts),
      run: async (target, { isInteractive }) => {
        const workflow = await withProgress(vscode.l10n.t('Reading the workflow…'), (signal) =>
          workflows.read(target, signal),
        );
        const definition = toDefinition(workflow);
        if (isInteractive) await saveDefinition(workflow, definition);
        return definition;
      },
    }),
  );
  return owned;
}
