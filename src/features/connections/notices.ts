// What is said about connections unasked: that a key expires, and that a stored record can't be read.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import type { Connection } from '../../domain/connection.ts';
import { offerCommand } from '../../editor/commands.ts';
import { plainLine } from '../../base/format.ts';
import { showMessage } from '../../editor/prompts/prompts.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { openKeyPage } from './connectionRows.ts';
import { isReminderDue, keyExpiry, type KeyExpiry, type Reminded } from './keyExpiry.ts';
import type { StatePort } from '../../model/ports.ts';
import { describeNewerVersion } from '../../words/describeTypedError.ts';
import { formats } from '../../words/formats.ts';

interface ReminderDeps {
  readonly connections: Pick<Connections, 'all'>;
  readonly globalState: StatePort;
  readonly clock: Pick<Clock, 'now'>;
}

const entry = 'keyReminders';

function reminderText(connection: Connection, expiry: KeyExpiry): string {
  const name = plainLine(connection.name, 80);
  const date = formats.date(new Date(expiry.endsAt));
  if (expiry.stage === 'ended')
    return vscode.l10n.t(
      'The API key of "{0}" expired on {1}. The service no longer accepts it.',
      name,
      date,
    );
  return expiry.daysLeft <= 1
    ? vscode.l10n.t('The API key of "{0}" expires within a day ({1}).', name, date)
    : vscode.l10n.t('The API key of "{0}" expires in {1} days ({2}).', name, expiry.daysLeft, date);
}

function decodeReminded(stored: unknown, connectionId: string): Reminded | undefined {
  const value = isJsonObject(stored) ? stored[connectionId] : undefined;
  if (!isJsonObject(value)) return undefined;
  const { keySetAt, at } = value;
  return typeof keySetAt === 'string' && typeof at === 'number' ? { keySetAt, at } : undefined;
}

async function remind(connection: Connection, expiry: KeyExpiry): Promise<void> {
  const { id: connectionId, settingsUrl } = connection;
  const replace = offerCommand(
    'connection.replaceKey',
    { connectionId },
    { title: vscode.l10n.t('Replace API Key…') },
  );
  const picked = await showMessage('warning', reminderText(connection, expiry), [
    replace,
    ...(settingsUrl === undefined ? [] : [openKeyPage(settingsUrl, vscode.l10n.t('Open API Key Page'))]),
  ]);
  if (picked === undefined) return;
  const given: readonly unknown[] = picked.arguments ?? [];
  await vscode.commands.executeCommand(picked.command, ...given);
}

/**
 * Reminds the user of keys that expire within a week. Checks when it's created, when the connections change and when the window
 * gets the focus; there is no timer.
 */
export function createExpiryReminder({ connections, globalState, clock }: ReminderDeps): Disposable {
  const look = (): void => {
    const now = clock.now();
    const stored = globalState.get(entry);
    const due = connections.all.current.filter((connection) =>
      isReminderDue(connection, decodeReminded(stored, connection.id), now),
    );
    if (due.length === 0) return;
    // Drops the entries of connections that were removed.
    const kept = connections.all.current.flatMap((connection) => {
      const last = due.includes(connection)
        ? { keySetAt: connection.keySetAt ?? '', at: now }
        : decodeReminded(stored, connection.id);
      return last === undefined ? [] : [[connection.id, { ...last }] as const];
    });
    void globalState.set(entry, Object.fromEntries(kept));
    for (const connection of due) {
      const expiry = keyExpiry(connection, now);
      if (expiry !== undefined) void remind(connection, expiry);
    }
  };
  const watching = combine(
    connections.all.onDidChange(look),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) look();
    }),
  );
  look();
  return watching;
}

async function sayDamaged(path: string): Promise<void> {
  const show = { title: vscode.l10n.t('Show File') };
  const file = vscode.Uri.file(path).path.split('/').at(-1) ?? path;
  const picked = await showMessage(
    'warning',
    vscode.l10n.t(
      "The record of a connection is damaged, so the connection isn't listed. Its API key, inputs and pins are kept. To get it back, correct the file {0}, rename it to {1} and reload the window.",
      plainLine(file, 120),
      plainLine(`${file.split('.', 1)[0]}.json`, 120),
    ),
    [show],
  );
  if (picked) await vscode.window.showTextDocument(vscode.Uri.file(path));
}

/** Shows each problem of the stored connections once: a damaged record, or records of a newer version. */
export function sayStoredTrouble({ trouble }: Pick<Connections, 'trouble'>): Disposable {
  const said = new Set<string>();
  let isNewerSaid = false;
  const say = ({ damaged, isNewerVersion }: Connections['trouble']['current']): void => {
    for (const path of damaged) {
      if (said.has(path)) continue;
      said.add(path);
      void sayDamaged(path);
    }
    if (isNewerVersion && !isNewerSaid) void showMessage('warning', describeNewerVersion());
    isNewerSaid = isNewerVersion;
  };
  say(trouble.current);
  return trouble.onDidChange(say);
}
