// The lenses of a definition: of its execution and of the workflow on the first line, then of each node and of each line with expressions.
import * as vscode from 'vscode';
import { stringifyJson } from '../../base/json.ts';
import { type Disposable, DisposableStore, combine } from '../../base/disposable.ts';
import type { Observable } from '../../base/event.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { Pulse } from '../../base/pulse.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { offerCommand } from '../../editor/commands.ts';
import { lensesAt } from '../../editor/documents/documents.ts';
import { definitionSelector } from '../../editor/ids.ts';
import { onDidChange, settings } from '../../editor/settings.ts';
import type { NodeView } from '../../model/runs/nodeView.ts';
import type { ShownExecution } from '../../model/selection/shownExecution.ts';
import type { App } from '../../ui/app.ts';
import { FileDifferences } from '../../ui/fileDifference.ts';
import { listCodeLenses } from './code/codeLenses.ts';
import { DraftLenses } from './drafts/nodeLenses.ts';
import { PinLenses } from './pins/pinLenses.ts';
import { withoutReplaced } from '../../ui/changedNodes.ts';
import type { DrawnExecution, DrawnExecutions } from './shownExecution/drawnExecutions.ts';
import {
  type NodeLens,
  renderExecutionLens,
  renderExecutionTooltip,
  renderNodeActions,
  renderNodeOutcome,
} from './shownExecution/renderExecutionLenses.ts';
import type { AgedView } from '../../editor/tree/ages.ts';
import { fileCommands, renderDefinitionLenses, renderFileLenses } from './workflowLenses.ts';

type LensesDeps = Pick<
  App,
  'ages' | 'clock' | 'definitionTargets' | 'definitionTexts' | 'pins' | 'services' | 'workflows'
>;

/** Lenses can't be clicked while they're being redrawn, so they're redrawn only if they say or do something else. */
export function registerLenses(drawnExecutions: DrawnExecutions, deps: LensesDeps): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  const nodeCommands = new NodeCommands();
  const draftLenses = new DraftLenses(deps.definitionTexts);
  const pinLenses = new PinLenses(deps.pins);
  const differences = new FileDifferences();
  const list = (document: vscode.TextDocument): readonly vscode.CodeLens[] =>
    listLenses(drawnExecutions, { nodeCommands, draftLenses, pinLenses, differences }, deps, document);
  const given = new WeakMap<vscode.TextDocument, Given>();
  /** After a change of the text the editor asks anyway. */
  const isStale = (document: vscode.TextDocument): boolean => {
    const known = given.get(document);
    return known?.version === document.version && !areSame(known.lenses, list(document));
  };
  const compare = (): void => {
    if (vscode.workspace.textDocuments.some(isStale)) changes.fire();
  };
  /** After what is given at the ends of lines, for which somebody may wait, and once for several changes. */
  const pulse = owned.add(new Pulse(deps.clock, compare, { first: 0 }));
  const redraw = (): void => pulse.ask();
  const watched = new WeakSet<Observable<unknown>>();
  /** A service may report what it offers later than its definitions. */
  const watchOffers = ({ uri }: vscode.TextDocument): void => {
    const { connectionId } = deps.definitionTargets.of(uri) ?? {};
    if (connectionId === undefined) return;
    for (const offers of [deps.services.capabilities(connectionId), deps.services.notOffered(connectionId)]) {
      if (watched.has(offers)) continue;
      watched.add(offers);
      owned.add(offers.onDidChange(redraw));
    }
  };
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changes.event,
    provideCodeLenses: (document) => {
      watchOffers(document);
      const lenses = list(document);
      given.set(document, { version: document.version, lenses });
      return [...lenses];
    },
  };
  owned.add(vscode.languages.registerCodeLensProvider(definitionSelector, provider));
  owned.add(drawnExecutions.onDidChange(redraw));
  owned.add(deps.workflows.onDidChangeItems(redraw));
  owned.add(deps.pins.onDidChange(redraw));
  owned.add(onDidChange(settings.showExecution, redraw));
  owned.add(deps.definitionTargets.onDidChange(redraw));
  owned.add(deps.definitionTargets.onDidCompare(redraw));
  owned.add(keepAges(deps, redraw));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => {
      // An event without content changes means that the dirty state changed.
      if (contentChanges.length === 0) redraw();
    }),
  );
  return owned;
}

/** What the editor has. */
interface Given {
  /** That of the text. */
  readonly version: number;
  readonly lenses: readonly vscode.CodeLens[];
}

