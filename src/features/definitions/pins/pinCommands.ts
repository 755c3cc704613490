// The commands that edit the pin of a node, and remove it or the answers to its request.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import { plainLine } from '../../../base/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { choose, showMessage } from '../../../editor/prompts/prompts.ts';
import type { App } from '../../../ui/app.ts';
import { hasPinnableOutput, pinValue, refuseLoop, useOfPin } from '../../../ui/pinning.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import type { DrawnExecution, DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { nodeAtCursor } from '../shownExecution/selecting.ts';
import { nodeGone } from '../showNode.ts';
import { openPin, uriOfPin } from './pinDocuments.ts';
import type { PinFiles } from './pinFiles.ts';

export type PinCommandsDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'pinFiles' | 'pins' | 'services' | 'workflows'
>;

export function registerPinCommands(
  drawnExecutions: DrawnExecutions,
  files: Pick<PinFiles, 'begin'>,
  deps: PinCommandsDeps,
): Disposable {
  const { commands, pins, services } = deps;
  return combine(
    commands.register('node.editPin', {
      ask: () => pickWorkflow(deps),
      run: async ({ nodeId: given, ...target }) => {
        // Only drafts use pins. One that is there already can still be removed.
        services.demand(target.connectionId, 'draft');
        const drawn = drawnExecutions.findOf(target);
        const nodeId = given ?? (drawn && nodeAtCursor(drawn)) ?? (await choosePin(deps, drawn, target));
        const name = drawn?.text.byId.get(nodeId)?.name;
        const uri = uriOfPin(deps, { target, nodeId, kind: 'output' }, name);
        if (pins.find(target, nodeId)?.kind !== 'output' && !(await pinShown(deps, drawn, nodeId)))
          files.begin(uri);
        return openPin(deps, uri);
      },
    }),
    commands.register('node.removePin', {
      ask: () => pickWorkflow(deps),
      run: async ({ nodeId: given, ...target }, { isInteractive }) => {
        const drawn = drawnExecutions.findOf(target);
        const atCursor = drawn && nodeAtCursor(drawn);
        const isPinned = atCursor !== undefined && pins.find(target, atCursor) !== undefined;
        const nodeId = given ?? (isPinned ? atCursor : await choosePin(deps, drawn, target));
        await removePin(deps, target, nodeId, isInteractive);
        return { nodeId };
      },
    }),
  );
}

/** Pins what the shown execution has, so that it can be edited; false when it has nothing. */
async function pinShown(
  { commands }: PinCommandsDeps,
  drawn: DrawnExecution | undefined,
  nodeId: string,
): Promise<boolean> {
  if (drawn !== undefined) {
    const node = drawn.text.byId.get(nodeId);
    if (node === undefined) throw nodeGone(nodeId);
    refuseLoop(node.type);
  }
  const shown = findOutput(drawn, nodeId);
  if (shown === undefined) return false;
  await commands.run('nodeRun.pinOutput', shown);
  return true;
}

/** The node run that is shown, if its output can be pinned. */
export function findOutput(
  drawn: DrawnExecution | undefined,
  nodeId: string,
): (ExecutionTarget & { readonly nodeRunKey: string }) | undefined {
  const run = drawn?.nodes.get(nodeId)?.run;
  if (drawn?.shown.kind !== 'execution' || run === undefined || !hasPinnableOutput(run)) return undefined;
  return { ...drawn.shown.target, nodeRunKey: run.key };
}

/** Throws a PlainError if the workflow has no pin. */
function choosePin(
  { pins }: PinCommandsDeps,
  drawn: DrawnExecution | undefined,
  target: WorkflowTarget,
): Promise<string> {
  const all = pins.list(target);
  if (all.length === 0)
    throw new PlainError(
      vscode.l10n.t(
        'No node of this workflow is pinned. Open the definition and place the cursor inside a node.',
      ),
    );
  return choose(
    vscode.l10n.t('Select a pin'),
    all.map(({ nodeId, kind }) => {
      const isGone = drawn !== undefined && useOfPin(drawn.text, { nodeId, kind }) === 'gone';
      return {
        icon: isGone ? 'warning' : kind === 'output' ? 'pinned' : 'reply',
        label: plainLine(drawn?.text.byId.get(nodeId)?.name ?? nodeId, 80),
        description: isGone ? vscode.l10n.t('no node has this id') : plainLine(nodeId, 80),
        value: nodeId,
      };
    }),
  );
}

async function removePin(
  { commands, pins }: PinCommandsDeps,
  target: WorkflowTarget,
  nodeId: string,
  isInteractive: boolean,
): Promise<void> {
  const pin = pins.find(target, nodeId);
  if (pin === undefined) throw new PlainError(vscode.l10n.t("This node isn't pinned."));
  await pins.remove(target, [nodeId]);
  if (!isInteractive) return;
  const undo = { title: vscode.l10n.t('Undo') };
  const name = plainLine(nodeId, 80);
  const said =
    pin.kind === 'output'
      ? vscode.l10n.t('The pin of "{0}" was removed.', name)
      : vscode.l10n.t('The answers of "{0}" were removed.', name);
  const restore = (): Promise<void> => {
    if (pins.find(target, nodeId) !== undefined)
      throw new PlainError(
        vscode.l10n.t('"{0}" was pinned or answered again in the meantime, so nothing was restored.', name),
      );
    return pinValue(pins, target, nodeId, pin.value, pin.kind);
  };
  void showMessage('information', said, [undo])
    .then((answer) => (answer === undefined ? undefined : restore()))
    .catch((error: unknown) => commands.present(error));
}
