// The commands of a log's document: which part of it is shown, and what is done with all of it.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { chooseWhileFinding } from '../../../editor/findingPick.ts';
import { fileName, joined, plainLine } from '../../../editor/format.ts';
import { askText, Cancelled, showMessage, withLateProgress, withProgress } from '../../../editor/prompts.ts';
import { writeTextFile } from '../../../editor/writeTextFile.ts';
import { countLogLines } from '../../../model/executions/wholeLog.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { titleOf } from '../commands/opening.ts';
import { findRun, type NodeRunArgument } from '../commands/openNodeRun.ts';
import { askLogFilter } from './filterLog.ts';
import { registerLogLenses } from './logLenses.ts';
import { describeMissing, findEntry, loadLog, type LogMatch, searchLog, writeLog } from './logReading.ts';
import type { LogTexts } from './logTexts.ts';
import { endBegin, type LogWindowPlace } from './logView.ts';
import { placeAfter } from './logWindow.ts';
import { type LineDeps, showLogLine, showLogView } from './showLine.ts';

type LogDeps = LineDeps & Pick<App, 'following' | 'requestWaits'>;

/** How many lines a search lists. */
const maximumMatches = 1000;

function openView(deps: LogDeps, target: ExecutionTarget, place: LogWindowPlace): Promise<string> {
  return showLogView(deps, target, { ...deps.logs.views.get(target), place });
}

function registerWindows(deps: LogDeps): Disposable {
  const { commands, executions, logs } = deps;
  const ask = () => pickExecution(deps);
  const end: LogWindowPlace = { kind: 'end' };
  return combine(
    commands.register('execution.showEarlierLines', {
      ask,
      run: (target) => {
        const window = logs.find(target)?.window;
        const line = window?.from ?? endBegin(countLogLines(executions.logs(target)));
        return openView(deps, target, line > 0 ? { kind: 'before', line } : { kind: 'from', line: 0 });
      },
    }),
    commands.register('execution.showLaterLines', {
      ask,
      run: (target) => {
        const window = logs.find(target)?.window;
        return openView(deps, target, window === undefined ? end : placeAfter(window));
      },
    }),
    commands.register('execution.showLatestLines', { ask, run: (target) => openView(deps, target, end) }),
  );
}

function registerFilter(deps: LogDeps): Disposable {
  const { commands, executions, logs } = deps;
  return commands.register('execution.filterLog', {
    ask: () => pickExecution(deps),
    run: async ({ level, nodeId, ...target }, { isInteractive }) => {
      const view = logs.views.get(target);
      const filter = isInteractive
        ? await askLogFilter(view.filter, executions.logs(target).nodeRuns)
        : { level: level ?? null, nodeId: nodeId ?? null };
      return showLogView(deps, target, { place: { kind: 'end' }, filter });
    },
  });
}

function pickMatch(deps: LogDeps, target: ExecutionTarget, text: string): Promise<number> {
  const describeEnd = (count: number) =>
    joined([found(count), describeMissing(deps.executions.logs(target))], '. ');
  const found = (count: number) =>
    count === 0
      ? vscode.l10n.t('No line contains "{0}"', plainLine(text, 60))
      : count >= maximumMatches
        ? vscode.l10n.t('The first {0} lines with "{1}"', count.toLocaleString(), plainLine(text, 60))
        : vscode.l10n.t('{0} lines with "{1}"', count.toLocaleString(), plainLine(text, 60));
  return chooseWhileFinding<number>({
    title: vscode.l10n.t('Search the Whole Log'),
    placeholder: vscode.l10n.t('Searching…'),
    describeEnd,
    find: async (add, signal) => {
      await collectMatches(deps, target, text, signal, (matches) => add(matches.map(choiceOf)));
    },
  });
}

const choiceOf = ({ line, text }: LogMatch) => ({
  label: plainLine(text, 300),
  description: vscode.l10n.t('line {0}', (line + 1).toLocaleString()),
  value: line,
});

/** Returns at most as many lines as a search lists; tells of them while it finds them. */
async function collectMatches(
  deps: LogDeps,
  target: ExecutionTarget,
  text: string,
  signal: AbortSignal,
  onFound: (matches: readonly LogMatch[]) => void = () => undefined,
): Promise<readonly LogMatch[]> {
  const log = await loadLog(deps, target, signal);
  const all: LogMatch[] = [];
  try {
    for await (const matches of searchLog(log.feed, text, signal)) {
      const added = matches.slice(0, maximumMatches - all.length);
      all.push(...added);
      onFound(added);
      if (all.length >= maximumMatches) break;
    }
    return all;
  } finally {
    log.dispose();
  }
}

