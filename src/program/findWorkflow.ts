import * as l10n from '@vscode/l10n';
import { isServiceError, WordedError } from '../domain/errors.ts';
import type { Workflow } from '../domain/workflow.ts';
import { findByIdOrName } from '../model/workflows/workflowNames.ts';
import type { OpenService } from './openService.ts';

/** Several workflows have the name. */
export class AmbiguousName extends WordedError {
  override readonly name = 'AmbiguousName';
}

/**
 * Finds a workflow by its id or exact name. Rejects with an AmbiguousName that has the ids if several have the name, with a WordedError if none
 * has it, and with a ServiceError.
 */
export async function findWorkflow(
  { connectionId, workflows }: Pick<OpenService, 'connectionId' | 'workflows'>,
  wanted: string,
  signal: AbortSignal,
): Promise<Workflow> {
  // A name with a space can't be an id.
  if (/^[\w.-]+$/.test(wanted)) {
    try {
      return await workflows.read({ connectionId, workflowId: wanted }, signal);
    } catch (error) {
      if (!isServiceError(error, 'notFound') && !isServiceError(error, 'invalid')) throw error;
    }
  }
  const all = await workflows.listWhole(connectionId, { signal, purpose: 'asked' });
  const found = findByIdOrName(all, wanted);
  const [first] = found;
  if (first === undefined) throw new WordedError(l10n.t('No workflow has the name or ID "{0}".', wanted));
  if (found.length === 1) return first;
  const words = l10n.t('Several workflows are named "{0}". Use the ID of one of them.', wanted);
  throw new AmbiguousName(`${words} ${found.map(({ id }) => id).join(', ')}`);
}
