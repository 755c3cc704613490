// Whether an n8n has an MCP server at all, which an older one hasn't: asked without any secret.
import { isServiceError, ServiceError } from '../../domain/errors.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { Operation } from '../../protocol/operations.ts';
import type { Transport } from '../request/transport.ts';
import { apiPath } from './address.ts';

export const mcpOperation = { method: 'POST', path: '/mcp-server/http' } as const satisfies Operation;
const anyOfApi = { method: 'GET', path: `${apiPath}/workflows` } as const satisfies Operation;

/** `bare`: of the editor's address, without a secret. Rejects with "unavailable" while n8n starts: then it doesn't know its API either. */
export async function hasMcpServer(bare: Transport, options?: CallOptions): Promise<boolean> {
  if (await isKnown(bare, mcpOperation, options)) return true;
  if (await isKnown(bare, anyOfApi, options)) return false;
  throw new ServiceError({ kind: 'unavailable' }, 'n8n is starting.', { status: 404 });
}

/** Who comes without a secret is refused where there is something to refuse. */
async function isKnown(bare: Transport, operation: Operation, options?: CallOptions): Promise<boolean> {
  try {
    await bare.call({ operation, isOutput: true }, options);
    return true;
  } catch (error) {
    if (isServiceError(error, 'notOffered') || isServiceError(error, 'notFound')) return false;
    if (isServiceError(error) && error.status >= 400 && error.status < 500) return true;
    throw error;
  }
}
