import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../domain/connection.ts';
import { plainLine } from '../../editor/format.ts';
import { offerCommand } from '../../editor/commands.ts';
import { lookAt, nextLookMs, renderBudget } from './renderBudget.ts';
import type { App } from '../../ui/app.ts';

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
