// The filter of the Portal Events view: by type and by workflow.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import {
  type EventFilter,
  noEventFilter,
  type PortalEventsState,
} from '../../model/portalEvents/portalEventsState.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { plainLine } from '../../base/format.ts';
import type { CommandArgument } from '../../editor/commands/types.ts';
import { askForFilter, type FilterChoice } from '../../editor/prompts/filterPrompt.ts';
import { askText } from '../../editor/prompts/prompts.ts';
import type { App } from '../../ui/app.ts';
import { workflowName } from '../../words/names.ts';
import { eventIcon } from './eventRows.ts';

type FilterEventsDeps = Pick<
  App,
  'commands' | 'portalEvents' | 'connections' | 'services' | 'workflows' | 'clock'
>;

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
    validate: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a type.') : undefined),
  });
}

type Choice = FilterChoice<EventFilter>;

/** The current value, and each value of the loaded events with its count. */
function valuesOf(
  current: string | null,
  loaded: readonly (string | null)[],
): readonly (readonly [value: string, count: number])[] {
  const values = counted(loaded);
  return current === null || values.some(([value]) => value === current) ? values : [[current, 0], ...values];
}

function typeChoices({ items, filter }: PortalEventsState): readonly Choice[] {
  const choices = valuesOf(
    filter.type,
    items.map(({ type }) => type),
  ).map(([type, count]): Choice => ({
    icon: eventIcon(type).id,
    label: plainLine(type, 80),
    description: String(count),
    isChecked: type === filter.type,
    add: (added) => ({ ...added, type }),
  }));
  const other: Choice = {
    icon: 'tag',
    label: vscode.l10n.t('Another Type…'),
    isChecked: false,
    add: async (added) => ({ ...added, type: await askType() }),
  };
  return [...choices, other];
}

function workflowChoices(
  deps: FilterEventsDeps,
  { items, filter, connectionId }: PortalEventsState,
): readonly Choice[] {
  const choices = valuesOf(
    filter.workflowId,
    items.map(({ workflowId }) => workflowId),
  ).map(([workflowId, count]): Choice => ({
    icon: 'type-hierarchy',
    label: workflowName(deps.workflows, connectionId ?? '', workflowId),
    description: String(count),
    isChecked: workflowId === filter.workflowId,
    add: (added) => ({ ...added, workflowId }),
  }));
  const other: Choice = {
    icon: 'search',
    label: vscode.l10n.t('Another Workflow…'),
    isChecked: false,
    add: async (added) => ({ ...added, workflowId: (await pickWorkflow(deps)).workflowId }),
  };
  return [...choices, other];
}

/** Asks for the whole filter at once. Rejects with Cancelled on Escape. */
function askFilter(deps: FilterEventsDeps): Promise<EventFilter> {
  const { current } = deps.portalEvents.state;
  const nodeEvents: Choice = {
    icon: 'list-tree',
    label: vscode.l10n.t('Node events'),
    description: vscode.l10n.t('what each node of an execution does'),
    isChecked: current.filter.hasNodeEvents,
    add: (added) => ({ ...added, hasNodeEvents: true }),
  };
  return askForFilter(
    vscode.l10n.t('Filter Portal Events'),
    [
      { name: vscode.l10n.t('Also Show'), isSingle: true, choices: [nodeEvents] },
      { name: vscode.l10n.t('Type'), isSingle: true, choices: typeChoices(current) },
      { name: vscode.l10n.t('Workflow'), isSingle: true, choices: workflowChoices(deps, current) },
    ],
    noEventFilter,
  );
}

function toFilter({ type, workflowId, nodeEvents }: CommandArgument<'portalEvents.filter'>): EventFilter {
  return { type: type ?? null, workflowId: workflowId ?? null, hasNodeEvents: nodeEvents ?? false };
}

export function registerFilter(deps: FilterEventsDeps): Disposable {
  const { commands, portalEvents } = deps;
  const setFilter = async (filter: EventFilter): Promise<void> => {
    demandEvents(deps);
    await portalEvents.setFilter(filter);
  };
  return combine(
    commands.register<'portalEvents.filter', EventFilter>('portalEvents.filter', {
      ask: async () => {
        demandEvents(deps);
        return askFilter(deps);
      },
      run: async (argument) => {
        await setFilter('hasNodeEvents' in argument ? argument : toFilter(argument));
        return null;
      },
    }),
    commands.registerPlain('portalEvents.clearFilter', () => setFilter(noEventFilter)),
  );
}

/** Throws a ServiceError "notOffered" if services of the active connection's kind have no portal events. */
export function demandEvents({ connections, services }: Pick<App, 'connections' | 'services'>): void {
  const { current } = connections.active;
  if (current !== null) services.demand(current.id, 'portalEvents');
}
