import * as l10n from '@vscode/l10n';
import type { Secret } from '../domain/secret.ts';
import { plainLine } from '../base/format.ts';
import { formatAge } from './time.ts';

/** "set 3 days ago · https://api.example.com", or that the service can't read it. */
export function describeSecret({ updatedAt, origins, isUnreadable }: Secret, now: number): string {
  if (isUnreadable) return l10n.t("can't be read, replace its value");
  const age = updatedAt === null ? l10n.t('a secret') : l10n.t('set {0}', formatAge(updatedAt, now));
  const [origin] = origins;
  if (origin === undefined) return age;
  return `${age} · ${origins.length === 1 ? plainLine(origin, 80) : l10n.t('{0} origins', origins.length)}`;
}
