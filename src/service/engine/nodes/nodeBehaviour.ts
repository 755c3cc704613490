import * as v from 'valibot';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { Expressions } from '../../sandbox/ownerExpressions.ts';
import { NodeError } from '../../errors.ts';
import type { Masking } from '../../secrets/masking.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { Exchange } from '../../store/exchanges.ts';
import type { LogLevel } from '../../../domain/nodeLog.ts';
import type { HttpAnswer } from '../../../protocol/httpAnswers.ts';
import type { ExpressionScope } from '../../../definition/expressionScope.ts';

export interface NodeContext {
  readonly config: JsonObject;
  readonly scope: ExpressionScope;
  readonly sandbox: Expressions;
  readonly secrets: Pick<Secrets, 'namesIn' | 'read'>;
  /** Hides secrets. What a node logs and publishes is always masked. What it records isn't, and a text that it truncates must be masked first. */
  readonly masking: Pick<Masking, 'text' | 'json' | 'object'>;
  /** Aborted when the execution is cancelled, or the service stops; the node then runs again at the next start. */
  readonly signal: AbortSignal;
  /** Does work that waits for others, such as another service, and frees the execution's slot meanwhile. */
  readonly away: <T>(work: () => Promise<T>) => Promise<T>;
  /** Limits HTTP requests to public addresses. */
  readonly refusesPrivateAddresses: boolean;
  /** What an HTTP request node gets instead of sending its request, in a draft. */
  readonly answer: HttpAnswer | undefined;
  /** Adds a row to the node log. */
  readonly say: (level: LogLevel, message: string) => Promise<void>;
  /** Adds a row to the node log together with the node's end, in one write; a second call replaces the row. */
  readonly conclude: (level: LogLevel, message: string) => void;
  /** Stores the request and the response, already masked, together with the node's end; a second call replaces them. */
  readonly record: (exchange: Exchange) => void;
  /** Publishes a portal event and returns its id; repeated attempts of this node publish it only once. */
  readonly publish: (type: string, data: JsonObject) => Promise<string>;
}

export interface NodeOutput {
  /** JSON, at most 200 deep. */
  readonly text: string;
  /** Whether it no longer contains a secret. */
  readonly isMasked?: true;
}

/** Runs the node and returns its output. Rejects with a NodeError when it fails. */
export type NodeBehaviour = (context: NodeContext) => Promise<NodeOutput>;

/** The maximum size of a node's output as JSON, in UTF-16 units. */
export const maximumOutput = 8 * 1024 * 1024;

/** Parses the config of a node type. Throws a NodeError that names the invalid member. */
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
