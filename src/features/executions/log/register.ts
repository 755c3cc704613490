// The commands of a log's document: which part of it is shown, and what is done with all of it.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { startingFolder } from '../../../editor/prompts/dialogs.ts';
import { fileName, joined } from '../../../base/format.ts';
import { Cancelled, showMessage, withLateProgress, withProgress } from '../../../editor/prompts/prompts.ts';
import { writeTextFile } from '../../../editor/documents/writeTextFile.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import type { LogSelection } from '../../../model/log/logTable.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { findRun, type NodeRunArgument } from '../../../ui/pickers/nodeRunPicker.ts';
import { titleOf } from '../../../ui/executionUris.ts';
import { askLogFilter } from './filterLog.ts';
import { registerLogLenses } from './logLenses.ts';
import { describeMissing, findLine, withLog, writeLog } from './logReading.ts';
import type { LogTexts } from './logTexts.ts';
import { endBegin, type LogWindowPlace } from './logView.ts';
import { placeAfter } from './logWindow.ts';
import { registerOpenLog } from './openLog.ts';
import { registerSearch } from './searching.ts';
import { type LogDeps, openView, showLogRow, showLogView } from './showLine.ts';
import { formats } from '../../../words/formats.ts';

function registerWindows(deps: LogDeps): Disposable {
  const { commands, executions, logs } = deps;
  const ask = () => pickExecution(deps);
  const end: LogWindowPlace = { kind: 'end' };
  return combine(
    commands.register('execution.showEarlierLines', {
      ask,
      run: (target) => {
        const window = logs.find(target)?.window;
        const position = window?.from ?? endBegin(executions.logs(target).count);
        const kind = position > 0 ? 'before' : 'from';
        return openView(deps, target, { kind, position });
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
    run: async ({ level, nodeId, text, ...target }, { isInteractive }) => {
      const view = logs.views.get(target);
      const filter = isInteractive
        ? await askLogFilter(view.filter, executions.logs(target).nodeRuns)
        : { level: level ?? null, nodeId: nodeId ?? null, text: text ?? null };
      return showLogView(deps, target, { place: { kind: 'end' }, filter });
    },
  });
}

async function askFile(deps: LogDeps, target: ExecutionTarget): Promise<vscode.Uri> {
  const { name, id } = titleOf(deps, target);
  const folder = startingFolder();
  const file = `${fileName(`${name} ${id}`)}.log`;
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: folder === undefined ? vscode.Uri.file(file) : vscode.Uri.joinPath(folder, file),
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
      const { lineCount, missing } = await withProgress(vscode.l10n.t('Saving the log…'), (signal, report) =>
        withLog(deps, target, signal, async (feed) => {
          const total = Math.max(1, feed.count);
          let [reported, saved] = [0, 0];
          const onRead = (rows: number, writtenLines: number) => {
            report(
              vscode.l10n.t('{0} lines', formats.number(writtenLines)),
              ((rows - reported) / total) * 100,
            );
            [reported, saved] = [rows, writtenLines];
          };
          await writeTextFile(uri, writeLog(feed, onRead, signal), signal);
          return { lineCount: saved, missing: describeMissing(feed, deps.executions.find(target)) };
        }),
      );
      const saved =
        lineCount === 1
          ? vscode.l10n.t('Saved 1 line.')
          : vscode.l10n.t('Saved {0} lines.', formats.number(lineCount));
      if (isInteractive) void showMessage('information', joined([saved, missing], ' '));
      return { fileUri: uri.toString(), lineCount };
    },
  });
}

/** Opens the log at the first line that is selected. Says `nothing` where there is none. */
async function openFirst(
  deps: LogDeps,
  target: ExecutionTarget,
  select: (feed: LogFeed) => LogSelection | undefined,
  nothing: string,
): Promise<string | undefined> {
  return withLateProgress(deps, vscode.l10n.t('Reading the log…'), (signal) =>
    withLog(deps, target, signal, async (feed) => {
      const selection = select(feed);
      const found = selection && (await findLine(feed, selection, signal));
      if (found !== undefined) return showLogRow(deps, target, feed, found, signal);
      const missing = describeMissing(feed, deps.executions.find(target));
      void showMessage('information', joined([nothing, missing], ' '));
      return undefined;
    }),
  );
}

function registerFirsts(deps: LogDeps): Disposable {
  return combine(
    deps.commands.register('execution.openFirstError', {
      ask: () => pickExecution(deps),
      run: (target) =>
        openFirst(deps, target, () => ({ level: 'error' }), vscode.l10n.t('No errors in this log.')),
    }),
    deps.commands.register<'nodeRun.openLog', NodeRunArgument>('nodeRun.openLog', {
      ask: () => pickExecution(deps),
      run: async (argument, { isInteractive }) => {
        const { connectionId, executionId, nodeId }: NodeRunArgument = argument;
        const key = nodeId === undefined ? (await findRun(deps, argument, isInteractive))?.key : undefined;
        return openFirst(
          deps,
          { connectionId, executionId },
          (feed) => (nodeId === undefined ? feed.selectRun(key ?? '') : { nodeId }),
          vscode.l10n.t('No lines of this node in the log.'),
        );
      },
    }),
  );
}

export function registerLog(deps: Omit<LogDeps, 'logs'>, logs: LogTexts): Disposable {
  const own: LogDeps = { ...deps, logs };
  return combine(
    registerOpenLog(own),
    registerWindows(own),
    registerFilter(own),
    registerSearch(own),
    registerSave(own),
    registerFirsts(own),
    registerLogLenses(deps, logs),
  );
}
