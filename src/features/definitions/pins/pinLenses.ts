// The lenses of pins in a definition: what a node gets instead of running or sending, which pins aren't used, and which outputs can be pinned
// and requests answered.
import * as vscode from 'vscode';
import { writeTruncatedJson } from '../../../base/boundedJson.ts';
import { getOrInsert } from '../../../base/getOrInsert.ts';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../../base/json.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { lensesAt } from '../../../editor/documents/documents.ts';
import { joined, jsonLine, plainLine, withoutIcons } from '../../../base/format.ts';
import type { Pin, Pins } from '../../../model/pins/pins.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { hasAnswerableRequest, hasPinnableOutput, useOfPin } from '../../../ui/pinning.ts';
import type { DrawnExecution } from '../shownExecution/drawnExecutions.ts';
import { renderShortJson } from '../shownExecution/shortJson.ts';

type Commands = readonly vscode.Command[];
type PinsDeps = Pick<Pins, 'find' | 'list'>;

const maximumValue = 60;
/** How many pins without a node are listed above the nodes. */
const maximumGone = 3;
/** How many answers a lens names. */
const maximumAnswers = 5;

/** Made once for a pin and for a node as it's shown: on each key stroke all are asked for, and only their places are new. */
export class PinLenses {
  readonly #pins: PinsDeps;
  readonly #ofPins = new WeakMap<Pin, Commands>();
  readonly #ofNodes = new WeakMap<NodeView, Commands>();
  readonly #answersOfNodes = new WeakMap<NodeView, Commands>();

  constructor(pins: PinsDeps) {
    this.#pins = pins;
  }

  /** `canAnswer`: whether the service takes answers to requests. */
  list(
    { document, text, shown, nodes }: DrawnExecution,
    target: WorkflowTarget,
    canAnswer: boolean,
  ): readonly vscode.CodeLens[] {
    const gone = this.#pins.list(target).filter((pin) => useOfPin(text, pin) === 'gone');
    const above = text.locate(['nodes']).offset;
    const runs = shown.kind === 'execution' ? shown.target : undefined;
    return [
      ...gone
        .slice(0, maximumGone)
        .flatMap((pin) => lensesAt(document, above, renderUnused(pin, target, describeMissingNode(pin)))),
      ...[...text.byId.values()].flatMap(({ id, offset }) => {
        const pin = this.#pins.find(target, id);
        const node = nodes.get(id);
        if (pin !== undefined) {
          const unused = sayUnused(useOfPin(text, pin));
          return lensesAt(
            document,
            offset,
            unused === undefined
              ? getOrInsert(this.#ofPins, pin, () => renderPin(pin, target))
              : renderUnused(pin, target, unused),
          );
        }
        if (runs === undefined || node === undefined) return [];
        return [
          ...lensesAt(
            document,
            offset,
            getOrInsert(this.#ofNodes, node, () => renderPinOutput(node, runs)),
          ),
          ...(canAnswer
            ? lensesAt(
                document,
                offset,
                getOrInsert(this.#answersOfNodes, node, () => renderAnswerRequest(node, id, target)),
              )
            : []),
        ];
      }),
    ];
  }
}

function renderPin(pin: Pin, target: WorkflowTarget): Commands {
  if (pin.kind === 'answers') return renderAnswers(pin, target);
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

function renderAnswers(pin: Pin, target: WorkflowTarget): Commands {
  const title = `$(reply) ${withoutIcons(vscode.l10n.t('Answered: {0}', describeAnswers(pin.value)))}`;
  const tooltip = joined(
    [
      vscode.l10n.t(
        'Drafts get these answers, one for each attempt, instead of sending the request. Select them to edit them.',
      ),
      renderShortJson(pin.value),
    ],
    '\n',
  );
  return renderCommands(pin, target, { title, tooltip });
}

/** "503, 200". */
function describeAnswers(value: JsonValue): string {
  const answers = isJsonArray(value) ? value : [];
  const words = answers.slice(0, maximumAnswers).map(describeAnswer);
  return [...words, ...(answers.length > words.length ? ['…'] : [])].join(', ');
}

function describeAnswer(answer: JsonValue): string {
  const { error, status } = isJsonObject(answer) ? answer : {};
  return plainLine(typeof error === 'string' ? error : stringifyJson(status ?? null), 20);
}

function renderUnused(pin: Pin, target: WorkflowTarget, said: string): Commands {
  const title = `$(warning) ${withoutIcons(said)}`;
  return renderCommands(pin, target, {
    title,
    tooltip: vscode.l10n.t("This pin isn't used. Select it to edit it."),
  });
}

function describeMissingNode({ nodeId, kind }: Pin): string {
  const name = plainLine(nodeId, 80);
  return kind === 'output'
    ? vscode.l10n.t('The pin "{0}" has no node', name)
    : vscode.l10n.t('The answers "{0}" have no node', name);
}

/** Undefined for a pin that is used. */
function sayUnused(use: ReturnType<typeof useOfPin>): string | undefined {
  switch (use) {
    case 'loop':
      return vscode.l10n.t("Pin not used: a loop can't be pinned");
    case 'noRequest':
      return vscode.l10n.t('Answers not used: this node sends no HTTP request');
    default:
      return undefined;
  }
}

function renderCommands(
  { nodeId, kind }: Pin,
  target: WorkflowTarget,
  edit: { readonly title: string; readonly tooltip: string },
): Commands {
  const isOutput = kind === 'output';
  const remove = isOutput ? vscode.l10n.t('Remove Pin') : vscode.l10n.t('Remove Answers');
  return [
    offerCommand(isOutput ? 'node.editPin' : 'node.answerRequest', { ...target, nodeId }, edit),
    offerCommand('node.removePin', { ...target, nodeId }, { title: remove }),
  ];
}

function renderAnswerRequest({ run }: NodeView, nodeId: string, target: WorkflowTarget): Commands {
  if (run === undefined || !hasAnswerableRequest(run)) return [];
  const words = {
    title: vscode.l10n.t('Answer Request…'),
    tooltip: vscode.l10n.t('Drafts get this response instead of sending the request'),
  };
  return [offerCommand('node.answerRequest', { ...target, nodeId }, words)];
}

function renderPinOutput({ run }: NodeView, execution: ExecutionTarget): Commands {
  if (run === undefined || !hasPinnableOutput(run)) return [];
  const words = {
    title: vscode.l10n.t('Pin Output'),
    tooltip: vscode.l10n.t('Drafts get this output instead of running the node'),
  };
  return [offerCommand('nodeRun.pinOutput', { ...execution, nodeRunKey: run.key }, words)];
}
