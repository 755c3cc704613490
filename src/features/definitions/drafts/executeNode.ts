// The commands that execute one node of a definition, or what leads to it, as the text stands.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import { targetName, type WorkflowTarget } from '../../../domain/targets.ts';
import type { ExecuteResult } from '../../../editor/commands/declared/members.ts';
import type { CodeArgument } from '../../../editor/commands/types.ts';
import { askInDialog } from '../../../editor/prompts/dialogs.ts';
import { plainLine } from '../../../base/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { findShownId } from '../../../model/selection/shownExecution.ts';
import { Cancelled } from '../../../editor/prompts/prompts.ts';
import type { App } from '../../../ui/app.ts';
import { passOn } from '../../../editor/commands.ts';
import { readOpenDefinition } from '../../../ui/pickers/openDefinition.ts';
import { liveWorkflow, pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import type { DrawnExecution, DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { nodeAtCursor } from '../shownExecution/selecting.ts';
import { findOutput } from '../pins/pinCommands.ts';
import { nodeGone } from '../showNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { definitionFormats } from '../../../domain/definitionFormat.ts';

type ExecuteNodeDeps = Pick<
  App,
  | 'actions'
  | 'clock'
  | 'commands'
  | 'connections'
  | 'definitionTargets'
  | 'executions'
  | 'pins'
  | 'ranDefinitions'
  | 'selection'
  | 'services'
  | 'workflows'
>;

type Wanted = 'only' | 'until';

/** What a node is executed with. */
type NodeData = Pick<CodeArgument<'workflow.executeDraft'>, 'basedOn' | 'input' | 'iteration' | 'trigger'>;

export function registerExecuteNode(drawnExecutions: DrawnExecutions, deps: ExecuteNodeDeps): Disposable {
  const asked = new AskedRequests(deps);
  const register = (name: 'node.execute' | 'node.executeUpTo', wanted: Wanted): Disposable =>
    deps.commands.register(name, {
      ask: () => pickWorkflow(deps, liveWorkflow()),
      run: async ({ nodeId: given, ...target }, { isInteractive }) => {
        deps.actions.refuseArchived(target);
        const drawn = drawnExecutions.findOf(target);
        const nodeId = given ?? (drawn && nodeAtCursor(drawn));
        // A user is asked about the requests of the text that they see.
        if (nodeId === undefined || (isInteractive && drawn === undefined))
          throw new PlainError(vscode.l10n.t('Open the definition and place the cursor inside a node.'));
        if (drawn !== undefined && !drawn.text.byId.has(nodeId)) throw nodeGone(nodeId);
        if (isInteractive && drawn !== undefined) await asked.ask(target, drawn, nodeId, wanted);
        const definition = readOpenDefinition(deps, target);
        const wish = { target, definition, nodeId, wanted, isInteractive };
        const result = await execute(deps, drawn, wish);
        if (result?.executionId !== undefined && definition !== undefined)
          deps.ranDefinitions.note({ ...target, executionId: result.executionId }, definition);
        return result;
      },
    });
  return combine(register('node.execute', 'only'), register('node.executeUpTo', 'until'));
}

async function execute(
  deps: ExecuteNodeDeps,
  drawn: DrawnExecution | undefined,
  {
    target,
    definition,
    nodeId,
    wanted,
    isInteractive,
  }: {
    readonly target: WorkflowTarget;
    readonly definition: JsonObject | undefined;
    readonly nodeId: string;
    readonly wanted: Wanted;
    readonly isInteractive: boolean;
  },
): Promise<ExecuteResult | undefined> {
  if (wanted === 'only') deps.services.demand(target.connectionId, 'executeNodeAlone');
  const data = wanted === 'only' ? dataOfNode(deps, drawn, target, nodeId) : await inputOfShown(deps, target);
  const draft = { ...target, definition, [wanted]: nodeId, ...data };
  return deps.commands.run('workflow.executeDraft', passOn(draft, isInteractive));
}

/** What the node reads: the shown execution, in the shown iteration. */
function dataOfNode(
  deps: ExecuteNodeDeps,
  drawn: DrawnExecution | undefined,
  target: WorkflowTarget,
  nodeId: string,
): NodeData {
  if (drawn?.shown.kind !== 'execution') return { basedOn: findShownId(deps, target, 'definition') };
  const iteration = iterationOf(drawn.text, drawn.nodes, nodeId);
  return {
    basedOn: drawn.shown.target.executionId,
    ...(iteration.length === 0 ? {} : { iteration: [...iteration] }),
  };
}

/** All nodes run anew, so they need its input only. */
async function inputOfShown(deps: ExecuteNodeDeps, target: WorkflowTarget): Promise<NodeData> {
  const executionId = findShownId(deps, target, 'definition');
  if (executionId === undefined) return {};
  const { connectionId } = target;
  const { input, triggerNode: trigger } = await deps.executions.readInput({ connectionId, executionId });
  return isJsonObject(input) ? { input, trigger } : { basedOn: executionId };
}

/** The requests of a session that the user was asked about. */
class AskedRequests {
  readonly #deps: Pick<ExecuteNodeDeps, 'commands' | 'pins'>;
  readonly #asked = new Set<string>();

  constructor(deps: Pick<ExecuteNodeDeps, 'commands' | 'pins'>) {
    this.#deps = deps;
  }

  /** Pins nodes instead of running them if the user wants that. Rejects with Cancelled on Escape, and for a pin that is still to be written. */
  async ask(target: WorkflowTarget, drawn: DrawnExecution, nodeId: string, wanted: Wanted): Promise<void> {
    const { text } = drawn;
    const isRun = (id: string) => id === nodeId || (wanted === 'until' && text.before(nodeId).has(id));
    const nodes = [...text.byId.values()].filter(
      ({ id }) => isRun(id) && this.#deps.pins.find(target, id) === undefined,
    );
    const nameOf = (request: string) => `${targetName(target)} ${request}`;
    const others = requestsOf(nodes).filter(({ request }) => !this.#asked.has(nameOf(request)));
    if (others.length === 0) return;
    const isToRun = await askInDialog({
      question: questionOf(text.byId.get(nodeId), wanted),
      detail: renderCalls(others.map(({ request }) => request)),
      buttons: [
        { label: vscode.l10n.t('Execute'), value: true },
        { label: vscode.l10n.t('Pin Instead'), value: false },
      ],
    });
    if (isToRun === undefined) throw new Cancelled();
    if (isToRun) for (const { request } of others) this.#asked.add(nameOf(request));
    else await this.#pin(target, drawn, others);
  }

  /** Pins the outputs that are shown. Without one, the user writes the pin first. */
  async #pin(
    target: WorkflowTarget,
    drawn: DrawnExecution,
    nodes: readonly { readonly nodeId: string }[],
  ): Promise<void> {
    const { commands } = this.#deps;
    const outputs = nodes.map(({ nodeId }) => ({ nodeId, output: findOutput(drawn, nodeId) }));
    for (const { output } of outputs)
      if (output !== undefined) await commands.run('nodeRun.pinOutput', output);
    const missing = outputs.filter(({ output }) => output === undefined);
    for (const { nodeId } of missing) await commands.run('node.editPin', { ...target, nodeId });
    if (missing.length > 0) throw new Cancelled();
  }
}

function questionOf(node: DefinitionNode | undefined, wanted: Wanted): string {
  const name = plainLine(node?.name ?? '', 80);
  return wanted === 'only'
    ? vscode.l10n.t('Execute the node "{0}"?', name)
    : vscode.l10n.t('Execute up to the node "{0}"?', name);
}

const maximumCalls = 10;

function renderCalls(requests: readonly string[]): string {
  const lines = requests.slice(0, maximumCalls).map((request) => plainLine(request, 200));
  const calls = [...lines, ...(requests.length > maximumCalls ? ['…'] : [])].join('\n');
  return vscode.l10n.t('This calls:\n{0}', calls);
}

/** The selected iteration of each loop around the node in the text, outermost first, from 0. */
export function iterationOf(
  text: DefinitionText,
  nodes: ReadonlyMap<string, NodeView>,
  nodeId: string,
): readonly number[] {
  const own = nodes.get(nodeId)?.loops ?? [];
  const all = [...nodes.values()].flatMap(({ loops }) => loops);
  return text
    .loopsOf(nodeId)
    .toReversed()
    .map(({ id }, depth) => {
      const ofLoop = own.find((loop) => loop.nodeId === id) ?? all.find((loop) => loop.nodeId === id);
      return (ofLoop ?? own[depth])?.index ?? 0;
    });
}

/** What a node asks of another server. */
interface NodeRequest {
  readonly nodeId: string;
  /** "GET https://…", with templates in it. */
  readonly request: string;
}

const requestTypes: ReadonlySet<string> = new Set(
  Object.values(definitionFormats).map(({ requestType }) => requestType),
);

/** The requests of HTTP nodes, of each format. */
export function requestsOf(nodes: readonly DefinitionNode[]): readonly NodeRequest[] {
  return nodes.flatMap((node) => {
    if (!requestTypes.has(node.type)) return [];
    const textOf = (name: string): string | undefined => {
      const value = node.parameters?.[name] ?? node.config(name);
      return typeof value === 'string' ? value : undefined;
    };
    return [{ nodeId: node.id, request: `${textOf('method') ?? 'GET'} ${textOf('url') ?? ''}` }];
  });
}
