// What a service of an older version lacks that newer ones have.
import * as l10n from '@vscode/l10n';
import type { Capability } from '../../protocol/operations.ts';

/** Returns one sentence; undefined where nothing is missing. */
export function describeLacks(offered: ReadonlySet<Capability>): string | undefined {
  const lacks = [
    ...(offered.has('cancel') ? [] : [l10n.t("executions can't be cancelled")]),
    ...(offered.has('saveAlone') ? [] : [l10n.t('what you save of a deployed workflow is deployed at once')]),
    ...(offered.has('mcp') ? [] : [l10n.t('only webhooks start executions, and there are no drafts')]),
  ];
  if (lacks.length === 0) return undefined;
  return l10n.t('This service is an older version: {0}.', lacks.join('; '));
}
