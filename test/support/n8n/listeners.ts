// Which Webhook node of the recorded n8n a call reaches, and what it gives of it.
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../src/base/json.ts';
import type { SeenRequest } from './recordedN8n.ts';
import { nodesOf, type RecordedWorkflow, webhookPathOf } from './state.ts';

interface Listener {
  readonly workflow: RecordedWorkflow;
  /** Its name. */
  readonly node: string;
  readonly params: JsonObject;
  /** The place of the method among those that the node takes. */
  readonly output: number;
}

/** Below its id a node is reached whose path has parameters. */
export function findListener(
  workflows: readonly RecordedWorkflow[],
  path: string,
  method: string,
): Listener | undefined {
  for (const workflow of workflows)
    for (const node of listeningNodes(workflow)) {
      const params = paramsOf(node, path);
      const output = methodsOf(node).indexOf(method);
      const { name } = node;
      if (params !== undefined && output !== -1 && typeof name === 'string')
        return { workflow, node: name, params, output };
    }
  return undefined;
}

/** Those that are deployed. */
export function listeningNodes({ activeVersionId, activeContent }: RecordedWorkflow): readonly JsonObject[] {
  return activeVersionId === null ? [] : nodesOf(activeContent['nodes']);
}

function methodsOf({ parameters }: JsonObject): readonly JsonValue[] {
  const { httpMethod = 'GET' } = isJsonObject(parameters) ? parameters : {};
  return isJsonArray(httpMethod) ? httpMethod : [httpMethod];
}

function paramsOf(node: JsonObject, path: string): JsonObject | undefined {
  const listening = webhookPathOf(node);
  if (listening === undefined) return undefined;
  if (!listening.includes(':')) return listening === path ? {} : undefined;
  const { webhookId } = node;
  const [id, ...given] = path.split('/');
  const segments = listening.split('/');
  const fits =
    segments.length === given.length &&
    segments.every((each, at) => each.startsWith(':') || each === given[at]);
  if (id !== webhookId || !fits) return undefined;
  return Object.fromEntries(
    segments.flatMap((each, at) => (each.startsWith(':') ? [[each.slice(1), given[at] ?? ''] as const] : [])),
  );
}

/** As n8n stores what a webhook got. */
export function receivedBy({ headers, text, url }: SeenRequest, params: JsonObject): JsonObject {
  return {
    headers: parseJson(JSON.stringify(headers)) ?? {},
    params,
    query: queryOf(new URL(url, 'http://n8n').searchParams),
    body: text === '' ? {} : (parseJson(text) ?? {}),
  };
}

/** Names such as `a[b]`, `a[0]` and `a[]` make objects and lists. */
function queryOf(given: URLSearchParams): JsonObject {
  const root = new Branch();
  for (const [name, value] of given) root.put(name.replaceAll(']', '').split('['), value);
  return root.asObject();
}

class Branch {
  readonly #members = new Map<string, Branch | string>();

  put([name = '', ...rest]: readonly string[], value: string): void {
    const key = name === '' ? String(this.#members.size) : name;
    if (rest.length === 0) {
      this.#members.set(key, value);
      return;
    }
    const known = this.#members.get(key);
    const inner = known instanceof Branch ? known : new Branch();
    this.#members.set(key, inner);
    inner.put(rest, value);
  }

  asObject(): JsonObject {
    return Object.fromEntries(
      [...this.#members].map(([key, value]) => [key, value instanceof Branch ? value.#asValue() : value]),
    );
  }

  #asValue(): JsonValue {
    const isList = [...this.#members.keys()].every((key, at) => key === String(at));
    return isList ? Object.values(this.asObject()) : this.asObject();
  }
}
