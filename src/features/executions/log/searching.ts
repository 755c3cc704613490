// Searching a whole log: the list of lines with a text, and going from one of them to the next.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { chooseWhileFinding } from '../../../editor/prompts/findingPick.ts';
import { joined, plainLine } from '../../../base/format.ts';
import { askText, Cancelled, showMessage, withLateProgress } from '../../../editor/prompts/prompts.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { formats } from '../../../words/formats.ts';
import {
  describeMissing,
  findMatch,
  type LogMatch,
  searchLog,
  type SearchDirection,
  withLog,
} from './logReading.ts';
import { cursorPosition, type LogDeps, showLogRow } from './showLine.ts';

/** How many rows a search lists. */
const maximumMatches = 1000;

function pickMatch(deps: LogDeps, target: ExecutionTarget, text: string): Promise<LogMatch> {
  const { executions } = deps;
  const describeEnd = (count: number) =>
    joined([found(count), describeMissing(executions.logs(target), executions.find(target))], '. ');
  const shown = plainLine(text, 60);
  const found = (count: number) => {
    if (count === 0) return describeNoMatch(text);
    if (count === 1) return vscode.l10n.t('1 log line with "{0}"', shown);
    return count >= maximumMatches
      ? vscode.l10n.t('The first {0} log lines with "{1}"', formats.number(count), shown)
      : vscode.l10n.t('{0} log lines with "{1}"', formats.number(count), shown);
  };
  return chooseWhileFinding<LogMatch>({
    title: vscode.l10n.t('Search the Whole Log'),
    placeholder: vscode.l10n.t('Searching…'),
    describeEnd,
    find: async (add, signal) => {
      await collectMatches(deps, target, text, signal, (matches) => add(matches.map(choiceOf)));
    },
  });
}

const choiceOf = (match: LogMatch) => ({
  label: plainLine(match.text, 300),
  description: vscode.l10n.t('log line {0}', formats.number(match.position + 1)),
  value: match,
});

/** Returns at most as many rows as a search lists; reports them while it finds them. */
async function collectMatches(
  deps: LogDeps,
  target: ExecutionTarget,
  text: string,
  signal: AbortSignal,
  onFound: (matches: readonly LogMatch[]) => void = () => undefined,
): Promise<readonly LogMatch[]> {
  return withLog(deps, target, signal, async (feed) => {
    const all: LogMatch[] = [];
    for await (const matches of searchLog(feed, text, signal)) {
      const added = matches.slice(0, maximumMatches - all.length);
      all.push(...added);
      onFound(added);
      if (all.length >= maximumMatches) break;
    }
    return all;
  });
}

async function askSearchText(): Promise<string> {
  const text = await askText({ prompt: vscode.l10n.t('Text to find in the whole log') });
  if (text === '') throw new Cancelled();
  return text;
}

function describeNoMatch(text: string): string {
  return vscode.l10n.t('No lines contain "{0}"', plainLine(text, 60));
}

/** The command that lists the lines, and those that go from one to the next: with the text that was searched for last, in any log. */
export function registerSearch(deps: LogDeps): Disposable {
  const { commands, contextKeys } = deps;
  let latest = '';
  const remember = (text: string): void => {
    latest = text;
    contextKeys('hasSearchedLog', text !== '');
  };
  const registerStep = (
    name: 'execution.nextMatch' | 'execution.previousMatch',
    direction: SearchDirection,
  ) =>
    commands.register(name, {
      ask: () => pickExecution(deps),
      run: async ({ text: given, ...target }, { isInteractive }) => {
        const text = given ?? (latest === '' ? await askSearchText() : latest);
        if (isInteractive) remember(text);
        const position = cursorPosition(deps, target);
        return withLateProgress(deps, vscode.l10n.t('Searching…'), (signal) =>
          withLog(deps, target, signal, async (feed) => {
            const match = await findMatch(feed, { text, position, direction }, signal);
            if (match !== undefined) {
              await showLogRow(deps, target, feed, match, signal);
              return { line: match.position + 1, text: match.text };
            }
            const missing = describeMissing(feed, deps.executions.find(target));
            const words = joined([describeNoMatch(text), missing], '. ');
            if (isInteractive) void showMessage('information', words);
            return undefined;
          }),
        );
      },
    });
  return combine(
    registerSearchList(deps, remember),
    registerStep('execution.nextMatch', 'next'),
    registerStep('execution.previousMatch', 'previous'),
  );
}

/** remember: keeps the text for going on to the next line. */
function registerSearchList(deps: LogDeps, remember: (text: string) => void): Disposable {
  return deps.commands.register('execution.searchLog', {
    ask: () => pickExecution(deps),
    run: async ({ text, ...target }, { isInteractive }) => {
      if (!isInteractive) {
        const { signal } = new AbortController();
        const matches = await collectMatches(deps, target, text ?? '', signal);
        return matches.map((match) => ({ line: match.position + 1, text: match.text }));
      }
      const wanted = text ?? (await askSearchText());
      remember(wanted);
      const match = await pickMatch(deps, target, wanted);
      await showLogRow(deps, target, deps.executions.logs(target), match);
      return [];
    },
  });
}