function registerSearch(deps: LogDeps): Disposable {
  return deps.commands.register('execution.searchLog', {
    ask: () => pickExecution(deps),
    run: async ({ text, ...target }, { isInteractive }) => {
      if (!isInteractive) {
        const { signal } = new AbortController();
        const matches = await collectMatches(deps, target, text ?? '', signal);
        return matches.map((match) => ({ line: match.line + 1, text: match.text }));
      }
      const wanted = text ?? (await askText({ prompt: vscode.l10n.t('Text to find in the whole log') }));
      if (wanted === '') throw new Cancelled();
      const line = await pickMatch(deps, target, wanted);
      await showLogLine(deps, target, deps.executions.logs(target), line);
      return [];
    },
  });
}

async function askFile(deps: LogDeps, target: ExecutionTarget): Promise<vscode.Uri> {
  const { name, id } = titleOf(deps, target);
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(`${fileName(`${name} ${id}`)}.log`),
    filters: { [vscode.l10n.t('Log')]: ['log', 'txt'] },
  });
  if (chosen === undefined) throw new Cancelled();
  return chosen;
}

function registerSave(deps: LogDeps): Disposable {
  return deps.commands.register('execution.saveLog', {
    ask: () => pickExecution(deps),
    run: async ({ fileUri, ...target }, { isInteractive }) => {
      const uri = fileUri === undefined ? await askFile(deps, target) : vscode.Uri.parse(fileUri, true);
      const { lineCount, missing } = await withProgress(
        vscode.l10n.t('Saving the log…'),
        async (signal, report) => {
          const log = await loadLog(deps, target, signal);
          try {
            const total = Math.max(1, countLogLines(log.feed));
            let [told, saved] = [0, 0];
            const onRead = (lines: number, writtenLines: number) => {
              report(
                vscode.l10n.t('{0} lines', writtenLines.toLocaleString()),
                ((lines - told) / total) * 100,
              );
              [told, saved] = [lines, writtenLines];
            };
            await writeTextFile(uri, writeLog(log.feed, onRead, signal), signal);
            return { lineCount: saved, missing: describeMissing(log.feed) };
          } finally {
            log.dispose();
          }
        },
      );
      const words = [vscode.l10n.t('Saved {0} lines.', lineCount.toLocaleString()), missing];
      if (isInteractive) void showMessage('information', joined(words, ' '));
      return { fileUri: uri.toString(), lineCount };
    },
  });
}

/** Opens the log at the first line that passes the test. Says `nothing` where there is none. */
async function openFirst(
  deps: LogDeps,
  target: ExecutionTarget,
  passes: Parameters<typeof findEntry>[1],
  nothing: string,
): Promise<string | undefined> {
  return withLateProgress(deps, vscode.l10n.t('Reading the log…'), async (signal) => {
    const log = await loadLog(deps, target, signal);
    try {
      const found = await findEntry(log.feed, passes, signal);
      if (found !== undefined) return await showLogLine(deps, target, log.feed, found.line);
      void showMessage('information', joined([nothing, describeMissing(log.feed)], ' '));
      return undefined;
    } finally {
      log.dispose();
    }
  });
}

function registerFirsts(deps: LogDeps): Disposable {
  return combine(
    deps.commands.register('execution.openFirstError', {
      ask: () => pickExecution(deps),
      run: (target) =>
        openFirst(deps, target, ({ row }) => row.level === 'error', vscode.l10n.t('This log has no error.')),
    }),
    deps.commands.register<'nodeRun.openLog', NodeRunArgument>('nodeRun.openLog', {
      ask: () => pickExecution(deps),
      run: async (argument, { isInteractive }) => {
        const { connectionId, executionId, nodeId }: NodeRunArgument = argument;
        const key = nodeId === undefined ? (await findRun(deps, argument, isInteractive))?.key : undefined;
        return openFirst(
          deps,
          { connectionId, executionId },
          ({ row, runKey }) => (nodeId === undefined ? runKey === key : row.nodeId === nodeId),
          vscode.l10n.t('The log has no line of this node.'),
        );
      },
    }),
  );
}

export function registerLog(deps: Omit<LogDeps, 'logs'>, logs: LogTexts): Disposable {
  const own: LogDeps = { ...deps, logs };
  return combine(
    registerWindows(own),
    registerFilter(own),
    registerSearch(own),
    registerSave(own),
    registerFirsts(own),
    registerLogLenses(deps, logs),
  );
}
