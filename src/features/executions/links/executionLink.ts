// Links that lead to an execution on another machine. They hold no key and no address: the receiver finds the service among their own
// connections, by a fingerprint of its base URL.
import * as v from 'valibot';
import type { Connection } from '../../../domain/connection.ts';

export interface ExecutionLink {
  readonly executionId: string;
  readonly workflowId?: string;
  /** The fingerprint of the service. */
  readonly service: string;
  /** The node run to open. */
  readonly nodeRunKey?: string;
}

/** The path of a link to an execution. */
export const linkPath = '/execution';

const maximumQuery = 2000;
/** Nothing that is special in a URL, a path or a shell. */
const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9_.~:@-]{0,199}$/));
/** Base64url: keys hold quotes and brackets. */
const Key = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,1000}$/));
const Query = v.object({
  execution: Id,
  workflow: v.exactOptional(Id),
  service: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/)),
  nodeRun: v.exactOptional(Key),
});

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

function serviceName({ kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>): string {
  // A local service has another address with each start.
  if (kind === 'local') return 'local';
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname.replace(/\/+$/, '');
}

/** Equal for connections to the same base URL, whatever their names and keys. The base URL can't be read from it. */
export async function serviceFingerprint(connection: Pick<Connection, 'kind' | 'baseUrl'>): Promise<string> {
  const text = `workflow-automation service\n${serviceName(connection)}`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64(new Uint8Array(digest)).slice(0, 22);
}

/** Returns the query of a link; undefined if an id holds characters that a link can't. */
export function writeExecutionLink(link: ExecutionLink): string | undefined {
  const { executionId, workflowId, service, nodeRunKey } = link;
  const hasWorkflow = workflowId !== undefined && v.is(Id, workflowId);
  const query = {
    execution: executionId,
    ...(hasWorkflow ? { workflow: workflowId } : {}),
    service,
    ...(nodeRunKey === undefined ? {} : { nodeRun: toBase64(new TextEncoder().encode(nodeRunKey)) }),
  };
  return v.is(Query, query) ? new URLSearchParams(query).toString() : undefined;
}

/** Reads a link from anywhere. Returns undefined unless it's whole and bounded; members that it needn't have are ignored. */
export function readExecutionLink(path: string, query: string): ExecutionLink | undefined {
  if (path !== linkPath || query.length > maximumQuery) return undefined;
  const members = [...new URLSearchParams(query)];
  const given = Object.fromEntries(members);
  const isTwice = members.some(([name, value]) => given[name] !== value);
  const { success, output } = v.safeParse(Query, given);
  if (!success || isTwice) return undefined;
  const { execution, workflow, service, nodeRun } = output;
  return {
    executionId: execution,
    ...(workflow === undefined ? {} : { workflowId: workflow }),
    service,
    ...(nodeRun === undefined ? {} : { nodeRunKey: Buffer.from(nodeRun, 'base64url').toString('utf8') }),
  };
}
