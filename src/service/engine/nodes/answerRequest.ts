// The answer of a draft to a request, which isn't sent. What can be known of the request without the network holds as ever, such as that a
// private address is refused; names aren't looked up.
import type { HttpAnswer } from '../../../protocol/httpAnswers.ts';
import { NodeError } from '../../errors.ts';
import { textOfJson } from './formFields.ts';
import { receiveJson } from './httpBodies.ts';
import { responseTooLarge } from './httpCall.ts';
import type { NodeContext } from './nodeBehaviour.ts';
import type { OutgoingRequest } from './outgoingRequest.ts';
import { refusePrivateHost } from './privateAddresses.ts';
import { type ReceivedResponse, timedOut, unreachable, withoutAddress } from './sendRequest.ts';

/** `name`: of the request, in messages. Rejects with a NodeError where the request would fail so. */
export async function answerRequest(
  answer: HttpAnswer,
  { config: { timeoutMs, maximumBytes }, sent, hidesAddress }: OutgoingRequest,
  name: string,
  { refusesPrivateAddresses, masking }: Pick<NodeContext, 'refusesPrivateAddresses' | 'masking'>,
): Promise<ReceivedResponse> {
  try {
    if (refusesPrivateAddresses) refusePrivateHost(sent.url.hostname);
  } catch (error) {
    throw hidesAddress && error instanceof NodeError ? withoutAddress(error, name) : error;
  }
  if ('error' in answer)
    throw answer.error === 'timeout'
      ? timedOut(name, timeoutMs)
      : unreachable(name, "that is the draft's answer.");
  const { status, headers = {}, body = null } = answer;
  if (Buffer.byteLength(textOfJson(body)) > maximumBytes) throw responseTooLarge(maximumBytes);
  return { status, headers: { ...headers }, body: await receiveJson(body, masking), durationMs: 0 };
}
