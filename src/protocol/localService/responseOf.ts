// Waits for the response to a request of Node's own client, whatever the other side does.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { unlessAborted } from '../../base/async.ts';

/**
 * Rejects with the signal's reason once it's aborted, and when the connection ends or changes its protocol (101) before a response has
 * arrived, which Node reports as no error. A request without a response is destroyed. The signal covers the time until the headers have
 * arrived.
 */
export async function responseOf(outgoing: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The server changed the protocol, which was not requested.'));
    });
    // Node can report more than one error.
    outgoing.on('error', reject);
    outgoing.once('close', () => reject(new Error('The connection closed before a response arrived.')));
  });
  try {
    return await unlessAborted(response, signal);
  } catch (error) {
    outgoing.destroy();
    throw error;
  }
}
