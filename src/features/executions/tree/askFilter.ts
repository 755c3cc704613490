import * as vscode from 'vscode';
import type { ExecutionPeriod } from '../../../domain/queries.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import type { CommandArgument } from '../../../editor/commandTypes.ts';
import { askText, choose } from '../../../editor/prompts.ts';
import { describePeriod, describeStatus, periods } from './executionsFrame.ts';
import { type ViewFilter, noFilter } from './activeFilter.ts';
import { executionStatuses } from '../../../domain/status.ts';
import type { App } from '../../../ui/app.ts';

export type FilterDeps = Pick<App, 'connections' | 'workflows' | 'clock'>;

/** Returns the epoch milliseconds of a date, with or without a time, in the local time zone; undefined if the text isn't a date. */
export function readTime(text: string): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
  const time = Date.parse(isDay ? `${text.trim()}T00:00` : text.trim());
  return Number.isNaN(time) ? undefined : time;
}

async function askSince(): Promise<ExecutionPeriod> {
  const text = await askText({
    prompt: vscode.l10n.t('Since when? A date, or a date and a time'),
    placeHolder: '2026-01-31 14:00',
    validate: (value) =>
      readTime(value) === undefined
        ? vscode.l10n.t('Write it as 2026-01-31 or 2026-01-31 14:00.')
        : undefined,
  });
  return { kind: 'since', time: readTime(text) ?? 0 };
}

async function askPeriod(): Promise<ExecutionPeriod | null> {
  const named = Object.values(periods).map((milliseconds): ExecutionPeriod => ({
    kind: 'last',
    milliseconds,
  }));
  const next = await choose<() => Promise<ExecutionPeriod | null>>(vscode.l10n.t('Started when?'), [
    ...named.map((period) => ({ label: describePeriod(period), value: () => Promise.resolve(period) })),
    { label: vscode.l10n.t('since…'), value: askSince },
    { label: vscode.l10n.t('at any time'), value: () => Promise.resolve(null) },
  ]);
  return next();
}

function askStatus(): Promise<ViewFilter['filter']['status']> {
  return choose<ViewFilter['filter']['status']>(vscode.l10n.t('In which state?'), [
    ...executionStatuses.map((status) => ({ label: describeStatus(status), value: status })),
    { label: vscode.l10n.t('any state'), value: null },
  ]);
}

/** Asks for the workflow and keeps the rest of the filter. Rejects with Cancelled on Escape. */
export async function askWorkflow(deps: FilterDeps, current: ViewFilter): Promise<ViewFilter> {
  return { ...current, workflowId: (await pickWorkflow(deps)).workflowId };
}

/** Asks for one part of the filter. Rejects with Cancelled on Escape. */
export async function askFilter(deps: FilterDeps, current: ViewFilter): Promise<ViewFilter> {
  const { filter } = current;
  const next = await choose<() => Promise<ViewFilter>>(vscode.l10n.t('Show which executions?'), [
    {
      icon: 'rocket',
      label: vscode.l10n.t('Of a workflow…'),
      value: () => askWorkflow(deps, current),
    },
    {
      icon: 'pass',
      label: vscode.l10n.t('By state…'),
      value: async () => ({ ...current, filter: { ...filter, status: await askStatus() } }),
    },
    {
      icon: 'clock',
      label: vscode.l10n.t('By time…'),
      value: async () => ({ ...current, filter: { ...filter, period: await askPeriod() } }),
    },
    { icon: 'clear-all', label: vscode.l10n.t('All'), value: () => Promise.resolve(noFilter) },
  ]);
  return next();
}

/** Returns the filter for the command's argument. Throws a TypeError if its time isn't valid. */
export function toFilter(argument: CommandArgument<'executions.filter'>): ViewFilter {
  const { workflowId = null, status = null } = argument;
  return { workflowId, filter: { status, period: readPeriod(argument) } };
}

function readPeriod({ within, since }: CommandArgument<'executions.filter'>): ExecutionPeriod | null {
  if (within !== undefined) return { kind: 'last', milliseconds: periods[within] };
  if (since === undefined) return null;
  const time = readTime(since);
  if (time === undefined) throw new TypeError('since must be a date, with or without a time.');
  return { kind: 'since', time };
}
