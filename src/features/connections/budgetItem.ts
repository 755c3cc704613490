import * as vscode from 'vscode';
import { type Disposable, DisposableStore, combine } from '../../base/disposable.ts';
import type { Connection } from '../../domain/connection.ts';
import { plainLine } from '../../base/format.ts';
import { offerCommand } from '../../editor/commands.ts';
import type { App } from '../../ui/app.ts';
import type { BudgetState, BudgetUsage, Purpose } from '../../domain/budget.ts';
import { tooltip } from '../../editor/markdown.ts';
import { secondsUntil } from '../../words/time.ts';
import { wait } from '../../base/time.ts';
import { withProgress } from '../../editor/prompts/prompts.ts';

type BudgetItemDeps = Pick<App, 'connections' | 'services' | 'clock'>;

/** Many requests at about the same time cause one update, after this many milliseconds. */
const gatherMs = 250;

/** A status bar item that shows how many requests are left this minute, or when requests resume, while few are left. */
export class BudgetItem implements Disposable {
  readonly #deps: BudgetItemDeps;
  readonly #owned = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  #isShown = false;
  #subscription: Disposable | undefined;
  #timer: { readonly timer: Disposable; readonly at: number } | undefined;

  constructor(deps: BudgetItemDeps) {
    this.#deps = deps;
    this.#item = this.#owned.add(
      vscode.window.createStatusBarItem('budget', vscode.StatusBarAlignment.Right),
    );
    this.#item.name = vscode.l10n.t('Workflow Requests');
    const { connections } = deps;
    const watch = (): void => this.#watch(connections.active.current);
    this.#owned.add(connections.active.onDidChange(watch));
    // A connection with another base URL gets another client.
    this.#owned.add(connections.all.onDidChange(watch));
    this.#owned.add(vscode.window.onDidChangeWindowState(() => this.#look()));
    watch();
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#timer?.timer.dispose();
    this.#owned.dispose();
  }

  #watch(connection: Connection | null): void {
    this.#subscription?.dispose();
    this.#subscription =
      connection === null
        ? undefined
        : this.#deps.services.budget(connection.id).onDidChange(() => this.#lookIn(gatherMs));
    this.#look();
  }

  /** Does nothing if an earlier look is already scheduled. */
  #lookIn(milliseconds: number): void {
    const { clock } = this.#deps;
    const at = clock.now() + milliseconds;
    if (this.#timer !== undefined && this.#timer.at <= at) return;
    this.#timer?.timer.dispose();
    const timer = clock.schedule(() => this.#look(), milliseconds);
    this.#timer = { timer, at };
  }

  #look(): void {
    this.#timer?.timer.dispose();
    this.#timer = undefined;
    const connection = this.#deps.connections.active.current;
    const budget = connection && this.#deps.services.budget(connection.id);
    const look = budget && lookAt(budget.current, budget.waitMs('asked'), this.#isShown);
    this.#isShown = Boolean(look);
    if (!look) {
      this.#item.hide();
      return;
    }
    const name = plainLine(connection.name, 80);
    const shown = renderBudget(name, look, budget.usage(), budget.waitMs('following'));
    this.#item.text = shown.text;
    this.#item.tooltip = shown.tooltip;
    this.#item.accessibilityInformation = { label: shown.accessibleName };
    this.#item.command = offerCommand(
      'connection.diagnose',
      { connectionId: connection.id },
      { title: vscode.l10n.t('Diagnose') },
    );
    this.#item.show();
    this.#lookIn(nextLookMs(look, vscode.window.state.focused));
  }
}

/** left: few requests are left. resumes: even a request of the user has to wait, inMs milliseconds. */
type BudgetLook =
  | { readonly kind: 'left'; readonly remaining: number; readonly limit: number }
  | { readonly kind: 'resumes'; readonly inMs: number };

/**
 * Undefined while enough requests are left. waitMs: until a request of the user may be sent. Once shown, it stays until half of
 * the limit is left, to avoid flicker.
 */
export function lookAt(
  { limit, remaining }: BudgetState,
  waitMs: number,
  isShown: boolean,
): BudgetLook | undefined {
  if (waitMs > 0) return { kind: 'resumes', inMs: waitMs };
  const plenty = isShown ? limit / 2 : limit / 3;
  return remaining < plenty ? { kind: 'left', remaining, limit } : undefined;
}

