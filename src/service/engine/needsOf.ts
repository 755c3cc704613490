// Finds what an execution needs of the process that runs it (store/needs.ts).
import { errorBranch, readEdges, readNodes, type WorkflowNode } from '../../definition/definition.ts';
import { NodeError } from '../errors.ts';
import type { Needs } from '../store/needs.ts';
import type { NewExecution } from '../store/newExecution.ts';
import { secretNames, type SecretReading } from './nodes/secretNames.ts';

export async function needsOf(
  { definition, kind, retryOf }: Pick<NewExecution, 'definition' | 'kind' | 'retryOf'>,
  reading: SecretReading,
): Promise<Needs> {
  const requests = readNodes(definition).filter(({ type }) => type === 'httpRequest');
  const read = await Promise.all(requests.map((node) => readsSecrets(node, reading)));
  const usesNew =
    kind === 'draft' ||
    (retryOf ?? null) !== null ||
    readEdges(definition).some(({ branch }) => branch === errorBranch) ||
    requests.some(({ config }) => 'query' in config);
  return { level: usesNew || read.includes(true) ? 2 : 1, readsSecrets: read.includes(true) };
}

/** Templates that can't be checked now may read secrets. */
async function readsSecrets({ config }: WorkflowNode, reading: SecretReading): Promise<boolean> {
  try {
    return (await secretNames(config, reading)).length > 0;
  } catch (error) {
    if (error instanceof NodeError) return true;
    throw error;
  }
}
