import * as l10n from '@vscode/l10n';
import type { Secret } from '../../domain/secret.ts';
import { formatAge } from './time.ts';

/** "set 3 days ago", or that the service can't read it. */
export function describeSecret({ updatedAt, isUnreadable }: Secret, now: number): string {
  if (isUnreadable) return l10n.t("can't be read, replace its value");
  return updatedAt === null ? l10n.t('a secret') : l10n.t('set {0}', formatAge(updatedAt, now));
}