/** Milliseconds until the text may change without an event, because requests become available again. Longer while the window isn't focused. */
export function nextLookMs(look: BudgetLook, isFocused: boolean): number {
  if (look.kind === 'resumes') return isFocused ? Math.min(1000, look.inMs) : look.inMs;
  return isFocused ? 5000 : 60_000;
}

interface RenderedBudget {
  readonly text: string;
  readonly tooltip: vscode.MarkdownString;
  readonly accessibleName: string;
}

function textOf(look: BudgetLook): string {
  return look.kind === 'left'
    ? vscode.l10n.t('{0} of {1} left', look.remaining, look.limit)
    : vscode.l10n.t('resumes in {0} s', secondsUntil(look.inMs, 0));
}

/** Undefined for a count of 0. */
function row(label: string, count = 0): string | undefined {
  return count === 0 ? undefined : vscode.l10n.t('{0}: {1}', label, count);
}

function describePurposes(counts: BudgetUsage['purposes']): readonly (string | undefined)[] {
  const rows: Readonly<Record<Purpose, string | undefined>> = {
    asked: row(vscode.l10n.t('Your commands'), counts.asked),
    following: row(vscode.l10n.t('Following executions'), counts.following),
    portalEvents: row(vscode.l10n.t('Portal events'), counts.portalEvents),
    workflows: row(vscode.l10n.t('Keeping workflows up to date'), counts.workflows),
    executions: row(vscode.l10n.t('Keeping executions up to date'), counts.executions),
    definitions: row(vscode.l10n.t('Node statuses in open definitions'), counts.definitions),
    tests: row(vscode.l10n.t('Tests of workflows'), counts.tests),
    search: row(vscode.l10n.t('Searching executions'), counts.search),
  };
  return Object.values(rows);
}

/** Renders the status bar item. backgroundWaitMs: until requests that the user didn't make may be sent. */
export function renderBudget(
  connectionName: string,
  look: BudgetLook,
  usage: BudgetUsage,
  backgroundWaitMs: number,
): RenderedBudget {
  const text = textOf(look);
  const { remaining, limit, pausedUntil, purposes, otherWindows, otherClients } = usage;
  return {
    text: `$(dashboard) ${text}`,
    accessibleName: vscode.l10n.t('Requests to {0}: {1}', connectionName, text),
    tooltip: tooltip(vscode.l10n.t('Requests to {0}', connectionName), [
      pausedUntil === null
        ? vscode.l10n.t('{0} of {1} are left this minute.', remaining, limit)
        : vscode.l10n.t('The service asked to wait.'),
      look.kind === 'left' && backgroundWaitMs > 0
        ? vscode.l10n.t(
            'The rest is reserved for your commands. Following and refreshing continue in {0} s.',
            secondsUntil(backgroundWaitMs, 0),
          )
        : undefined,
      ...describePurposes(purposes),
      row(vscode.l10n.t('Sent by other windows'), otherWindows),
      row(vscode.l10n.t('Sent by other apps or machines with this key'), otherClients),
    ]),
  };
}

// While a command of the user waits for the limit of requests: how long it takes, with a way to cancel.

type LimitNoticeDeps = Pick<App, 'clock' | 'commands' | 'requestWaits'>;

const secondMs = 1000;

export function registerLimitNotice({ clock, commands, requestWaits }: LimitNoticeDeps): Disposable {
  const ended = new AbortController();
  let isShown = false;

  function isWaiting(): boolean {
    const until = requestWaits.until.current;
    return until !== null && until > clock.now();
  }

  async function countDown(signal: AbortSignal, report: (message: string) => void): Promise<void> {
    signal.addEventListener('abort', () => requestWaits.cancelAll(), { once: true });
    for (;;) {
      const until = requestWaits.until.current;
      if (until === null || until <= clock.now()) return;
      report(vscode.l10n.t('Waiting for the request limit ({0} s)…', secondsUntil(until, clock.now())));
      await wait(clock, Math.min(secondMs, until - clock.now()), AbortSignal.any([signal, ended.signal]));
    }
  }

  async function show(): Promise<void> {
    if (isShown || requestWaits.until.current === null) return;
    isShown = true;
    try {
      await withProgress('', (signal, report) => countDown(signal, (message) => report(message, 0)));
    } catch (error) {
      await commands.present(error);
    } finally {
      isShown = false;
    }
    // Another wait may have begun while the notice was closing.
    if (isWaiting() && !ended.signal.aborted) void show();
  }

  return combine(
    requestWaits.until.onDidChange(() => void show()),
    { dispose: () => ended.abort() },
  );
}
