import * as l10n from '@vscode/l10n';
import type { KeyRight } from '../domain/apiKey.ts';

function whatFor(right: KeyRight): string {
  return {
    'workflow:list': l10n.t('list workflows'),
    'workflow:read': l10n.t('read workflows'),
    'workflow:create': l10n.t('create workflows'),
    'workflow:update': l10n.t('change workflows'),
    'workflow:delete': l10n.t('delete or archive workflows'),
    'workflow:activate': l10n.t('deploy workflows'),
    'workflow:deactivate': l10n.t('undeploy workflows'),
    'execution:list': l10n.t('list executions'),
    'execution:read': l10n.t('read executions'),
    'execution:stop': l10n.t('cancel executions'),
    'execution:retry': l10n.t('retry executions'),
  }[right];
}

/** A sentence about the rights that a key lacks, at least one, each with the name that the service has for it. */
export function describeMissingRights(rights: readonly KeyRight[]): string {
  const words = rights.map((right) => `${whatFor(right)} (${right})`);
  return l10n.t('The key has no right to {0}.', words.join(', '));
}
