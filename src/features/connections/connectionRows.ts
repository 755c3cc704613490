import * as vscode from 'vscode';
import type { Connection } from '../../domain/connection.ts';
import { keyExpiry, type KeyExpiry } from './keyExpiry.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import { plainLine } from '../../base/format.ts';
import { formatted, paragraphs, toMarkdownString, tooltip } from '../../editor/markdown.ts';
import type { ApiKey } from '../../domain/apiKey.ts';
import type { ServiceError } from '../../domain/errors.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { describeTrouble } from '../../words/describeServiceError.ts';
import { formats } from '../../words/formats.ts';
import { formatAge } from '../../words/time.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';
import type { Secret } from '../../domain/secret.ts';
import { describeSecret } from '../../words/secrets.ts';

export interface ConnectionElement extends RowElement {
  readonly kind: 'connection';
  readonly connectionId: string;
}

/** An API key of the local service. */
export interface ApiKeyElement extends RowElement {
  readonly kind: 'apiKey';
  readonly keyId: string;
  readonly apiKey: ApiKey;
}

/** Says where the keys of a remote service are created. url: opened by a click. */
export interface HintElement extends RowElement {
  readonly kind: 'hint';
  readonly connectionId: string;
  readonly text: string;
  readonly url: string | undefined;
}

export type ConnectionsElement = ConnectionElement | ApiKeyElement | SecretElement | HintElement;

export function connectionElement(connectionId: string): ConnectionElement {
  return { invokedBy: 'person', kind: 'connection', key: connectionId, connectionId };
}

export function apiKeyElement(apiKey: ApiKey): ApiKeyElement {
  return { invokedBy: 'person', kind: 'apiKey', key: `key:${apiKey.id}`, keyId: apiKey.id, apiKey };
}

/** Returns the rows below a remote connection. */
export function hintElements({ id, settingsUrl }: Connection): readonly HintElement[] {
  const hint = (name: string, text: string, url?: string): HintElement => ({
    invokedBy: 'person',
    kind: 'hint',
    key: `${id}/${name}`,
    connectionId: id,
    text,
    url,
  });
  const made = hint('made', vscode.l10n.t("Create keys in the service's settings"));
  if (settingsUrl === undefined) return [made];
  return [made, hint('page', vscode.l10n.t('Open the API key page'), settingsUrl)];
}

