// What a node type has to bring: one function, with everything it may touch handed in.
import * as v from 'valibot';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { NodeError } from '../nodeError.ts';
import type { LogLevel } from '../../../domain/nodeLog.ts';
import type { SandboxScope } from '../../sandbox/messages.ts';

export interface NodeContext {
  readonly config: JsonObject;
  readonly scope: SandboxScope;
  readonly sandbox: Sandbox;
  /** Aborted when the service stops; what was done then is done again at the next start. */
  readonly signal: AbortSignal;
  /** HTTP requests go to public addresses only. */
  readonly refusesPrivateAddresses: boolean;
  /** Adds a line to the node log. */
  readonly say: (level: LogLevel, message: string) => Promise<void>;
  /** Publishes a portal event, once however often this node run is repeated. */
  readonly publish: (type: string, data: JsonObject) => Promise<string>;
}

/**
 * Runs the node and answers its output as JSON text, at most 200 deep. Throws a NodeError with the reason when
 * it fails.
 */
export type NodeBehaviour = (context: NodeContext) => Promise<string>;

/** The most that a node can give, in characters of JSON. */
export const maximumOutput = 8 * 1024 * 1024;

/** The config as the node type needs it; a NodeError names what is wrong. */
export function readConfig<T extends v.GenericSchema>(schema: T, config: JsonValue): v.InferOutput<T> {
  const result = v.safeParse(schema, config);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw new NodeError(
    'config_invalid',
    `The node's config is wrong${path ? ` at "${path}"` : ''}: ${issue.message}`,
  );
}
