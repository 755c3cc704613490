// How the filter of the Executions view is chosen: by a person with Quick Picks, from code with an object.
import * as vscode from 'vscode';
import type { ExecutionPeriod } from '../../../domain/executionFilter.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import type { CommandArgument } from '../../../editor/commandTypes.ts';
import { askText, choose } from '../../../editor/prompts.ts';
import { describePeriod, describeStatus, periods } from './viewState.ts';
import { type Narrowing, notNarrowed } from './viewScope.ts';
import { executionStatuses } from '../../../domain/status.ts';
import type { App } from '../../../ui/app.ts';

export type NarrowingDeps = Pick<App, 'connections' | 'workflows' | 'clock'>;

/** Epoch milliseconds of a date, with or without a time, in the person's own time zone; undefined when it is none. */
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

function askStatus(): Promise<Narrowing['filter']['status']> {
  return choose<Narrowing['filter']['status']>(vscode.l10n.t('In which state?'), [
    ...executionStatuses.map((status) => ({ label: describeStatus(status), value: status })),
    { label: vscode.l10n.t('any state'), value: null },
  ]);
}

/** Lets a person choose the workflow alone; what else is narrowed stays. */
export async function askWorkflow(deps: NarrowingDeps, current: Narrowing): Promise<Narrowing> {
  return { ...current, workflowId: (await pickWorkflow(deps)).workflowId };
}

/** Lets a person change one part of the filter. Rejects with Cancelled on Escape. */
export async function askNarrowing(deps: NarrowingDeps, current: Narrowing): Promise<Narrowing> {
  const { filter } = current;
  const next = await choose<() => Promise<Narrowing>>(vscode.l10n.t('Show which executions?'), [
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
    { icon: 'clear-all', label: vscode.l10n.t('All'), value: () => Promise.resolve(notNarrowed) },
  ]);
  return next();
}

/** What the command's argument narrows the view to. Throws a TypeError where its time is none. */
export function toNarrowing(argument: CommandArgument<'executions.filter'>): Narrowing {
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
