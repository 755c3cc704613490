// What n8n's MCP server knows of the types of nodes. Only with its token.
import * as v from 'valibot';
import { BoundedMap } from '../../base/boundedMap.ts';
import { type JsonObject, stringifyJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import type {
  CheckedNode,
  NodeParameter,
  NodeTypeQuery,
  ParameterFault,
} from '../../domain/nodeParameters.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { NodeTypePort } from '../servicePort.ts';
import type { McpServer } from './mcp.ts';
import { readParameterTypes } from './parameterTypes.ts';

const tools = { describe: 'get_node_types', check: 'validate_node_config' } as const;
/** How many nodes the tool checks at a time. */
const maximumNodes = 50;
const maximumTypes = 500;
/** The parameters that select among the forms of a node. */
const discriminators = ['resource', 'operation', 'mode'];

const Declared = v.object({ definitions: v.string() });
const Checked = v.object({
  results: v.array(
    v.object({
      index: v.number(),
      errors: v.fallback(
        v.array(v.object({ path: v.fallback(v.string(), ''), message: v.fallback(v.string(), '') })),
        [],
      ),
    }),
  ),
});

/** After a failure nothing is asked for so long, in milliseconds: what helps while somebody types isn't worth more. */
const restMs = 60_000;

interface NodeTypeDeps {
  readonly mcp: McpServer;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

export class N8nNodeTypes implements NodeTypePort {
  readonly #deps: NodeTypeDeps;
  readonly #known = new BoundedMap<string, Promise<readonly NodeParameter[] | undefined>>(maximumTypes);
  #failedAt = -Infinity;

  constructor(deps: NodeTypeDeps) {
    this.#deps = deps;
  }

  /** Not given up with a caller: the next one needs the same. */
  describe({ type, version, parameters }: NodeTypeQuery): Promise<readonly NodeParameter[] | undefined> {
    const chosen = discriminators.flatMap((name) => {
      const value = parameters[name];
      return typeof value === 'string' && !value.startsWith('=') ? [[name, value] as const] : [];
    });
    const query = { nodeId: type, version: String(version), ...Object.fromEntries(chosen) };
    const key = stringifyJson(query);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const asked = this.#unlessFailed(tools.describe, async () => {
      const decoded = v.safeParse(Declared, await this.#deps.mcp.ask(tools.describe, { nodeIds: [query] }));
      return decoded.success ? readParameterTypes(decoded.output.definitions) : [];
    });
    this.#known.set(key, asked);
    const forget = (): void => this.#known.delete(key);
    asked.then((parameters) => (parameters === undefined ? forget() : undefined), forget);
    return asked;
  }

  check(
    nodes: readonly CheckedNode[],
    options?: CallOptions,
  ): Promise<readonly (readonly ParameterFault[])[] | undefined> {
    return this.#unlessFailed(tools.check, async () => {
      const found: (readonly ParameterFault[])[] = [];
      for (let from = 0; from < nodes.length; from += maximumNodes)
        found.push(...(await checkSome(this.#deps.mcp, nodes.slice(from, from + maximumNodes), options)));
      return found;
    });
  }

  async #unlessFailed<T>(tool: string, work: () => Promise<T>): Promise<T | undefined> {
    const { clock, logger, mcp } = this.#deps;
    if (clock.now() - this.#failedAt < restMs) return undefined;
    try {
      return (await mcp.tools()).has(tool) ? await work() : undefined;
    } catch (error) {
      if (isServiceError(error)) {
        this.#failedAt = clock.now();
        logger.warn(`n8n returned nothing about its node types: ${error.message}`);
      }
      throw error;
    }
  }
}

async function checkSome(
  mcp: McpServer,
  nodes: readonly CheckedNode[],
  options: CallOptions | undefined,
): Promise<readonly (readonly ParameterFault[])[]> {
  const asked = nodes.map(({ type, version, parameters, isTool }): JsonObject => {
    return { type, typeVersion: version, parameters, ...(isTool ? { isToolNode: true } : {}) };
  });
  const decoded = v.safeParse(Checked, await mcp.ask(tools.check, { nodes: asked }, options));
  const results = decoded.success ? decoded.output.results : [];
  const byIndex = new Map(results.map(({ index, errors }) => [index, errors]));
  return nodes.map((_, index) => (byIndex.get(index) ?? []).flatMap(toFault));
}

const maximumSentence = 300;

/**
 * Only what is said of parameters: the nodes that are connected below a node, which the check wants to know, aren't sent. The path is told
 * beside the sentence or, in quotes, in it.
 */
function toFault({
  path,
  message,
}: {
  readonly path: string;
  readonly message: string;
}): readonly ParameterFault[] {
  const named = path === '' ? (/"(parameters(?:\.[^"]*)?)"/.exec(message)?.[1] ?? '') : path;
  const [root, ...rest] = named.split(/[.[\]]+/).filter((segment) => segment !== '');
  return root === 'parameters' ? [{ path: rest, message: message.slice(0, maximumSentence) }] : [];
}
