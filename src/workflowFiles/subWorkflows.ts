// The workflows that a definition of n8n calls, or names for its errors: by ids, which each n8n has of its own.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { formatOf } from '../domain/definitionFormat.ts';

/** A workflow that a definition names. */
export interface CalledWorkflow {
  readonly workflowId: string;
  /** As n8n's editor has noted it. */
  readonly name: string | undefined;
}

/** Returns the id to name instead. */
type Replace = (called: CalledWorkflow) => string;

const callingTypes = new Set(['n8n-nodes-base.executeWorkflow', '@n8n/n8n-nodes-langchain.toolWorkflow']);

/** Each once, in the order of the definition. */
export function findCalled(definition: JsonObject): readonly CalledWorkflow[] {
  const found = new Map<string, CalledWorkflow>();
  replaceCalled(definition, (called) => {
    if (!found.has(called.workflowId)) found.set(called.workflowId, called);
    return called.workflowId;
  });
  return [...found.values()];
}

/** The definition with other ids; those that aren't among `ids` stay. */
export function mapCalled(definition: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  return ids.size === 0
    ? definition
    : replaceCalled(definition, ({ workflowId }) => ids.get(workflowId) ?? workflowId);
}

function replaceCalled(definition: JsonObject, replace: Replace): JsonObject {
  if (formatOf(definition) !== 'n8n') return definition;
  const { nodes = null, settings = null } = definition;
  const replaced = isJsonArray(nodes) ? nodes.map((node) => inNode(node, replace)) : nodes;
  return {
    ...definition,
    nodes: replaced,
    ...(isJsonObject(settings) && {
      settings: { ...settings, ...inMember(settings, 'errorWorkflow', replace) },
    }),
  };
}

function inNode(node: JsonValue, replace: Replace): JsonValue {
  if (!isJsonObject(node)) return node;
  const { type = null, parameters = null } = node;
  if (typeof type !== 'string' || !callingTypes.has(type) || !isJsonObject(parameters)) return node;
  return { ...node, parameters: { ...parameters, ...inMember(parameters, 'workflowId', replace) } };
}

/** The member as it's to be; nothing where it has no id. */
function inMember(value: JsonObject, name: string, replace: Replace): JsonObject {
  const member = Object.hasOwn(value, name) ? (value[name] ?? null) : null;
  if (isId(member)) return { [name]: replace({ workflowId: member, name: undefined }) };
  if (!isJsonObject(member)) return {};
  const { value: id = null, cachedResultName = null, cachedResultUrl = null } = member;
  if (!isId(id)) return {};
  const workflowName = typeof cachedResultName === 'string' ? cachedResultName : undefined;
  const other = replace({ workflowId: id, name: workflowName });
  if (other === id) return {};
  const url = typeof cachedResultUrl === 'string' && {
    cachedResultUrl: cachedResultUrl.replace(id, () => other),
  };
  return { [name]: { ...member, value: other, ...url } };
}

/** An expression is known only when it runs. */
function isId(value: JsonValue): value is string {
  return typeof value === 'string' && value !== '' && !value.startsWith('=');
}

/** In an order in which a workflow comes after those that it calls, as far as they don't call each other. */
export function calledFirst<T>(items: readonly T[], calledOf: (item: T) => readonly T[]): readonly T[] {
  const ordered = new Set<T>();
  const begun = new Set<T>();
  const add = (item: T): void => {
    if (begun.has(item)) return;
    begun.add(item);
    for (const called of calledOf(item)) add(called);
    ordered.add(item);
  };
  items.forEach(add);
  return [...ordered];
}

/** Workflows that definitions call by the ids of another n8n until they are created. */
export class PromisedWorkflows {
  readonly #files: ReadonlyMap<string, string>;
  readonly #ids = new Map<string, string>();

  /** files: of the workflows, by those ids. */
  constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  /** The workflow of a file is created. */
  keep(file: string, workflowId: string): void {
    for (const [id, each] of this.#files) if (each === file) this.#ids.set(id, workflowId);
  }

  resolve(definition: JsonObject): JsonObject {
    return mapCalled(definition, this.#ids);
  }

  /** The files of those that it calls and that aren't created yet. */
  lacking(definition: JsonObject): readonly string[] {
    if (this.#files.size === 0) return [];
    return findCalled(definition).flatMap(({ workflowId }) => {
      const file = this.#files.get(workflowId);
      return file === undefined || this.#ids.has(workflowId) ? [] : [file];
    });
  }
}
