import * as l10n from '@vscode/l10n';
import type { KeyRight } from '../domain/apiKey.ts';

function whatFor(right: KeyRight): string {
  switch (right) {
    case 'workflow:list':
      return l10n.t('list workflows');
    case 'workflow:read':
      return l10n.t('read workflows');
    case 'workflow:create':
      return l10n.t('create workflows');
    case 'workflow:update':
      return l10n.t('change workflows');
    case 'workflow:delete':
      return l10n.t('delete or archive workflows');
    case 'workflow:activate':
      return l10n.t('deploy workflows');
    case 'workflow:deactivate':
      return l10n.t('undeploy workflows');
    case 'execution:list':
      return l10n.t('list executions');
    case 'execution:read':
      return l10n.t('read executions');
    case 'execution:stop':
      return l10n.t('cancel executions');
    case 'execution:retry':
      return l10n.t('retry executions');
  }
}

/** A sentence about the rights that a key lacks, at least one, each with the name that the service has for it. */
export function describeMissingRights(rights: readonly KeyRight[]): string {
  const words = rights.map((right) => `${whatFor(right)} (${right})`);
  return l10n.t('The key has no right to {0}.', words.join(', '));
}
