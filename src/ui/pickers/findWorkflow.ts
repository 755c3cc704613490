import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { findByIdOrName } from '../../model/workflows/workflowNames.ts';
import type { App } from '../app.ts';

/** Finds the workflow with this id, or else this name. Rejects with a PlainError for none or several, or with a ServiceError. */
export async function findWorkflow(
  { workflows }: Pick<App, 'workflows'>,
  connectionId: string,
  wanted: string,
  signal: AbortSignal,
): Promise<WorkflowTarget & { readonly name: string }> {
  const all = await workflows.listWhole(connectionId, { signal });
  const [first, ...others] = findByIdOrName(all, wanted);
  const shown = plainLine(wanted, 80);
  if (first === undefined)
    throw new PlainError(vscode.l10n.t('No workflow has the name or ID "{0}".', shown));
  if (others.length > 0)
    throw new PlainError(
      vscode.l10n.t('Several workflows are named "{0}". Use the ID of one of them.', shown),
    );
  return { connectionId, workflowId: first.id, name: plainLine(first.name, 80) };
}
