// Why: keeps the Workflows view fresh while somebody looks at it, and quiet when nobody does.
import * as vscode from 'vscode';
import type { Priority } from '../../api/client.ts';
import { isAbortError } from '../../base/cancellation.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { createAutoRefresh } from '../../model/autoRefresh.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { Clock } from '../../model/ports.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import type { TreeElement } from './elements.ts';

export interface FreshnessParts {
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ViewFreshness extends Disposable {
  /** Reads again what is shown: the workflows, and the executions of those that are unfolded. */
  refresh(signal?: AbortSignal): Promise<void>;
}

export function createViewFreshness(
  view: vscode.TreeView<TreeElement>,
  parts: FreshnessParts,
): ViewFreshness {
  const { workflows, executions, clock, logger } = parts;
  const owned = new DisposableStore();
  const unfolded = new Map<string, { connectionId: string; workflowId: string }>();

  async function refresh(signal?: AbortSignal, priority: Priority = 'user'): Promise<void> {
    const { connectionId } = workflows.state.current;
    await workflows.refresh(signal, priority);
    const shown = [...unfolded.values()].filter((scope) => scope.connectionId === connectionId);
    await Promise.all(shown.map((scope) => executions.refresh(scope, signal, priority)));
  }

  const auto = owned.add(
    createAutoRefresh(clock, async (signal) => {
      let hasChanged = false;
      const notice = (): void => {
        hasChanged = true;
      };
      const subscriptions = [workflows.onDidChangeItems(notice), executions.onDidChange(notice)];
      try {
        await refresh(signal, 'background');
      } catch (error) {
        if (!isAbortError(error)) logger.error('The view could not be refreshed.', error);
      } finally {
        for (const subscription of subscriptions) subscription.dispose();
      }
      return hasChanged;
    }),
  );
  const attend = (): void => {
    auto.setAttention({ isVisible: view.visible, isFocused: vscode.window.state.focused });
  };
  owned.add(view.onDidChangeVisibility(attend));
  owned.add(vscode.window.onDidChangeWindowState(attend));
  owned.add(
    view.onDidExpandElement(({ element }) => {
      if (element.kind === 'workflow') unfolded.set(element.key, element);
    }),
  );
  owned.add(
    view.onDidCollapseElement(({ element }) => {
      unfolded.delete(element.key);
    }),
  );
  attend();
  return {
    refresh: async (signal) => {
      auto.restart();
      await refresh(signal);
    },
    dispose: () => {
      owned.dispose();
    },
  };
}
