// The lenses of pins in a definition: what a node gives instead of running, which pins aren't used, and which outputs can be pinned.
import * as vscode from 'vscode';
import { writeTruncatedJson } from '../../../base/boundedJson.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { joined, jsonLine, plainLine, withoutIcons } from '../../../editor/format.ts';
import type { Pin, Pins } from '../../../model/pins/pins.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { hasPinnableOutput, useOfPin } from '../../../ui/pinning.ts';
import type { DrawnExecution } from '../shownExecution/drawnExecutions.ts';
import { renderShortJson } from '../shownExecution/shortJson.ts';

type Commands = readonly vscode.Command[];
type PinsDeps = Pick<Pins, 'find' | 'list'>;

const maximumValue = 60;
/** How many pins without a node are listed above the nodes. */
const maximumGone = 3;

/** Made once for a pin and for a node as it's shown: on each key stroke all are asked for, and only their places are new. */
export class PinLenses {
  readonly #pins: PinsDeps;
  readonly #ofPins = new WeakMap<Pin, Commands>();
  readonly #ofNodes = new WeakMap<NodeView, Commands>();

  constructor(pins: PinsDeps) {
    this.#pins = pins;
  }

  list({ document, text, shown, nodes }: DrawnExecution, target: WorkflowTarget): readonly vscode.CodeLens[] {
    const lensesAt = (offset: number, commands: Commands): readonly vscode.CodeLens[] => {
      const start = document.positionAt(offset);
      return commands.map((command) => new vscode.CodeLens(new vscode.Range(start, start), command));
    };
    const gone = this.#pins.list(target).filter(({ nodeId }) => useOfPin(text, nodeId) === 'gone');
    const above = text.locate(['nodes']).offset;
    const runs = shown.kind === 'execution' ? shown.target : undefined;
    return [
      ...gone
        .slice(0, maximumGone)
        .flatMap((pin) => lensesAt(above, renderUnused(pin, target, describeMissingNode(pin)))),
      ...[...text.byId.values()].flatMap(({ id, offset }) => {
        const pin = this.#pins.find(target, id);
        const node = nodes.get(id);
        if (pin !== undefined)
          return useOfPin(text, id) === 'loop'
            ? lensesAt(offset, renderUnused(pin, target, sayLoop()))
            : lensesAt(offset, this.#ofPin(pin, target));
        return runs === undefined || node === undefined ? [] : lensesAt(offset, this.#ofNode(node, runs));
      }),
    ];
  }

  #ofPin(pin: Pin, target: WorkflowTarget): Commands {
    const known = this.#ofPins.get(pin);
    if (known !== undefined) return known;
    const commands = renderPin(pin, target);
    this.#ofPins.set(pin, commands);
    return commands;
  }

  #ofNode(node: NodeView, execution: ExecutionTarget): Commands {
    const known = this.#ofNodes.get(node);
    if (known !== undefined) return known;
    const commands = renderPinOutput(node, execution);
    this.#ofNodes.set(node, commands);
    return commands;
  }
}

function renderPin(pin: Pin, target: WorkflowTarget): Commands {
  const value = jsonLine(writeTruncatedJson(pin.value, 2 * maximumValue), maximumValue);
  const title = `$(pinned) ${withoutIcons(vscode.l10n.t('Pinned: {0}', value))}`;
  const tooltip = joined(
    [
      vscode.l10n.t('Drafts get this value instead of running the node. Select it to edit it.'),
      renderShortJson(pin.value),
    ],
    '\n',
  );
  return renderCommands(pin, target, { title, tooltip });
}

function renderUnused(pin: Pin, target: WorkflowTarget, said: string): Commands {
  const title = `$(warning) ${withoutIcons(said)}`;
  return renderCommands(pin, target, {
    title,
    tooltip: vscode.l10n.t("This pin isn't used. Select it to edit it."),
  });
}

function describeMissingNode({ nodeId }: Pin): string {
  return vscode.l10n.t('The pin "{0}" has no node', plainLine(nodeId, 80));
}

function sayLoop(): string {
  return vscode.l10n.t("Pin not used: a loop can't be pinned");
}

function renderCommands(
  { nodeId }: Pin,
  target: WorkflowTarget,
  edit: { readonly title: string; readonly tooltip: string },
): Commands {
  return [
    offerCommand('node.editPin', { ...target, nodeId }, edit),
    offerCommand('node.removePin', { ...target, nodeId }, { title: vscode.l10n.t('Remove Pin') }),
  ];
}

function renderPinOutput({ run }: NodeView, execution: ExecutionTarget): Commands {
  if (run === undefined || !hasPinnableOutput(run)) return [];
  const words = {
    title: vscode.l10n.t('Pin Output'),
    tooltip: vscode.l10n.t('Drafts get this output instead of running the node'),
  };
  return [offerCommand('nodeRun.pinOutput', { ...execution, nodeRunKey: run.key }, words)];
}
