// The question for another filter.
import * as vscode from 'vscode';
import type { ExecutionPeriod } from '../../../domain/queries.ts';
import { executionStatuses } from '../../../domain/status.ts';
import { askForFilter, type FilterChoice } from '../../../editor/prompts/filterPrompt.ts';
import { askText } from '../../../editor/prompts/prompts.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { workflowName } from '../../../words/names.ts';
import { statusWord } from '../../../words/status.ts';
import { describePeriod, noViewFilter, periods, readTime, type ViewFilter } from './viewFilter.ts';
import { statusIcon } from '../../../ui/icons.ts';

type FilterDeps = Pick<App, 'connections' | 'services' | 'workflows' | 'clock'>;

async function askSince(): Promise<ExecutionPeriod> {
  const text = await askText({
    prompt: vscode.l10n.t('Start date, or date and time'),
    placeHolder: '2026-01-31 14:00',
    validate: (value) =>
      readTime(value) === undefined
        ? vscode.l10n.t('Use the format 2026-01-31 or 2026-01-31 14:00.')
        : undefined,
  });
  return { kind: 'since', time: readTime(text) ?? 0 };
}

/** Asks for the workflow and keeps the rest of the filter. Rejects with Cancelled on Escape. */
export async function askWorkflow(deps: FilterDeps, current: ViewFilter): Promise<ViewFilter> {
  return { ...current, workflowId: (await pickWorkflow(deps)).workflowId };
}

type Choice = FilterChoice<ViewFilter>;

const withPeriod = (filter: ViewFilter, period: ExecutionPeriod): ViewFilter => ({
  ...filter,
  filter: { ...filter.filter, period },
});

function stateChoices({ filter: { states } }: ViewFilter): readonly Choice[] {
  return executionStatuses.map((state) => ({
    icon: statusIcon(state).id,
    label: statusWord(state),
    isChecked: states.includes(state),
    add: (filter) => ({
      ...filter,
      filter: { ...filter.filter, states: [...filter.filter.states, state] },
    }),
  }));
}

/** The named periods, the current one if it has no name, and any other. */
function periodChoices({ filter: { period } }: ViewFilter): readonly Choice[] {
  const choices = Object.values(periods).map((milliseconds): Choice => ({
    icon: 'calendar',
    label: describePeriod({ kind: 'last', milliseconds }),
    isChecked: period?.kind === 'last' && period.milliseconds === milliseconds,
    add: (filter) => withPeriod(filter, { kind: 'last', milliseconds }),
  }));
  const current: readonly Choice[] =
    period === null || choices.some(({ isChecked }) => isChecked)
      ? []
      : [
          {
            icon: 'calendar',
            label: describePeriod(period),
            isChecked: true,
            add: (filter) => withPeriod(filter, period),
          },
        ];
  const other: Choice = {
    icon: 'calendar',
    label: vscode.l10n.t('Since…'),
    isChecked: false,
    add: async (filter) => withPeriod(filter, await askSince()),
  };
  return [...choices, ...current, other];
}

/** How many workflows are offered by name; the others are searched for. */
const maximumWorkflows = 10;

/** The current workflow, the first loaded ones, and any other. */
function workflowChoices(
  deps: FilterDeps,
  connectionId: string,
  { workflowId }: ViewFilter,
): readonly Choice[] {
  const loaded = deps.workflows.state.current.items.map(({ id }) => id);
  const named = [...new Set([...(workflowId === null ? [] : [workflowId]), ...loaded])];
  const choices = named.slice(0, maximumWorkflows).map((id): Choice => ({
    icon: 'type-hierarchy',
    label: workflowName(deps.workflows, connectionId, id),
    isChecked: id === workflowId,
    add: (filter) => ({ ...filter, workflowId: id }),
  }));
  if (named.length <= maximumWorkflows && deps.workflows.state.current.nextCursor === null) return choices;
  const other: Choice = {
    icon: 'search',
    label: vscode.l10n.t('Another Workflow…'),
    isChecked: false,
    add: (filter) => askWorkflow(deps, filter),
  };
  return [...choices, other];
}

/** Where the service executes drafts. */
function draftChoices(
  { services }: FilterDeps,
  connectionId: string,
  { filter: { withoutDrafts = false } }: ViewFilter,
): readonly Choice[] {
  if (!withoutDrafts && !services.offers(connectionId, 'draft')) return [];
  return [
    {
      icon: 'edit',
      label: vscode.l10n.t('without drafts'),
      isChecked: withoutDrafts,
      add: (filter) => ({ ...filter, filter: { ...filter.filter, withoutDrafts: true } }),
    },
  ];
}

/** Asks for the whole filter at once. Rejects with Cancelled on Escape. */
export function askViewFilter(
  deps: FilterDeps,
  connectionId: string,
  current: ViewFilter,
): Promise<ViewFilter> {
  return askForFilter(
    vscode.l10n.t('Filter Executions'),
    [
      { name: vscode.l10n.t('Status'), isSingle: false, choices: stateChoices(current) },
      { name: vscode.l10n.t('Time'), isSingle: true, choices: periodChoices(current) },
      {
        name: vscode.l10n.t('Drafts'),
        isSingle: true,
        choices: draftChoices(deps, connectionId, current),
      },
      {
        name: vscode.l10n.t('Workflow'),
        isSingle: true,
        choices: workflowChoices(deps, connectionId, current),
      },
    ],
    noViewFilter,
  );
}
