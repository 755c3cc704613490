// Where the triggers of a document listen, and new addresses for them.
import { isJsonArray, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { MovedTrigger } from '../../domain/triggers.ts';
import { contentOf, webhookType } from './documents.ts';
import { kindOfTrigger, parametersOf, readTriggers } from './triggers.ts';

interface Listening {
  /** What only one deployed trigger can have: a method and a path. */
  readonly keys: readonly string[];
  /** Below the address of the editor. */
  readonly address: string;
}

/** undefined for a node that has no address, or is disabled. */
function listeningOf(node: JsonObject): Listening | undefined {
  const { webhookId = '', parameters = {}, disabled, type } = node;
  if (disabled === true || typeof webhookId !== 'string' || !isJsonObject(parameters)) return undefined;
  switch (typeof type === 'string' ? kindOfTrigger(type) : undefined) {
    case 'webhook': {
      const webhooks = readTriggers({ nodes: [node] }).filter((each) => each.kind === 'webhook');
      const [first] = webhooks;
      const keys = webhooks.map(({ method, path }) => `${method} ${path}`);
      return first && { keys, address: `/webhook/${first.path}` };
    }
    case 'form': {
      const path = formPath(parameters) ?? webhookId;
      return path === '' ? undefined : { keys: [`GET ${path}`, `POST ${path}`], address: `/form/${path}` };
    }
    case 'chat': {
      const path = `${webhookId}/chat`;
      return webhookId === ''
        ? undefined
        : { keys: [`GET ${path}`, `POST ${path}`], address: `/webhook/${path}` };
    }
    default:
      return undefined;
  }
}

/** Older versions of the node have it among the parameters, later ones among the options. */
function formPath({ path, options = null }: JsonObject): string | undefined {
  const paths = [path, isJsonObject(options) ? options['path'] : undefined];
  return paths.flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []))[0];
}

/** What the triggers of a document listen at. */
export function addressKeys(document: JsonObject): readonly string[] {
  const { nodes = null } = document;
  return (isJsonArray(nodes) ? nodes : []).flatMap((node) =>
    isJsonObject(node) ? (listeningOf(node)?.keys ?? []) : [],
  );
}

/** Gives each trigger an address of its own, so that a copy can be deployed beside its original. */
export function withNewAddresses(document: JsonObject): JsonObject {
  return { ...document, nodes: contentOf(document).nodes.map(withNewAddress) };
}

function withNewAddress(node: JsonObject): JsonObject {
  const { type, webhookId, parameters } = node;
  if (type !== webhookType && webhookId === undefined) return node;
  const id = crypto.randomUUID();
  return {
    ...node,
    webhookId: id,
    ...(isJsonObject(parameters) && { parameters: movedTo(id, parameters, type === webhookType) }),
  };
}

/** n8n puts the id before a path with parameters, so that one stays. */
function movedTo(id: string, parameters: JsonObject, needsPath: boolean): JsonObject {
  const { path, options = null } = parameters;
  if (typeof path === 'string' && parametersOf(path).length > 0) return parameters;
  const hasOption = isJsonObject(options) && typeof options['path'] === 'string';
  return {
    ...parameters,
    ...(needsPath || typeof path === 'string' ? { path: id } : {}),
    ...(hasOption ? { options: { ...options, path: id } } : {}),
  };
}

/**
 * Returns the indexes of the triggers that listen where others do: at `taken`, or where an earlier one of the document does. Where none is
 * found, as other workflows may be hidden from the key, all that don't listen there already. `own`: what is deployed of the document.
 */
export function findTaken(
  document: JsonObject,
  own: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): readonly number[] {
  const listening = contentOf(document).nodes.flatMap((node, index) => {
    const keys = listeningOf(node)?.keys;
    return keys === undefined ? [] : [{ index, keys }];
  });
  const seen = new Set<string>();
  const found = listening.filter(({ keys }) => {
    const isTaken = keys.some((key) => seen.has(key) || (taken.has(key) && !own.has(key)));
    for (const key of keys) seen.add(key);
    return isTaken;
  });
  const toMove =
    found.length > 0 ? found : listening.filter(({ keys }) => !keys.every((key) => own.has(key)));
  return toMove.map(({ index }) => index);
}

/** Gives new addresses to the triggers with these indexes. */
export function freeAddresses(
  document: JsonObject,
  indexes: readonly number[],
): { readonly nodes: readonly JsonObject[]; readonly moved: readonly MovedTrigger[] } {
  const moved: MovedTrigger[] = [];
  const nodes = contentOf(document).nodes.map((node, index) => {
    if (!indexes.includes(index)) return node;
    const now = withNewAddress(node);
    const { name } = node;
    moved.push({ name: typeof name === 'string' ? name : '', address: listeningOf(now)?.address ?? '' });
    return now;
  });
  return { nodes, moved };
}
