// A report on one connection that's safe to share: it contains no API key and no data.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Connection } from '../../domain/connection.ts';
import { maskKey, redact } from '../../base/secrets.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { withProgress } from '../../editor/prompts.ts';
import { settings } from '../../editor/settings.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { requireConnection } from './connectionPicker.ts';

export type DiagnoseDeps = Pick<App, 'commands' | 'connections' | 'services' | 'workflows' | 'showText'>;

/** Returns the lines of the report: the configuration, whether there is a key, and the result of a request for one workflow. */
async function diagnose(deps: DiagnoseDeps, connection: Connection, signal: AbortSignal): Promise<string> {
  const key = await deps.connections.readKey(connection);
  const began = Date.now();
  let outcome: string;
  try {
    await deps.workflows.search(connection.id, { limit: 1 }, signal);
    outcome = vscode.l10n.t('answered in {0} ms', Date.now() - began);
  } catch (error) {
    outcome = describeError(error, Date.now()).message;
  }
  const budget = deps.services.budget(connection.id).current;
  const lines = [
    vscode.l10n.t('Connection: {0} ({1})', connection.name, connection.kind),
    vscode.l10n.t('Base URL: {0}', connection.baseUrl),
    key === undefined
      ? vscode.l10n.t('API key: none on this machine for this origin')
      : vscode.l10n.t('API key: {0}', maskKey(key, settings.keyPrefix())),
    vscode.l10n.t('List workflows: {0}', outcome),
    vscode.l10n.t('Requests left this minute: {0} of {1}', budget.remaining, budget.limit),
    vscode.l10n.t(
      'Editor: {0}, extension host on {1}',
      vscode.version,
      vscode.env.remoteName ?? 'this machine',
    ),
  ];
  return redact(lines.join('\n'), key === undefined ? [] : [key]);
}

export function registerDiagnose(deps: DiagnoseDeps): Disposable {
  const { commands, connections, showText } = deps;
  return commands.register('connection.diagnose', {
    ask: () => Promise.resolve({ connectionId: requireActiveConnection(connections).id }),
    run: async ({ connectionId }, { isInteractive }) => {
      const connection = requireConnection(connections, connectionId);
      const report = await withProgress(vscode.l10n.t('Checking the connection…'), (signal) =>
        diagnose(deps, connection, signal),
      );
      if (isInteractive) await showText(report, 'plaintext');
      return report;
    },
  });
}
