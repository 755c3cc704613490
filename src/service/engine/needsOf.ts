// Finds what an execution needs of the process that runs it (store/needs.ts).
import { errorBranch, readEdges, readNodes, type WorkflowNode } from '../../definition/definition.ts';
import { NodeError } from '../errors.ts';
import type { Needs } from '../store/needs.ts';
import type { NewExecution } from '../store/newExecution.ts';
import { secretNames, type SecretReading } from './nodes/secretNames.ts';

export async function needsOf(
  { definition, kind, retryOf, plan }: Pick<NewExecution, 'definition' | 'kind' | 'retryOf' | 'plan'>,
  reading: SecretReading,
): Promise<Needs> {
  const requests = readNodes(definition).filter(({ type }) => type === 'httpRequest');
  const read = await Promise.all(requests.map((node) => mayReadSecrets(node, reading)));
  const usesNew =
    kind === 'draft' ||
    (retryOf ?? null) !== null ||
    readEdges(definition).some(({ branch }) => branch === errorBranch) ||
    requests.some(({ config }) => 'query' in config);
  const readsSecrets = read.includes(true);
  return { level: plan?.answers ? 3 : usesNew || readsSecrets ? 2 : 1, readsSecrets };
}

/** Templates that can't be checked now may read secrets. */
async function mayReadSecrets({ config }: WorkflowNode, reading: SecretReading): Promise<boolean> {
  try {
    return (await secretNames(config, reading)).length > 0;
  } catch (error) {
    if (error instanceof NodeError) return true;
    throw error;
  }
}
