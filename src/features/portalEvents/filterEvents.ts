// The filter of the Portal Events view: by type and by workflow.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { type EventFilter, noEventFilter } from '../../model/portalEvents/portalEventsState.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { plainLine } from '../../editor/format.ts';
import { askText, choose } from '../../editor/prompts.ts';
import type { App } from '../../ui/app.ts';
import { workflowName } from '../../ui/words/names.ts';

type Deps = Pick<App, 'commands' | 'portalEvents' | 'connections' | 'workflows' | 'clock'>;

/** Returns how often each value occurs, the most frequent first. */
function counted(values: readonly (string | null)[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, left], [, right]) => right - left);
}

async function askType(): Promise<string> {
  return askText({
    prompt: vscode.l10n.t('Type of the portal events to show'),
    placeHolder: 'execution.failed',
    validate: (text) => (text.trim() === '' ? vscode.l10n.t('A type is needed.') : undefined),
  });
}

/** Offers the types and workflows of the loaded events with their counts, or any other. */
async function askFilter(deps: Deps): Promise<EventFilter> {
  const { items, filter, connectionId } = deps.portalEvents.state.current;
  const types = counted(items.map(({ type }) => type)).map(([type, count]) => ({
    icon: 'tag',
    label: plainLine(type, 80),
    description: String(count),
    value: () => Promise.resolve({ ...filter, type }),
  }));
  const about = counted(items.map(({ workflowId }) => workflowId)).map(([workflowId, count]) => ({
    icon: 'type-hierarchy',
    label: workflowName(deps.workflows, connectionId ?? '', workflowId),
    description: String(count),
    value: () => Promise.resolve({ ...filter, workflowId }),
  }));
  const next = await choose<() => Promise<EventFilter>>(vscode.l10n.t('Show which portal events?'), [
    ...types,
    {
      icon: 'tag',
      label: vscode.l10n.t('Of another type…'),
      value: async () => ({ ...filter, type: await askType() }),
    },
    ...about,
    {
      icon: 'type-hierarchy',
      label: vscode.l10n.t('Of another workflow…'),
      value: async () => ({ ...filter, workflowId: (await pickWorkflow(deps)).workflowId }),
    },
    { icon: 'clear-all', label: vscode.l10n.t('All'), value: () => Promise.resolve(noEventFilter) },
  ]);
  return next();
}

export function registerFilter(deps: Deps): Disposable {
  const { commands, portalEvents } = deps;
  return combine(
    commands.register<'portalEvents.filter', EventFilter>('portalEvents.filter', {
      ask: () => askFilter(deps),
      run: async ({ type, workflowId }) => {
        await portalEvents.setFilter({ type: type ?? null, workflowId: workflowId ?? null });
        return null;
      },
    }),
    commands.registerPlain('portalEvents.clearFilter', () => portalEvents.setFilter(noEventFilter)),
  );
}
