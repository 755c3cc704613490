// What the view is filtered by: the filter in force, and its words.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { ExecutionScope } from '../../../domain/targets.ts';
import type { CommandArgument } from '../../../editor/commands/types.ts';
import type { Connections } from '../../../model/connections/connections.ts';
import { watchAccount } from '../../../model/connections/watchAccount.ts';
import type { Executions } from '../../../model/executions/executions.ts';
import { formats } from '../../../words/formats.ts';
import { readDate } from '../../../model/search/searchTimes.ts';
import { statusWord } from '../../../words/status.ts';
import { type Observable, ObservableValue } from '../../../base/event.ts';
import { type ExecutionFilter, type ExecutionPeriod, noExecutionFilter } from '../../../domain/queries.ts';

const hour = 3_600_000;

/** The periods that have their own label, in milliseconds. */
export const periods = { hour, day: 24 * hour, week: 7 * 24 * hour } as const;

/** The executions of a connection that the view shows. workflowId null: of all workflows. */
export interface ViewFilter {
  readonly workflowId: string | null;
  readonly filter: ExecutionFilter;
}

export const noViewFilter: ViewFilter = { workflowId: null, filter: noExecutionFilter };

export type ShownScope = ExecutionScope & ViewFilter;

export function isViewFiltered({ workflowId, filter }: ViewFilter): boolean {
  return (
    workflowId !== null || filter.states.length > 0 || filter.period !== null || filter.withoutDrafts === true
  );
}

/**
 * The executions that the view shows: those of the active connection that pass the filter. Switching the connection clears the
 * filter. Another key may belong to another account, so a new key reloads the list.
 */
export class ActiveFilter implements Disposable {
  readonly #connections: Pick<Connections, 'active' | 'onDidChangeKey'>;
  readonly #executions: Pick<Executions, 'forget'>;
  readonly #owned = new DisposableStore();
  readonly #scope: ObservableValue<ShownScope | null>;

  constructor(
    connections: Pick<Connections, 'active' | 'onDidChangeKey'>,
    executions: Pick<Executions, 'forget'>,
  ) {
    this.#connections = connections;
    this.#executions = executions;
    this.#scope = this.#owned.add(new ObservableValue(this.#scopeOf(noViewFilter)));
    this.#owned.add(
      watchAccount(
        connections,
        () => this.set(noViewFilter),
        () => {
          const { current } = this.#scope;
          if (current !== null) this.#turnTo({ ...current });
        },
      ),
    );
  }

  /** null: there is no connection. Set to a new object when the list is reloaded. */
  get scope(): Observable<ShownScope | null> {
    return this.#scope;
  }

  /** `connectionId`: what it was chosen for; default: the active connection. Does nothing for another one, whose workflows are others. */
  set(filter: ViewFilter, connectionId = this.#connections.active.current?.id): void {
    if (connectionId === this.#connections.active.current?.id) this.#turnTo(this.#scopeOf(filter));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #scopeOf(filter: ViewFilter): ShownScope | null {
    const { current } = this.#connections.active;
    return current === null ? null : { connectionId: current.id, ...filter };
  }

  #turnTo(next: ShownScope | null): void {
    if (this.#scope.current !== null) this.#executions.forget(this.#scope.current);
    this.#scope.set(next);
  }
}

export function describePeriod(period: ExecutionPeriod): string {
  if (period.kind === 'since') return vscode.l10n.t('since {0}', formats.time(new Date(period.time)));
  switch (period.milliseconds) {
    case periods.hour:
      return vscode.l10n.t('last hour');
    case periods.day:
      return vscode.l10n.t('last 24 hours');
    case periods.week:
      return vscode.l10n.t('last 7 days');
    default:
      return vscode.l10n.t('last {0} h', Math.round(period.milliseconds / hour));
  }
}

/** Returns an empty text without a filter. workflow: the name of the filter's workflow, sanitized for display. */
export function describeViewFilter({ workflowId, filter }: ViewFilter, workflow: string): string {
  const words = [
    ...(workflowId === null ? [] : [workflow]),
    ...(filter.states.length === 0
      ? []
      : [filter.states.map((state) => statusWord(state)).join(vscode.l10n.t(' or '))]),
    ...(filter.period === null ? [] : [describePeriod(filter.period)]),
    ...(filter.withoutDrafts === true ? [vscode.l10n.t('without drafts')] : []),
  ];
  return words.join(', ');
}

/** Returns the epoch milliseconds of a date, with or without a time, in the local time zone; undefined if the text isn't a date. */
export function readTime(text: string): number | undefined {
  return readDate(text.trim());
}

/** Returns the filter for the command's argument. Throws a TypeError if its time isn't valid. */
export function toFilter(argument: CommandArgument<'executions.filter'>): ViewFilter {
  const { workflowId = null, status = [], drafts = true } = argument;
  const states = typeof status === 'string' ? [status] : [...new Set(status)];
  return {
    workflowId,
    filter: { states, period: readPeriod(argument), ...(drafts ? {} : { withoutDrafts: true }) },
  };
}

function readPeriod({ within, since }: CommandArgument<'executions.filter'>): ExecutionPeriod | null {
  if (within !== undefined) return { kind: 'last', milliseconds: periods[within] };
  if (since === undefined) return null;
  const time = readTime(since);
  if (time === undefined) throw new TypeError('since must be a date, with or without a time.');
  return { kind: 'since', time };
}
