// The commands that execute one node of a definition, or what leads to it, as the text stands.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { targetName, type WorkflowTarget } from '../../../domain/targets.ts';
import type { ExecuteResult } from '../../../editor/commandResults.ts';
import { confirm } from '../../../editor/dialogs.ts';
import { plainLine } from '../../../editor/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { findShownId } from '../../../model/selection/shownExecution.ts';
import type { App } from '../../../ui/app.ts';
import { readOpenDefinition } from '../../../ui/definitionDraft.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import type { DrawnExecution, DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { nodeAtCursor } from '../shownExecution/selecting.ts';
import { nodeGone } from '../showNode.ts';
import { basisOf, iterationOf, requestsOf } from './nodeDraft.ts';

export type ExecuteNodeDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'executions' | 'selection' | 'workflows'
>;

type Wanted = 'only' | 'until';

/** What a node is executed with. */
interface NodeData {
  readonly basedOn?: string | undefined;
  readonly iteration?: number[];
  readonly input?: JsonObject;
}

interface NodeArgument extends WorkflowTarget {
  /** Default: the node with the cursor. */
  readonly nodeId?: string | undefined;
}

export function registerExecuteNode(drawnExecutions: DrawnExecutions, deps: ExecuteNodeDeps): Disposable {
  const asked = new AskedRequests();
  const register = (name: 'node.execute' | 'node.executeUpTo', wanted: Wanted): Disposable =>
    deps.commands.register<typeof name, NodeArgument>(name, {
      ask: () => pickWorkflow(deps),
      run: async ({ nodeId: given, ...target }, { isInteractive }) => {
        const drawn = drawnExecutions.findOf(target);
        const nodeId = given ?? (drawn && nodeAtCursor(drawn));
        if (nodeId === undefined)
          throw new PlainError(vscode.l10n.t('Open the definition and place the cursor inside a node.'));
        if (drawn !== undefined && !drawn.text.byId.has(nodeId)) throw nodeGone(nodeId);
        if (isInteractive && drawn !== undefined) await asked.ask(target, drawn.text, nodeId, wanted);
        const definition = readOpenDefinition(target);
        const wish = { target, definition, nodeId, wanted, isInteractive };
        const result = await execute(deps, drawn, wish);
        if (result?.executionId !== undefined && definition !== undefined)
          drawnExecutions.noteDraft({ ...target, executionId: result.executionId }, definition);
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
  const data = wanted === 'only' ? dataOfNode(deps, drawn, target, nodeId) : await inputOfShown(deps, target);
  const draft = { ...target, definition, [wanted]: nodeId, ...data };
  return deps.commands.run(
    'workflow.executeDraft',
    isInteractive ? { ...draft, invokedBy: 'person' } : draft,
  );
}

/** What the node reads: the shown execution, in the shown iteration. */
function dataOfNode(
  deps: ExecuteNodeDeps,
  drawn: DrawnExecution | undefined,
  target: WorkflowTarget,
  nodeId: string,
): NodeData {
  if (drawn?.shown.kind !== 'execution') return { basedOn: findShownId(deps, target, 'definition') };
  const { execution, nodeRuns } = drawn.shown;
  const iteration = iterationOf(drawn.text, drawn.nodes, nodeId);
  return {
    basedOn: basisOf(execution, nodeRuns),
    ...(iteration.length === 0 ? {} : { iteration: [...iteration] }),
  };
}

/** All nodes run anew, so they need its input only. */
async function inputOfShown(deps: ExecuteNodeDeps, target: WorkflowTarget): Promise<NodeData> {
  const executionId = findShownId(deps, target, 'definition');
  if (executionId === undefined) return {};
  const { input } = await deps.executions.readInput({ connectionId: target.connectionId, executionId });
  return isJsonObject(input) ? { input } : { basedOn: executionId };
}

/** The requests of a session that the user was asked about. */
class AskedRequests {
  readonly #asked = new Set<string>();

  /** Rejects with Cancelled on Escape. */
  async ask(target: WorkflowTarget, text: DefinitionText, nodeId: string, wanted: Wanted): Promise<void> {
    const isRun = (id: string) => id === nodeId || (wanted === 'until' && text.before(nodeId).has(id));
    const nodes = [...text.byId.values()].filter(({ id }) => isRun(id));
    const nameOf = (request: string) => `${targetName(target)} ${request}`;
    const requests = requestsOf(nodes);
    const others = requests.filter((request) => !this.#asked.has(nameOf(request)));
    if (others.length === 0) return;
    await confirm(questionOf(text.byId.get(nodeId), wanted), vscode.l10n.t('Execute'), renderCalls(others));
    for (const request of others) this.#asked.add(nameOf(request));
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