export interface ConnectionLook {
  readonly isActive: boolean;
  readonly isRunning: boolean;
  /** Why the last call failed, if it failed because of the connection. */
  readonly trouble?: ServiceError | undefined;
  /** The local service is being started. */
  readonly isStarting: boolean;
  /** Where the local service keeps its data. */
  readonly dataFolder?: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** "key expires in 5 days"; empty while the expiry is more than a week away. */
function describeExpiry(expiry: KeyExpiry | undefined): readonly string[] {
  if (expiry === undefined || expiry.stage === 'later') return [];
  if (expiry.stage === 'ended') return [vscode.l10n.t('key expired')];
  return expiry.daysLeft <= 1
    ? [vscode.l10n.t('key expires within a day')]
    : [vscode.l10n.t('key expires in {0} days', expiry.daysLeft)];
}

function iconOf(
  { kind }: Connection,
  { isActive, trouble }: ConnectionLook,
  isStopped: boolean,
): vscode.ThemeIcon {
  if (isStopped) return new vscode.ThemeIcon('circle-slash');
  if (trouble !== undefined) {
    const isKey = trouble.reason.kind === 'keyRejected' || trouble.reason.kind === 'keyMissing';
    return isKey
      ? new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'))
      : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  if (isActive) return new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'));
  return new vscode.ThemeIcon(kind === 'local' ? 'server-environment' : 'plug');
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
  const expiry = keyExpiry(connection, look.now);
  const isKeyRejected = look.trouble?.reason.kind === 'keyRejected';
  // "active" beside "stopped" would contradict it.
  const words = isStopped
    ? [look.isStarting ? vscode.l10n.t('starting…') : vscode.l10n.t('stopped')]
    : [
        ...(look.trouble === undefined ? [] : [describeTrouble(look.trouble)]),
        ...(look.isActive ? [vscode.l10n.t('active')] : []),
        ...(isKeyRejected ? [] : describeExpiry(expiry)),
        plainLine(connection.baseUrl, 100),
      ];
  item.description = words.join(' · ');
  item.iconPath = iconOf(connection, look, isStopped);
  item.contextValue = [
    'connection',
    isLocal ? 'local' : 'remote',
    ...(serviceTraits[connection.kind].takesMcpToken ? ['takesMcpToken'] : []),
    look.isActive ? 'active' : 'inactive',
    ...(isLocal ? [isStopped ? 'stopped' : 'running'] : []),
  ].join(',');
  item.tooltip = tooltip(connection.name, [
    connection.baseUrl,
    look.trouble && !isStopped ? describeError(look.trouble, look.now).message : undefined,
    look.isActive ? vscode.l10n.t('The views show this connection.') : undefined,
    isLocal && look.dataFolder !== undefined ? vscode.l10n.t('Data: {0}', look.dataFolder) : undefined,
    expiry &&
      vscode.l10n.t('The API key expires on {0} at the latest.', formats.date(new Date(expiry.endsAt))),
  ]);
  item.accessibilityInformation = { label: `${name}, ${words.join(', ')}` };
  return item;
}

const day = 24 * 60 * 60 * 1000;
/** More than the time of the ages can lag behind: a new key of 30 days doesn't expire in 31. */
const lagMs = 60_000;

function describeKey(key: ApiKey, now: number): string {
  if (key.revokedAt !== null) return vscode.l10n.t('revoked');
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) return vscode.l10n.t('expired');
  const use =
    key.lastUsedAt === null
      ? vscode.l10n.t('never used')
      : vscode.l10n.t('used {0}', formatAge(key.lastUsedAt, now));
  if (key.expiresAt === null) return use;
  const daysLeft = Math.ceil((key.expiresAt.getTime() - now - lagMs) / day);
  const end =
    daysLeft <= 1 ? vscode.l10n.t('expires within a day') : vscode.l10n.t('expires in {0} days', daysLeft);
  return `${use} · ${end}`;
}

export function renderApiKey(key: ApiKey, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(key.name, 80));
  const state = describeKey(key, now);
  const isUsable = key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > now);
  const preview = plainLine(key.preview, 60);
  item.description = `${preview} · ${state}`;
  item.iconPath = new vscode.ThemeIcon(isUsable ? 'key' : 'circle-slash');
  item.contextValue = isUsable ? 'apiKey,usableKey' : 'apiKey';
  const rows = [
    formatted`**${plainLine(key.name)}** ${preview}`,
    key.createdAt === null ? undefined : vscode.l10n.t('Created: {0}', formats.time(key.createdAt)),
    key.lastUsedAt === null ? undefined : vscode.l10n.t('Last used: {0}', formats.time(key.lastUsedAt)),
    vscode.l10n.t('Requests: {0}', key.requestCount ?? 0),
    key.expiresAt === null
      ? vscode.l10n.t('Never expires')
      : vscode.l10n.t('Expires: {0}', formats.time(key.expiresAt)),
  ];
  item.tooltip = toMarkdownString(paragraphs(rows));
  item.accessibilityInformation = {
    label: vscode.l10n.t('API key {0}, {1}', plainLine(key.name, 80), state),
  };
  return item;
}

/** Opens the page on which a remote service makes keys. */
export function openKeyPage(settingsUrl: string, title: string): vscode.Command {
  return { command: 'vscode.open', title, arguments: [vscode.Uri.parse(settingsUrl, true)] };
}

export function renderHint({ text, url }: HintElement): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  item.iconPath = new vscode.ThemeIcon(url === undefined ? 'info' : 'link-external');
  item.tooltip = url === undefined ? text : plainLine(url, 200);
  if (url !== undefined) item.command = openKeyPage(url, text);
  return item;
}

interface SecretElement extends RowElement {
  readonly kind: 'secret';
  readonly name: string;
  readonly secret: Secret;
}

export function secretElement(secret: Secret): SecretElement {
  return { invokedBy: 'person', kind: 'secret', key: `secret:${secret.name}`, name: secret.name, secret };
}

export function renderSecret(secret: Secret, now: number): vscode.TreeItem {
  const name = plainLine(secret.name, 80);
  const item = new vscode.TreeItem(name);
  const state = describeSecret(secret, now);
  item.description = vscode.l10n.t('secret · {0}', state);
  item.iconPath = secret.isUnreadable
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon('lock');
  item.contextValue = 'secret';
  item.tooltip = tooltip(name, [
    vscode.l10n.t('HTTP request nodes of the local service use it as {0}.', `{{ secrets.${name} }}`),
    secret.updatedAt === null ? undefined : vscode.l10n.t('Set: {0}', formats.time(secret.updatedAt)),
    secret.origins.length === 0
      ? vscode.l10n.t('It may be sent to any origin. Replace its value to allow only some.')
      : vscode.l10n.t(
          'Sent to these origins only: {0}',
          secret.origins.map((origin) => plainLine(origin, 80)).join(', '),
        ),
    secret.isUnreadable
      ? vscode.l10n.t(
          "It was encrypted with a key that this machine's secret storage no longer has. Executions that use secrets wait until you replace its value or delete it.",
        )
      : undefined,
  ]);
  item.accessibilityInformation = { label: vscode.l10n.t('Secret {0}, {1}', name, state) };
  return item;
}
