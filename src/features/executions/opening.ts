// Why: the commands that open what can be read of an execution, each as a document of its own.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Connections } from '../../model/connections/connections.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { NodeRun } from '../../model/executions/nodeRuns.ts';
import type { ExecutionTarget } from '../../model/targets.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import { textMember } from '../../pickers/activeConnection.ts';
import {
  decodeExecutionTarget,
  executionArgument,
  shortId,
  workflowName,
} from '../../pickers/executionPicker.ts';
import type { ExecutionPickerParts } from '../../pickers/executionPicker.ts';
import type { Commands } from '../../platform/commands.ts';
import { PlainError } from '../../platform/describeError.ts';
import { formatDuration, plainLine } from '../../platform/format.ts';
import { choose } from '../../platform/prompts.ts';
import { statusIcon, statusWord } from '../../platform/statusIcon.ts';
import { renderNodeName } from '../../rows/renderLogLine.ts';
import { executionUri } from './executionUri.ts';
import type { ExecutionPart } from './executionUri.ts';
import type { Outputs } from './outputs.ts';

export interface OpeningParts extends ExecutionPickerParts {
  readonly commands: Commands;
  readonly connections: Connections;
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly outputs: Outputs;
}

function partWord(part: ExecutionPart): string {
  switch (part) {
    case 'details':
      return vscode.l10n.t('details');
    case 'input':
      return vscode.l10n.t('input');
    case 'output':
      return vscode.l10n.t('output');
    case 'node':
      return vscode.l10n.t('node');
    case 'log':
      // Its ending says so already.
      return '';
  }
}

async function titleOf(parts: OpeningParts, target: ExecutionTarget, part: ExecutionPart): Promise<string> {
  const execution = parts.executions.find(target) ?? (await parts.executions.read(target));
  const name = workflowName(parts.workflows, target.connectionId, execution.workflowId);
  return `${name} ${shortId(target.executionId)} ${partWord(part)}`;
}

/** The address of one part. That of an output tells what it is, so the output is read for it, and kept for its document. */
export async function documentUri(
  parts: OpeningParts,
  target: ExecutionTarget,
  part: ExecutionPart,
): Promise<vscode.Uri> {
  const title = await titleOf(parts, target, part);
  const extension = part === 'output' ? await parts.outputs.readAhead(target) : undefined;
  return executionUri({ target, part, nodeRunKey: '' }, title, extension);
}

async function show(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

function registerParts(parts: OpeningParts): Disposable {
  const owned = new DisposableStore();
  const openers = [
    ['execution.open', 'details'],
    ['execution.openInput', 'input'],
    ['execution.openOutput', 'output'],
    ['execution.openLog', 'log'],
  ] as const;
  for (const [command, part] of openers) {
    owned.add(
      parts.commands.register(command, {
        ...executionArgument(parts),
        run: async (target) => {
          const uri = await documentUri(parts, target, part);
          try {
            await show(uri);
          } finally {
            parts.outputs.forget(target);
          }
          return uri.toString();
        },
      }),
    );
  }
  return owned;
}

/** A node run by its key, or those of a node. */
interface NodeRunArgument {
  readonly target: ExecutionTarget;
  readonly nodeRunKey: string | undefined;
  readonly nodeId: string | undefined;
}

function describeRun({ status, durationMs, error }: NodeRun): string {
  const word = statusWord(status?.state ?? 'unknown', plainLine(status?.word ?? '', 40));
  const duration = durationMs === null ? '' : formatDuration(durationMs);
  const reason = error === null ? '' : plainLine(error.message, 120);
  return [word, duration, reason].filter((text) => text !== '').join(' · ');
}

function chooseRun(runs: readonly NodeRun[]): Promise<NodeRun> {
  return choose(
    vscode.l10n.t('Choose a node run to open'),
    runs.map((run) => ({
      label: renderNodeName(run),
      description: describeRun(run),
      iconPath: statusIcon(run.status?.state ?? 'unknown', run.status?.hasWarning),
      value: run,
    })),
  );
}

/** The run that is meant; a person is asked where a node has several, code gets the last. */
async function findRun(
  { executions }: OpeningParts,
  { target, nodeRunKey, nodeId }: NodeRunArgument,
  isInteractive: boolean,
): Promise<NodeRun | undefined> {
  const all = executions.logs(target).nodeRuns.current;
  if (nodeRunKey !== undefined) return all.find(({ key }) => key === nodeRunKey);
  const known = all.length > 0 ? all : (await executions.readLogs(target)).nodeRuns.current;
  const runs = nodeId === undefined ? known : known.filter((run) => run.nodeId === nodeId);
  if (runs.length === 0) throw new PlainError(vscode.l10n.t('This node has no run in this execution.'));
  return isInteractive && runs.length > 1 ? chooseRun(runs) : runs.at(-1);
}

function registerNodeRun(parts: OpeningParts): Disposable {
  return parts.commands.register<NodeRunArgument, string>('nodeRun.open', {
    decode: (value) => {
      const target = decodeExecutionTarget(value, parts.connections);
      const nodeRunKey = textMember(value, 'nodeRunKey');
      const nodeId = textMember(value, 'nodeId');
      if (target === undefined || (nodeRunKey ?? nodeId) === undefined) return undefined;
      return { target, nodeRunKey, nodeId };
    },
    expects: '{executionId, nodeRunKey} or {executionId, nodeId}',
    ask: async () => ({
      target: await executionArgument(parts).ask(),
      nodeRunKey: undefined,
      nodeId: undefined,
    }),
    run: async (argument, { isInteractive }) => {
      const { target } = argument;
      const run = await findRun(parts, argument, isInteractive);
      const turn = run?.iteration.map((index) => ` ${index + 1}`).join('') ?? '';
      const uri = executionUri(
        { target, part: 'node', nodeRunKey: run?.key ?? argument.nodeRunKey ?? '' },
        `${run?.nodeName ?? partWord('node')}${turn} ${shortId(target.executionId)}`,
      );
      await show(uri);
      return uri.toString();
    },
  });
}

export function registerOpening(parts: OpeningParts): Disposable {
  const owned = new DisposableStore();
  owned.add(registerParts(parts));
  owned.add(registerNodeRun(parts));
  return owned;
}
