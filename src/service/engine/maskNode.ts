// What is kept of a node run, without secrets.
import { parseJson, stringifyJson } from '../../base/json.ts';
import { messageOf, NodeError } from '../errors.ts';
import type { SecretMask } from '../secrets/secretMask.ts';
import type { Exchange, HttpMessage } from '../store/exchanges.ts';
import type { NodeFailure } from '../store/nodeRunRows.ts';

/** `error`: whatever was thrown. */
export function maskFailure(mask: SecretMask, error: unknown): NodeFailure {
  if (!(error instanceof NodeError))
    return { code: 'node_crashed', message: mask.text(`The node crashed: ${messageOf(error)}`) };
  const { code, answer } = error;
  const message = mask.text(error.message);
  if (!answer) return { code, message };
  const response = parseJson(mask.json(stringifyJson(answer.response))) ?? null;
  return { code, message, status: answer.status, response };
}

export function maskExchange(mask: SecretMask, { request, response }: Exchange): Exchange {
  const maskMessage = ({ head, body }: HttpMessage): HttpMessage => ({
    head: mask.object(head),
    body: mask.json(body),
  });
  return { request: maskMessage(request), response: response && maskMessage(response) };
}
