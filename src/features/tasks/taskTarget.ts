// Finds the workflow and the input that a task means. Nothing is sent to it before both are known.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { Connection } from '../../domain/connection.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { plainLine } from '../../base/format.ts';
import { pathWithin, statFile } from '../../editor/documents/workspaceFiles.ts';
import { PlainError } from '../../editor/plainError.ts';
import { parseInput } from '../../model/inputs/inputText.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { presetEnding } from '../../model/inputs/presetChoices.ts';
import type { App } from '../../ui/app.ts';
import { findWorkflow } from '../../ui/pickers/findWorkflow.ts';
import { findPresets, readPreset } from '../../ui/presetFiles.ts';
import type { TaskDefinition } from './taskDefinition.ts';

interface TaskTarget {
  readonly target: WorkflowTarget;
  readonly input: JsonObject;
}

/** `folder`: the task's. Rejects with a PlainError or a ServiceError. */
export async function findTaskTarget(
  deps: Pick<App, 'connections' | 'workflows'>,
  task: TaskDefinition,
  folder: vscode.WorkspaceFolder | undefined,
  signal: AbortSignal,
): Promise<TaskTarget> {
  const input = await readInput(task, folder);
  const { id } = findConnection(deps.connections, task.connection);
  const { connectionId, workflowId } = await findWorkflow(deps, id, task.workflow, signal);
  return { target: { connectionId, workflowId }, input };
}

function findConnection(connections: App['connections'], wanted: string | undefined): Connection {
  if (wanted === undefined) return requireActiveConnection(connections);
  const all = connections.all.current;
  const byId = all.filter(({ id }) => id === wanted);
  const [found, ...others] = byId.length > 0 ? byId : all.filter(({ name }) => name === wanted);
  const shown = plainLine(wanted, 80);
  if (found === undefined) throw new PlainError(vscode.l10n.t('No connection is named "{0}".', shown));
  if (others.length > 0) throw new PlainError(vscode.l10n.t('Several connections are named "{0}".', shown));
  return found;
}

async function readInput(
  { input = {}, preset }: TaskDefinition,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<JsonObject> {
  if (preset === undefined && typeof input === 'object') return input;
  const name = preset === undefined ? 'input' : plainLine(preset, 80);
  const given = preset === undefined ? input : (await readPreset(await findPreset(preset, folder))).text;
  const parsed = typeof given === 'string' ? parseInput(given) : given;
  if (parsed === undefined) throw new PlainError(vscode.l10n.t('"{0}" isn\'t a JSON object.', name));
  return parsed;
}

/** By its path in the folder, or else by its name in the workspace. */
async function findPreset(preset: string, folder: vscode.WorkspaceFolder | undefined): Promise<vscode.Uri> {
  const base = folder ?? vscode.workspace.workspaceFolders?.[0];
  if (base !== undefined && preset.endsWith(presetEnding)) {
    const uri = vscode.Uri.joinPath(base.uri, ...preset.split(/[\\/]/));
    if (pathWithin(base.uri, uri) !== undefined && (await statFile(uri))) return uri;
  }
  const [found, ...others] = (await findPresets(undefined)).filter(({ name }) => name === preset);
  const shown = plainLine(preset, 80);
  if (found === undefined) throw new PlainError(vscode.l10n.t('No preset is named "{0}".', shown));
  if (others.length > 0) throw new PlainError(vscode.l10n.t('Several presets are named "{0}".', shown));
  return found.uri;
}
