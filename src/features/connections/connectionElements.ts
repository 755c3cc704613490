// What the Connections view consists of and how each row looks.
import * as vscode from 'vscode';
import type { Connection } from '../../domain/connection.ts';
import { keyExpiry } from '../../model/connections/keyExpiry.ts';
import { offerCommand, type PersonsArgument } from '../../editor/commands.ts';
import { escapeMarkdown, plainLine } from '../../editor/format.ts';
import { describeExpiry } from './expiryReminder.ts';
import type { ApiKey } from '../../domain/apiKey.ts';
import { formatAge } from '../../ui/words/time.ts';

export interface ConnectionElement extends PersonsArgument {
  readonly kind: 'connection';
  readonly connectionId: string;
}

interface ApiKeyElement extends PersonsArgument {
  readonly kind: 'apiKey';
  readonly keyId: string;
  readonly reading: ApiKey;
}

/** A row that says something; link: a click on it leads to the service's settings for keys. */
export interface NoteElement extends PersonsArgument {
  readonly kind: 'note';
  readonly text: string;
  readonly link?: { readonly connectionId: string; readonly url: string };
}

export function connectionElement(connectionId: string): ConnectionElement {
  return { invokedBy: 'person', kind: 'connection', connectionId };
}

export type ConnectionsElement = ConnectionElement | ApiKeyElement | NoteElement;

export interface ConnectionLook {
  readonly isActive: boolean;
  readonly isRunning: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The lines of a connection's tooltip, as Markdown. */
function explainConnection(connection: Connection, now: number): readonly string[] {
  const expiry = keyExpiry(connection, now);
  return [
    `**${escapeMarkdown(connection.name)}**`,
    escapeMarkdown(connection.baseUrl),
    ...(expiry === undefined
      ? []
      : [
          vscode.l10n.t(
            'The API key ends on {0} at the latest.',
            new Date(expiry.endsAt).toLocaleDateString(),
          ),
        ]),
  ];
}

/** What stands below a remote connection: where its keys come from. */
export function remoteNotes(connection: Connection): readonly NoteElement[] {
  const made: NoteElement = {
    invokedBy: 'person',
    kind: 'note',
    text: vscode.l10n.t('Keys are made in its own settings'),
  };
  if (connection.settingsUrl === undefined) return [made];
  const link: NoteElement = {
    invokedBy: 'person',
    kind: 'note',
    text: vscode.l10n.t('Open the key settings'),
    link: { connectionId: connection.id, url: connection.settingsUrl },
  };
  return [made, link];
}

export function renderConnection(connection: Connection, look: ConnectionLook): vscode.TreeItem {
  const isLocal = connection.kind === 'local';
  const isStopped = isLocal && !look.isRunning;
  const hasRows = !isLocal || look.isRunning;
  const name = plainLine(connection.name, 80);
  const item = new vscode.TreeItem(
    name,
    hasRows ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  const words = [
    ...(look.isActive ? [vscode.l10n.t('active')] : []),
    ...describeExpiry(keyExpiry(connection, look.now)),
    isStopped ? vscode.l10n.t('stopped') : plainLine(connection.baseUrl, 100),
  ];
  item.id = connection.id;
  item.description = words.join(' · ');
  item.iconPath = isStopped
    ? new vscode.ThemeIcon('debug-pause')
    : new vscode.ThemeIcon(
        look.isActive ? 'pass-filled' : isLocal ? 'server-environment' : 'plug',
        look.isActive ? new vscode.ThemeColor('testing.iconPassed') : undefined,
      );
  item.contextValue = [
    'connection',
    connection.kind,
    look.isActive ? 'active' : 'inactive',
    ...(isLocal ? [isStopped ? 'stopped' : 'running'] : []),
    ...(connection.settingsUrl === undefined ? [] : ['hasSettingsPage']),
  ].join(',');
  item.tooltip = new vscode.MarkdownString(explainConnection(connection, look.now).join('\n\n'));
  item.accessibilityInformation = { label: `${name}, ${words.join(', ')}` };
  return item;
}

const day = 24 * 60 * 60 * 1000;

function describeKey(key: ApiKey, now: number): string {
  if (key.revokedAt !== null) return vscode.l10n.t('revoked');
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) return vscode.l10n.t('expired');
  const use =
    key.lastUsedAt === null
      ? vscode.l10n.t('never used')
      : vscode.l10n.t('used {0}', formatAge(key.lastUsedAt, now));
  if (key.expiresAt === null) return use;
  const daysLeft = Math.ceil((key.expiresAt.getTime() - now) / day);
  return `${use} · ${vscode.l10n.t('expires in {0} days', daysLeft)}`;
}

export function renderApiKey(key: ApiKey, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(key.name, 80));
  const state = describeKey(key, now);
  const isUsable = key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > now);
  const preview = plainLine(key.preview, 60);
  item.id = `key:${key.id}`;
  item.description = `${preview} · ${state}`;
  item.iconPath = new vscode.ThemeIcon(isUsable ? 'key' : 'circle-slash');
  item.contextValue = isUsable ? 'apiKey,usableKey' : 'apiKey';
  const rows = [
    `**${escapeMarkdown(key.name)}** ${escapeMarkdown(preview)}`,
    key.createdAt === null ? '' : vscode.l10n.t('Created: {0}', key.createdAt.toLocaleString()),
    key.lastUsedAt === null ? '' : vscode.l10n.t('Last used: {0}', key.lastUsedAt.toLocaleString()),
    vscode.l10n.t('Requests: {0}', key.requestCount ?? 0),
    key.expiresAt === null
      ? vscode.l10n.t('Never expires')
      : vscode.l10n.t('Expires: {0}', key.expiresAt.toLocaleString()),
  ];
  item.tooltip = new vscode.MarkdownString(rows.filter((row) => row !== '').join('\n\n'));
  item.accessibilityInformation = {
    label: vscode.l10n.t('API key {0}, {1}', plainLine(key.name, 80), state),
  };
  return item;
}

export function renderNote(note: NoteElement): vscode.TreeItem {
  const item = new vscode.TreeItem(note.text);
  item.iconPath = new vscode.ThemeIcon(note.link === undefined ? 'info' : 'link-external');
  item.tooltip = note.link === undefined ? note.text : plainLine(note.link.url, 200);
  if (note.link !== undefined) {
    const { connectionId } = note.link;
    item.command = offerCommand('connection.openSettingsPage', { connectionId }, { title: note.text });
  }
  return item;
}
