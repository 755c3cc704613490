import * as l10n from '@vscode/l10n';
import type { Connections } from '../model/connections/connections.ts';
import type { Workflows } from '../model/workflows/workflows.ts';
import { plainLine } from '../base/format.ts';

/** The last characters of an id, which are enough to distinguish ids on screen. */
export function shortId(id: string): string {
  return plainLine(id.slice(-6));
}

/** The workflow's name if it's known, also of one that was deleted; else that it was deleted, or its id. */
export function workflowName(
  workflows: Pick<Workflows, 'find' | 'isDeleted' | 'lastName'>,
  connectionId: string,
  workflowId: string | null,
): string {
  if (workflowId === null) return l10n.t('Execution');
  const target = { connectionId, workflowId };
  const workflow = workflows.find(target);
  if (workflow !== undefined) return plainLine(workflow.name, 80);
  const lastName = workflows.lastName(target);
  if (lastName !== undefined) return l10n.t('{0} (deleted)', plainLine(lastName, 80));
  return workflows.isDeleted(target)
    ? l10n.t('Deleted workflow {0}', shortId(workflowId))
    : plainLine(workflowId, 80);
}

/** The connection's name; '' if the connection was removed. */
export function connectionName(connections: Pick<Connections, 'find'>, connectionId: string): string {
  return connections.find(connectionId)?.name ?? '';
}
