// Several workflows or files one after the other. A failure affects only its own item, and cancelling only the remaining ones.
import * as vscode from 'vscode';
import { commandId } from '../editor/commands/names.ts';
import { showMessage, withProgress } from '../editor/prompts/prompts.ts';
import type { App } from './app.ts';
import { describeError } from './words/describeError.ts';
import { isAbortError } from '../base/async.ts';
import { isServiceError } from '../domain/errors.ts';

export interface Named {
  /** The name of the file or workflow, sanitized for display. */
  readonly name: string;
}

/** A button of the message at the end. */
export interface MessageAction {
  readonly title: string;
  readonly run: () => Promise<void>;
}

export interface Outcome<Result> {
  /** In the order of the items. */
  readonly done: readonly Result[];
  readonly failed: readonly { readonly name: string; readonly error: unknown }[];
  /** The number of items that weren't started, or were cancelled. */
  readonly untried: number;
}

/** How what became of the items is said. */
interface Reporting<Result> extends Pick<App, 'clock' | 'logger'> {
  /** Returns the first sentence of the message. */
  readonly describeDone: (done: readonly Result[]) => string;
  /** The buttons of the message, besides the one for the log. */
  readonly actionsFor?: (done: readonly Result[]) => readonly MessageAction[];
  /** Whether the message is a warning though nothing failed. Default: it isn't. */
  readonly isWarning?: (done: readonly Result[]) => boolean;
}

/** Shows the progress, and what became of the items in one message at the end. Returns the results in the order of the items. */
export async function transfer<Item extends Named, Result>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { title, ...reporting }: Reporting<Result> & { readonly title: string },
): Promise<readonly Result[]> {
  const outcome = await withProgress(title, (signal, report) =>
    eachInTurn(items, work, {
      signal,
      onBegin: (name, place) => report(...describeProgress(name, place, items.length)),
    }),
  );
  reportOutcome(outcome, reporting);
  return outcome.done;
}

/** Says what became of the items in one message. */
export function reportOutcome<Result>(
  outcome: Outcome<Result>,
  { describeDone, actionsFor = () => [], isWarning = () => false, clock, logger }: Reporting<Result>,
): void {
  const summary = summarizeTransfer(describeDone(outcome.done), outcome, clock.now());
  const kind = outcome.failed.length > 0 || isWarning(outcome.done) ? 'warning' : 'information';
  void showSummary({ summary, kind }, outcome, actionsFor(outcome.done), logger);
}

/** onBegin: called before each item with its 0-based index. Never rejects. */
export async function eachInTurn<Item extends Named, Result>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  {
    signal,
    onBegin,
  }: { readonly signal: AbortSignal; readonly onBegin: (name: string, place: number) => void },
): Promise<Outcome<Result>> {
  const done: Result[] = [];
  const failed: { name: string; error: unknown }[] = [];
  const outcome = (untried: number): Outcome<Result> => ({ done, failed, untried });
  for (const [place, item] of items.entries()) {
    if (signal.aborted) return outcome(items.length - place);
    onBegin(item.name, place);
    try {
      done.push(await work(item, signal));
    } catch (error) {
      if (isAbortError(error)) return outcome(items.length - place);
      failed.push({ name: item.name, error });
      if (endsAll(error)) return outcome(items.length - place - 1);
    }
  }
  return outcome(0);
}

/** True for failures that aren't about one definition: the remaining items would fail in the same way. */
function endsAll(error: unknown): boolean {
  if (!isServiceError(error)) return false;
  return !['invalid', 'otherFormat', 'tooLarge', 'conflict', 'notFound'].includes(error.reason.kind);
}

/** The current step, for the progress, and how many percent it adds. place: 0-based. */
export function describeProgress(name: string, place: number, count: number): readonly [string, number] {
  const words = count === 1 ? name : vscode.l10n.t('{0} of {1}: {2}', place + 1, count, name);
  return [words, place === 0 ? 0 : 100 / count];
}

const shownFailures = 5;

/** Adds to the first sentence which items failed or weren't tried. now: epoch milliseconds. */
export function summarizeTransfer(first: string, { failed, untried }: Outcome<unknown>, now: number): string {
  const lines = failed
    .slice(0, shownFailures)
    .map(({ name, error }) => `"${name}": ${describeError(error, now).message}`);
  if (failed.length > shownFailures)
    lines.push(vscode.l10n.t('{0} more failed; the log names them.', failed.length - shownFailures));
  if (untried > 0) lines.push(vscode.l10n.t('{0} not tried.', untried));
  return [first, ...lines].join(' ');
}

/** If items failed, shows the summary with a button for the log, which contains every failure. */
async function showSummary(
  { summary, kind }: { readonly summary: string; readonly kind: 'information' | 'warning' },
  { failed }: Outcome<unknown>,
  actions: readonly MessageAction[],
  logger: App['logger'],
): Promise<void> {
  for (const { name, error } of failed) logger.warn(`${name}: ${describeError(error, 0).message}`);
  const showLog: MessageAction = {
    title: vscode.l10n.t('Show Log'),
    run: async () => {
      await vscode.commands.executeCommand(commandId('showLog'));
    },
  };
  const picked = await showMessage(kind, summary, failed.length === 0 ? actions : [...actions, showLog]);
  await picked?.run();
}
