// Answers the request of a node in drafts, beginning with what it got in an execution.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { equalJson } from '../../../base/json.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import { plainLine } from '../../../base/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { confirm } from '../../../editor/prompts/dialogs.ts';
import { recordedAnswer } from '../../../model/runs/recordedAnswers.ts';
import type { HttpAnswer } from '../../../protocol/httpAnswers.ts';
import { truncatedValue } from '../../../protocol/truncatedValue.ts';
import type { App } from '../../../ui/app.ts';
import { requireWorkflowId } from '../../../ui/workflowOf.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { type NodeRunArgument, requireRun } from '../../../ui/pickers/nodeRunPicker.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { isAnswerable, pinValue } from '../../../ui/pinning.ts';
import type { DrawnExecution, DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { nodeAtCursor } from '../shownExecution/selecting.ts';
import { nodeGone } from '../showNode.ts';
import { openPin, uriOfPin } from './pinDocuments.ts';
import type { PinFiles } from './pinFiles.ts';

export type AnswerRequestDeps = Pick<
  App,
  | 'clock'
  | 'commands'
  | 'connections'
  | 'executions'
  | 'following'
  | 'pinFiles'
  | 'pins'
  | 'services'
  | 'workflows'
>;

/** The attempts of one request, in order. */
interface Recorded {
  readonly execution: ExecutionTarget;
  readonly attempts: readonly NodeRun[];
}

interface AnsweredNode {
  readonly target: WorkflowTarget;
  readonly nodeId: string;
  readonly name: string | undefined;
  /** Default: none, so there's nothing to begin with. */
  readonly recorded: Recorded | undefined;
}

export function registerAnswerRequest(
  drawnExecutions: DrawnExecutions,
  files: Pick<PinFiles, 'begin'>,
  deps: AnswerRequestDeps,
): Disposable {
  const { commands, executions, services } = deps;
  return combine(
    commands.register('node.answerRequest', {
      ask: () => pickWorkflow(deps),
      run: async ({ nodeId: given, ...target }, { isInteractive }) => {
        services.demand(target.connectionId, 'answers');
        const drawn = drawnExecutions.findOf(target);
        const nodeId = given ?? (drawn && nodeAtCursor(drawn));
        if (nodeId === undefined)
          throw new PlainError(
            vscode.l10n.t('Open the definition and place the cursor inside an HTTP request node.'),
          );
        const node = drawn?.text.byId.get(nodeId);
        if (drawn !== undefined && node === undefined) throw nodeGone(nodeId);
        if (node !== undefined) refuseOtherNode(node.type);
        const recorded = drawn && recordedIn(drawn, nodeId);
        return answer(deps, files, { target, nodeId, name: node?.name, recorded }, isInteractive);
      },
    }),
    commands.register<'nodeRun.answerRequest', NodeRunArgument>('nodeRun.answerRequest', {
      ask: () => pickExecution(deps),
      run: async (argument, { isInteractive }) => {
        const { connectionId, executionId }: NodeRunArgument = argument;
        const run = await requireRun(deps, argument, isInteractive);
        services.demand(connectionId, 'answers');
        refuseOtherNode(run.nodeType);
        const execution = { connectionId, executionId };
        const workflowId = requireWorkflowId(await executions.get(execution));
        const attempts = executions
          .logs(execution)
          .nodeRuns.filter(
            ({ nodeId, iteration }) => nodeId === run.nodeId && equalJson(iteration, run.iteration),
          );
        return answer(
          deps,
          files,
          {
            target: { connectionId, workflowId },
            nodeId: run.nodeId,
            name: run.nodeName,
            recorded: { execution, attempts },
          },
          isInteractive,
        );
      },
    }),
  );
}

/** Opens the answers of a node, made of what was recorded if it has none. Returns the document's URI. */
async function answer(
  deps: AnswerRequestDeps,
  files: Pick<PinFiles, 'begin'>,
  { target, nodeId, name, recorded }: AnsweredNode,
  isInteractive: boolean,
): Promise<string> {
  const { pins } = deps;
  const uri = uriOfPin(deps, { target, nodeId, kind: 'answers' }, name);
  const pin = pins.find(target, nodeId);
  if (pin?.kind === 'answers') return openPin(deps, uri);
  if (pin !== undefined && isInteractive) await confirmReplaced(name ?? nodeId);
  const answers = recorded === undefined ? [] : await readAnswers(deps, recorded);
  if (answers.length === 0) files.begin(uri);
  else await pinValue(pins, target, nodeId, answers, 'answers');
  return openPin(deps, uri);
}

function refuseOtherNode(nodeType: string | null): void {
  if (!isAnswerable(nodeType))
    throw new PlainError(vscode.l10n.t('Only the request of an HTTP request node can be answered.'));
}

/** Asks before a pin is lost that may have been written by hand. */
function confirmReplaced(name: string): Promise<void> {
  return confirm(
    vscode.l10n.t('Replace the pin of "{0}"?', plainLine(name, 80)),
    vscode.l10n.t('Replace'),
    vscode.l10n.t('The node runs again in drafts, with answers to its request.'),
  );
}

/** The attempts that are shown. */
function recordedIn({ shown, nodes }: DrawnExecution, nodeId: string): Recorded | undefined {
  const view = nodes.get(nodeId);
  if (shown.kind !== 'execution' || view?.run === undefined) return undefined;
  return { execution: shown.target, attempts: [...view.earlier, view.run] };
}

/** What these attempts got. Rejects with a PlainError for a response that the service doesn't have whole, and with a ServiceError. */
export async function readAnswers(
  { executions }: { readonly executions: Pick<App['executions'], 'readWholeValue'> },
  { execution, attempts }: Recorded,
): Promise<readonly HttpAnswer[]> {
  const answers: HttpAnswer[] = [];
  for (const run of attempts) {
    const exchange = await executions.readWholeValue(execution, run, 'exchange');
    const recorded = recordedAnswer({ exchange, error: run.error });
    const body = recorded !== undefined && 'body' in recorded ? recorded.body : undefined;
    if (truncatedValue(exchange) !== undefined || truncatedValue(body) !== undefined)
      throw new PlainError(
        vscode.l10n.t("The service returns only the beginning of this response, so it can't be an answer."),
      );
    if (recorded !== undefined) answers.push(recorded);
  }
  return answers;
}
