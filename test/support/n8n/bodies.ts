// How strict an n8n is with the body of a workflow, in its own words.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';

const required = ['name', 'nodes', 'connections', 'settings'];
const optional = ['nodeGroups', 'pinData', 'staticData'];
const readOnly = ['id', 'active', 'createdAt', 'updatedAt', 'versionId', 'activeVersionId', 'isArchived'];
const nodeMembers = new Set(
  (
    'id name webhookId disabled notesInFlow notes type typeVersion executeOnce alwaysOutputData retryOnFail maxTries ' +
    'waitBetweenTries continueOnFail onError position parameters credentials customTelemetryTags'
  ).split(' '),
);
const settingMembers = new Set(
  (
    'saveExecutionProgress saveManualExecutions saveDataErrorExecution saveDataSuccessExecution executionTimeout ' +
    'errorWorkflow timezone executionOrder callerPolicy callerIds availableInMCP timeSavedPerExecution binaryMode'
  ).split(' '),
);

const unrecognized = (place: string, name: string): string =>
  `request/body${place} Unrecognized key(s) in object: '${name}'`;

/** Returns n8n's sentence about what is wrong; undefined if nothing is. takesDescription: when one is updated. */
export function bodyFault(body: JsonObject, takesDescription: boolean): string | undefined {
  const missing = required.find((name) => body[name] === undefined);
  if (missing !== undefined) return `request/body must have required property '${missing}'`;
  const known = [...required, ...optional, ...(takesDescription ? ['description'] : [])];
  for (const name of Object.keys(body)) {
    if (readOnly.includes(name)) return `request/body/${name} is read-only`;
    if (!known.includes(name)) return unrecognized('', name);
  }
  const nodes = isJsonArray(body['nodes']) ? body['nodes'] : [];
  for (const [index, node] of nodes.entries()) {
    const name = isJsonObject(node) ? Object.keys(node).find((each) => !nodeMembers.has(each)) : 'node';
    if (name !== undefined) return unrecognized(`/nodes/${index}`, name);
  }
  const settings = isJsonObject(body['settings']) ? body['settings'] : {};
  const empty = Object.entries(settings).find(([, value]) => value === null)?.[0];
  if (empty !== undefined) return `request/body/settings/${empty} Expected string, received null`;
  const strange = Object.keys(settings).filter((each) => !settingMembers.has(each));
  if (strange.length > 0) return unrecognized('/settings', strange.join("', '"));
  const { name } = body;
  if (typeof name !== 'string' || name === '' || name.length > 128)
    return 'Workflow name must be 1 to 128 characters long.';
  const faults = structureFaults(nodes.filter(isJsonObject), body['connections'] ?? null);
  return faults.length === 0 ? undefined : `Workflow structure is invalid. ${faults.join('; ')}`;
}

function structureFaults(nodes: readonly JsonObject[], connections: JsonValue): readonly string[] {
  const names = new Set(nodes.map(({ name }) => name));
  const unnamed = nodes.flatMap(({ name }, index) =>
    name === '' ? [`nodes[${index}].name (too_small): String must contain at least 1 character(s)`] : [],
  );
  const sources = Object.entries(isJsonObject(connections) ? connections : {});
  const unknown = sources.flatMap(([source, kinds]) => [
    ...(names.has(source)
      ? []
      : [
          `connections.${source} (unknown_connection_source): Connection source "${source}" does not reference an existing node`,
        ]),
    ...targetsIn(kinds, `connections.${source}`)
      .filter(({ node }) => !names.has(node))
      .map(
        ({ path, node }) =>
          `${path}.node (unknown_connection_target): Connection target "${node}" does not reference an existing node`,
      ),
  ]);
  return [...unnamed, ...unknown];
}

function targetsIn(
  value: JsonValue,
  path: string,
): readonly { readonly path: string; readonly node: string }[] {
  if (isJsonArray(value)) return value.flatMap((each, index) => targetsIn(each, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  const { node } = value;
  if (typeof node === 'string') return [{ path, node }];
  return Object.entries(value).flatMap(([kind, outputs]) => targetsIn(outputs, `${path}.${kind}`));
}

/** Nodes that can be called at an address, some of them to go on with what waits. */
const listening = new Set(
  (
    'webhook wait formTrigger telegramTrigger telegram slack gmail github calendlyTrigger ' +
    'chatTrigger mcpTrigger'
  ).split(' '),
);

/** As n8n stores what it takes: nodes that can be called get an id for it. */
export function asStored(body: JsonObject): JsonObject {
  const nodes = isJsonArray(body['nodes']) ? body['nodes'] : [];
  return {
    nodeGroups: [],
    ...body,
    nodes: nodes.map((node) => (isJsonObject(node) ? withWebhookId(node) : node)),
  };
}

function withWebhookId(node: JsonObject): JsonObject {
  const { type, webhookId } = node;
  const kind = typeof type === 'string' ? (type.split('.').at(-1) ?? '') : '';
  return webhookId === undefined && listening.has(kind) ? { ...node, webhookId: crypto.randomUUID() } : node;
}
