// Why: the view shows everything that is published, or one type, or one workflow.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import { noEventFilter } from '../../model/portalEvents/eventFilter.ts';
import type { EventFilter } from '../../model/portalEvents/eventFilter.ts';
import type { PortalEvents } from '../../model/portalEvents/portalEvents.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import { textMember } from '../../pickers/activeConnection.ts';
import { workflowName } from '../../pickers/executionPicker.ts';
import type { Commands } from '../../platform/commands.ts';
import { plainLine } from '../../platform/format.ts';
import { choose } from '../../platform/prompts.ts';

export interface FilterParts {
  readonly commands: Commands;
  readonly portalEvents: PortalEvents;
  readonly workflows: Workflows;
}

/** How often each value occurs, the most frequent first. */
function counted(values: readonly (string | null)[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, left], [, right]) => right - left);
}

function askFilter({ portalEvents, workflows }: FilterParts): Promise<EventFilter> {
  const { items, filter, connectionId } = portalEvents.state.current;
  const types = counted(items.map(({ type }) => type)).map(([type, count]) => ({
    label: `$(tag) ${plainLine(type, 80)}`,
    description: String(count),
    value: { ...filter, type },
  }));
  const about = counted(items.map(({ workflowId }) => workflowId)).map(([workflowId, count]) => ({
    label: `$(type-hierarchy) ${workflowName(workflows, connectionId ?? '', workflowId)}`,
    description: String(count),
    value: { ...filter, workflowId },
  }));
  const all = { label: vscode.l10n.t('$(clear-all) All'), value: noEventFilter };
  return choose(vscode.l10n.t('Show which portal events?'), [...types, ...about, all]);
}

export function registerFilter(parts: FilterParts): Disposable {
  const { commands, portalEvents } = parts;
  const owned = new DisposableStore();
  owned.add(
    commands.register('portalEvents.filter', {
      decode: (value): EventFilter => ({
        type: textMember(value, 'type') ?? null,
        workflowId: textMember(value, 'workflowId') ?? null,
      }),
      expects: '{type?, workflowId?}',
      ask: () => askFilter(parts),
      run: (filter) => {
        portalEvents.setFilter(filter);
        return Promise.resolve(null);
      },
    }),
  );
  owned.add(
    commands.registerPlain('portalEvents.clearFilter', () => {
      portalEvents.setFilter(noEventFilter);
      return Promise.resolve();
    }),
  );
  return owned;
}
