// The rows of the local service's secrets: their names and dates. Nobody can read a value again.
import * as vscode from 'vscode';
import type { Secret } from '../../domain/secret.ts';
import { plainLine } from '../../editor/format.ts';
import { tooltip } from '../../editor/markdown.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import { formats } from '../../ui/words/formats.ts';
import { describeSecret } from '../../ui/words/secrets.ts';

export interface SecretElement extends RowElement {
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
