// The question for a search: one line with criteria and free text, completed and checked while it's typed.
import * as vscode from 'vscode';
import { askCompleted, type Completion } from '../../../editor/prompts/completingPrompt.ts';
import { plainLine } from '../../../base/format.ts';
import {
  completeSearch,
  type KnownValues,
  type SearchProposal,
} from '../../../model/search/completeSearch.ts';
import { parseSearch } from '../../../model/search/searchQuery.ts';
import type { SearchName } from '../../../model/search/searchTerms.ts';
import { everythingOf } from '../../../model/executions/connectionExecutions.ts';
import type { SavedSearch } from '../../../model/search/savedSearches.ts';
import type { App } from '../../../ui/app.ts';
import { describeMistake } from '../../../words/searchMistakes.ts';

type AskDeps = Pick<App, 'clock' | 'executions' | 'savedSearches' | 'workflows'>;

function describeCriterion(name: SearchName): string {
  switch (name) {
    case 'status':
      return vscode.l10n.t('With a status; several with commas');
    case 'workflow':
      return vscode.l10n.t('Of a workflow, by its name or ID');
    case 'error':
      return vscode.l10n.t('With this error code');
    case 'node':
      return vscode.l10n.t('Failed at the node with this ID');
    case 'after':
      return vscode.l10n.t('Started after a time, such as 1h, 1d, yesterday or 2026-01-31');
    case 'before':
      return vscode.l10n.t('Started before a time, such as 1h, 1d, yesterday or 2026-01-31');
    case 'longer':
      return vscode.l10n.t('Took longer than a time, such as 10s or 5m');
    case 'kind':
      return vscode.l10n.t('Of the deployed definition, or drafts');
  }
}

/** What this window knows of a service, to be proposed. */
function knownValues({ clock, executions, workflows }: AskDeps, connectionId: string): KnownValues {
  const { items } = executions.list(everythingOf(connectionId));
  const errors = items.flatMap(({ error }) => error ?? []);
  const { current } = workflows.state;
  return {
    workflows: current.connectionId === connectionId ? current.items.map(({ name }) => name) : [],
    errorCodes: errors.flatMap(({ code }) => code ?? []),
    nodeIds: errors.flatMap(({ nodeId }) => nodeId ?? []),
    now: clock.now(),
  };
}

/** A value is followed by a space, for what comes next. */
function toCompletion(text: string, { start, end, insert, name, value }: SearchProposal): Completion {
  const after = text.slice(end);
  const isNext = value !== null && after === '';
  return {
    icon: value === null ? 'symbol-keyword' : 'symbol-enum-member',
    label: plainLine(insert, 120),
    ...(value === null && { description: describeCriterion(name) }),
    text: text.slice(0, start) + insert + (isNext ? ' ' : after),
  };
}

function toSaved({ name, query }: SavedSearch): Completion {
  return {
    icon: 'bookmark',
    label: plainLine(name, 120),
    ...(name !== query && { description: plainLine(query, 120) }),
    text: query,
    isAnswer: true,
  };
}

function complete(
  deps: AskDeps,
  connectionId: string,
  recent: readonly string[],
  text: string,
): readonly Completion[] {
  const proposals = completeSearch(text, text.length, knownValues(deps, connectionId));
  const completions = proposals.map((proposal) => toCompletion(text, proposal));
  if (text.trim() !== '') return completions;
  const saved = deps.savedSearches.list(connectionId);
  const others = recent.filter((query) => saved.every((each) => each.query !== query));
  const earlier = others.map((query) => ({
    icon: 'history',
    label: plainLine(query, 120),
    text: query,
    isAnswer: true,
  }));
  return [...saved.map(toSaved), ...earlier, ...completions];
}

/** recent: queries, the latest one first. Rejects with Cancelled on Escape. */
export function askSearch(
  deps: AskDeps,
  connectionId: string,
  value: string,
  recent: readonly string[],
): Promise<string> {
  return askCompleted({
    title: vscode.l10n.t('Search Executions'),
    placeholder: vscode.l10n.t('Any text or number, or criteria such as status:failed after:1d'),
    hint: vscode.l10n.t('Press Enter to search'),
    value,
    complete: (text) => complete(deps, connectionId, recent, text),
    check: (text) => {
      const [mistake] = parseSearch(text, deps.clock).mistakes;
      return mistake && { message: describeMistake(text, mistake), isAtEnd: mistake.end === text.length };
    },
  });
}
