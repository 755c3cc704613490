// The graph and the timeline of what the user looks at, in a view beside the logs.
import * as vscode from 'vscode';
import { combine, type Disposable, toDisposable } from '../../base/disposable.ts';
import { graphViewId } from '../../editor/ids.ts';
import type { App } from '../../ui/app.ts';
import { requireWorkflowId } from '../../ui/workflowOf.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { targetName } from '../../domain/targets.ts';
import { ifOffered } from '../../domain/errors.ts';
import { toSelectedId } from '../../model/selection/shownExecution.ts';
import { type GraphFollowDeps, followSelections } from './followSelections.ts';
import { GraphView, type GraphViewDeps } from './graphView.ts';

export type GraphDeps = GraphViewDeps & GraphFollowDeps & Pick<App, 'graph'>;

async function focusView(): Promise<void> {
  await vscode.commands.executeCommand(`${graphViewId}.focus`);
}

function registerView(deps: GraphDeps): Disposable {
  let shown: GraphView | undefined;
  return combine(
    deps.graph.attach({
      resolveWebviewView: (view) => {
        shown?.dispose();
        const resolved = new GraphView(deps, view);
        shown = resolved;
        view.onDidDispose(() => resolved.dispose());
      },
    }),
    toDisposable(() => shown?.dispose()),
  );
}

export function registerGraph(deps: GraphDeps): Disposable {
  const { commands, executions, selection } = deps;
  return combine(
    registerView(deps),
    followSelections(deps),
    commands.register('workflow.showGraph', {
      ask: () => pickWorkflow(deps),
      run: async (target) => {
        const { connectionId, workflowId } = target;
        const { current } = selection.node;
        const isOfIt = current !== null && targetName(current.target) === targetName(target);
        selection.selectNode({
          target: { connectionId, workflowId },
          executionId: null,
          nodeId: isOfIt ? current.nodeId : null,
          nodeRunKey: null,
          by: 'command',
        });
        await focusView();
        return undefined;
      },
    }),
    commands.register('execution.showInGraph', {
      ask: () => pickExecution(deps),
      run: async ({ connectionId, executionId }) => {
        const workflowId = requireWorkflowId(await ifOffered(executions.get({ connectionId, executionId })));
        const target = { connectionId, workflowId };
        selection.selectNode({
          target,
          executionId: toSelectedId(deps, target, executionId),
          nodeId: null,
          nodeRunKey: null,
          by: 'command',
        });
        await focusView();
        return undefined;
      },
    }),
  );
}