/** True if they say and do the same on the same text. */
function areSame(some: readonly vscode.CodeLens[], others: readonly vscode.CodeLens[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(({ range, command }, at) => {
    const other = others[at];
    const isThere = other?.range.start.line === range.start.line;
    return isThere && (command === other.command || stringifyJson(command) === stringifyJson(other.command));
  });
}

/** What holds the lenses that were made before. */
interface Makers {
  readonly nodeCommands: NodeCommands;
  readonly draftLenses: DraftLenses;
  readonly pinLenses: PinLenses;
  readonly differences: FileDifferences;
}

/** In the order in which they stand on a line. */
function listLenses(
  drawnExecutions: DrawnExecutions,
  { nodeCommands, draftLenses, pinLenses, differences }: Makers,
  deps: LensesDeps,
  document: vscode.TextDocument,
): readonly vscode.CodeLens[] {
  const target = deps.definitionTargets.ofEdited(document.uri);
  if (target === undefined) return [];
  const drawn = drawnExecutions.find(document);
  const { now } = deps.ages;
  const canExecuteAlone = deps.services.offers(target.connectionId, 'executeNodeAlone');
  const isArchived = deps.workflows.find(target)?.isArchived === true;
  return [
    ...(drawn ? executionLenses(drawn, drawnExecutions.wasRedeployedAfter(document), now) : []),
    ...workflowLenses(deps, differences, document, target),
    ...(drawn ? nodeLenses(deps, drawn, nodeCommands) : []),
    ...(deps.services.offers(target.connectionId, 'draft')
      ? [
          ...(isArchived ? [] : draftLenses.list(document, target, canExecuteAlone)),
          ...(drawn
            ? pinLenses.list(drawn, target, deps.services.offers(target.connectionId, 'answers'))
            : []),
        ]
      : []),
    ...listCodeLenses(deps.definitionTexts, document, target),
    ...(drawn ? evaluateLenses(drawn, target) : []),
  ];
}

/** To execute, fill in and deploy the workflow, and whether it's deployed. */
function workflowLenses(
  { ages, definitionTargets, definitionTexts, services, workflows }: LensesDeps,
  differences: FileDifferences,
  document: vscode.TextDocument,
  target: WorkflowTarget,
): readonly vscode.CodeLens[] {
  const workflow = workflows.find(target);
  if (workflow === undefined) return [];
  const mayDeploy = !services.notOffered(target.connectionId).current.has('deployWorkflow');
  const facts = { target, workflow, isEdited: document.isDirty, mayDeploy };
  const commands = definitionTargets.isLinkedFile(document.uri)
    ? renderFileLenses(
        { ...facts, isEdited: false },
        document.uri,
        !definitionTargets.isPushed(document) && differences.find(definitionTexts.of(document), workflow),
        ages.now,
      )
    : [...renderDefinitionLenses(facts, ages.now), ...fileCommands(definitionTargets.filesOf(target))];
  return lensesAt(document, 0, commands);
}

type ShownOne = Extract<ShownExecution, { readonly kind: 'execution' }>;

/** Which execution is shown, and how it went. */
function executionLenses(
  { document, shown }: DrawnExecution,
  wasRedeployedAfter: boolean,
  now: number,
): readonly vscode.CodeLens[] {
  const title = renderExecutionLens(shown, wasRedeployedAfter, now);
  if (title === undefined) return [];
  // A lens with an empty command is plain text.
  if (shown.kind !== 'execution') return lensesAt(document, 0, [{ title, command: '' }]);
  const tooltip = renderExecutionTooltip(wasRedeployedAfter);
  const openLog = offerCommand('execution.openLog', shown.target, { title, tooltip });
  return lensesAt(document, 0, [openLog, ...choices(shown)]);
}

function choices({ target, execution, isLatest }: ShownOne): readonly vscode.Command[] {
  if (execution.workflowId === null) return [];
  const workflow = { connectionId: target.connectionId, workflowId: execution.workflowId };
  const choose = offerCommand('workflow.chooseExecution', workflow, {
    title: vscode.l10n.t('Others…'),
    tooltip: vscode.l10n.t('Show another execution in this definition'),
  });
  if (isLatest) return [choose];
  const latest = offerCommand('workflow.showLatestExecution', workflow, {
    title: vscode.l10n.t('Show Latest'),
    tooltip: vscode.l10n.t('Show the latest execution in this definition'),
  });
  return [latest, choose];
}

function nodeLenses(
  { services }: LensesDeps,
  { document, shown, nodes, positions, changes }: DrawnExecution,
  nodeCommands: NodeCommands,
): readonly vscode.CodeLens[] {
  if (shown.kind !== 'execution') return [];
  const saysOutcome = !settings.showExecution();
  const canRetry =
    shown.execution.status.state === 'failed' && services.offers(shown.target.connectionId, 'retry');
  const lensed = saysOutcome ? withoutReplaced(positions, changes) : positions;
  return lensed.flatMap(({ id, offset }) => {
    const node = nodes.get(id);
    if (node === undefined) return [];
    return lensesAt(document, offset, nodeCommands.of(node, shown, { saysOutcome, canRetry }));
  });
}

/** What stands above each node, made once for a node as it's shown: on each key stroke all are asked for, and only their places are new. */
class NodeCommands {
  readonly #outcomes = new WeakMap<NodeView, readonly vscode.Command[]>();
  readonly #actions = new WeakMap<NodeView, readonly vscode.Command[]>();
  readonly #retryable = new WeakMap<NodeView, readonly vscode.Command[]>();

  of(
    node: NodeView,
    shown: ShownOne,
    { saysOutcome, canRetry }: { readonly saysOutcome: boolean; readonly canRetry: boolean },
  ): readonly vscode.Command[] {
    const made = saysOutcome ? this.#outcomes : canRetry ? this.#retryable : this.#actions;
    return getOrInsert(made, node, () => {
      const lenses = saysOutcome ? renderNodeOutcome(node) : renderNodeActions(node, canRetry);
      return lenses.map((lens) => toCommand(lens, node.nodeId, shown));
    });
  }
}

function toCommand(lens: NodeLens, nodeId: string, { target, execution }: ShownOne): vscode.Command {
  const { does, title, tooltip } = lens;
  const { connectionId } = target;
  const workflow = { connectionId, workflowId: execution.workflowId ?? '', nodeId };
  switch (does.kind) {
    case 'open':
      return offerCommand('nodeRun.open', { ...target, nodeRunKey: does.nodeRunKey }, { title, tooltip });
    case 'choose':
      return offerCommand('nodeRun.open', { ...target, nodeId }, { title, tooltip });
    case 'retry':
      return offerCommand('execution.retry', target, { title, tooltip });
    case 'nothing':
      return { title, command: '' };
    case 'previousIteration':
      return offerCommand('workflow.previousIteration', workflow, { title, tooltip });
    case 'nextIteration':
      return offerCommand('workflow.nextIteration', workflow, { title, tooltip });
  }
}

/** "Evaluate", once above each line that has expressions. */
function evaluateLenses(
  { document, text, shown }: DrawnExecution,
  target: WorkflowTarget,
): readonly vscode.CodeLens[] {
  if (shown.kind !== 'execution') return [];
  const words = {
    title: vscode.l10n.t('Evaluate'),
    tooltip: vscode.l10n.t("Evaluate with this execution's data. Nothing runs on the service."),
  };
  const places = [...text.byId.values()].flatMap((node) => node.expressions);
  const lines = new Set<number>();
  return places.flatMap(({ nodeId, path, start: offset }) => {
    const { line } = document.positionAt(offset);
    if (lines.has(line)) return [];
    lines.add(line);
    const argument = { ...target, nodeId, path: [...path] };
    return lensesAt(document, offset, [offerCommand('workflow.evaluateExpression', argument, words)]);
  });
}

/** Calls back when the ages on the screen move on, while a definition is in sight and the window is focused. */
export function keepAges(
  { ages, definitionTargets }: Pick<App, 'ages' | 'definitionTargets'>,
  redraw: () => void,
): Disposable {
  const view: AgedView = {
    tick: (isOfAll) => {
      if (isOfAll) redraw();
      return false;
    },
  };
  const added = ages.add(view);
  const attend = (): void => {
    const isInSight = vscode.window.visibleTextEditors.some(
      ({ document }) => definitionTargets.ofEdited(document.uri) !== undefined,
    );
    ages.setLookedAt(view, isInSight && vscode.window.state.focused);
  };
  attend();
  return combine(
    vscode.window.onDidChangeVisibleTextEditors(attend),
    vscode.window.onDidChangeWindowState(attend),
    definitionTargets.onDidChange(attend),
    added,
  );
}
