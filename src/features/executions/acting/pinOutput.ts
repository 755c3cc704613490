// Pins the output of a node run: drafts of its workflow get it instead of running the node.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { equalJson, type JsonValue } from '../../../base/json.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import { confirm } from '../../../editor/prompts/dialogs.ts';
import { plainLine } from '../../../base/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { showStatusBarMessage } from '../../../editor/prompts/statusBarMessage.ts';
import { truncatedValue } from '../../../protocol/truncatedValue.ts';
import type { App } from '../../../ui/app.ts';
import { requireWorkflowId } from '../../../ui/workflowOf.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { pinValue, refuseLoop } from '../../../ui/pinning.ts';
import { requireRun, type NodeRunArgument } from '../../../ui/pickers/nodeRunPicker.ts';
import type { NodeRunDeps } from '../commands/opening.ts';

type PinOutputDeps = NodeRunDeps & Pick<App, 'pins' | 'services'>;

export function registerPinOutput(deps: PinOutputDeps): Disposable {
  const { commands, executions, pins, services } = deps;
  return commands.register<'nodeRun.pinOutput', NodeRunArgument>('nodeRun.pinOutput', {
    ask: () => pickExecution(deps),
    run: async (argument, { isInteractive }) => {
      const { connectionId, executionId }: NodeRunArgument = argument;
      const execution = { connectionId, executionId };
      const run = await requireRun(deps, argument, isInteractive);
      // A pin is for drafts only.
      services.demand(connectionId, 'draft');
      const workflowId = requireWorkflowId(await executions.get(execution));
      const target = { connectionId, workflowId };
      const output = await readOutput(deps, execution, run);
      if (isInteractive) await confirmReplaced(pins, target, run, output);
      await pinValue(pins, target, run.nodeId, output);
      if (isInteractive) showStatusBarMessage(vscode.l10n.t('Output pinned.'));
      return { workflowId, nodeId: run.nodeId };
    },
  });
}

/** The whole output, also where only its beginning is held. */
async function readOutput(
  { executions }: PinOutputDeps,
  execution: ExecutionTarget,
  run: NodeRun,
): Promise<JsonValue> {
  refuseLoop(run.nodeType);
  if (run.output === undefined || run.output === null)
    throw new PlainError(vscode.l10n.t('This node run has no output.'));
  const output = await executions.readWholeValue(execution, run, 'output');
  if (output === undefined || truncatedValue(output) !== undefined)
    throw new PlainError(
      vscode.l10n.t("The service returns only the beginning of this output, so it can't be pinned."),
    );
  return output;
}

/** Asks before a pin is lost that may have been written by hand. */
async function confirmReplaced(
  pins: App['pins'],
  target: WorkflowTarget,
  { nodeId, nodeName }: NodeRun,
  output: JsonValue,
): Promise<void> {
  const pin = pins.find(target, nodeId);
  if (pin === undefined || (pin.kind === 'output' && equalJson(pin.value, output))) return;
  await confirm(
    vscode.l10n.t('Replace the pin of "{0}"?', plainLine(nodeName, 80)),
    vscode.l10n.t('Replace'),
    pin.kind === 'output'
      ? vscode.l10n.t('This node is pinned to another value, which is lost.')
      : vscode.l10n.t('The request of this node has answers, which are lost.'),
  );
}
