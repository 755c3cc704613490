// The stored failure of a node, without secrets.
import { messageOf, NodeError } from '../errors.ts';
import type { Masking } from '../secrets/masking.ts';
import type { NodeFailure } from '../store/nodeRunRows.ts';

/** `error`: whatever was thrown. */
export async function maskFailure(masking: Masking, error: unknown): Promise<NodeFailure> {
  if (!(error instanceof NodeError))
    return { code: 'node_crashed', message: await masking.text(`The node crashed: ${messageOf(error)}`) };
  const { code, refusal } = error;
  const message = await masking.text(error.message);
  return refusal ? { code, message, ...refusal } : { code, message };
}
