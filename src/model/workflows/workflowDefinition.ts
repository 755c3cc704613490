// Converts between a workflow, its definition, the definition's text, and the body of an update.
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  numberText,
  parseJson,
  stringifyJson,
} from '../../base/json.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** Members that compare the record with the deployed version. They change with a deployment, which isn't an edit. */
const deploymentMembers = [
  ...['hasUndeployedChanges', 'needsRedeployment', 'hasUnpublishedChanges'],
  ...['deployedDefinition', 'deployedState', 'activeVersion', 'activeVersionId', 'publishedVersion'],
];

/** Members that the service maintains. In each row, the first existing name with a fitting value is such a member. */
const recordMembers: readonly {
  readonly names: readonly string[];
  readonly fits: (value: JsonValue, workflow: Workflow) => boolean;
}[] = [
  {
    names: ['id', 'workflowId', '_id', 'uuid', 'key'],
    fits: (value, { id }) => (typeof value === 'string' ? value : numberText(value)) === id,
  },
  {
    names: [
      ...['isDeployed', 'deployed', 'active', 'isActive', 'published', 'enabled', 'on', 'isPaused'],
      ...['status', 'state', 'publishStatus'],
    ],
    fits: (value) => typeof value === 'boolean' || typeof value === 'string',
  },
  { names: ['deployedAt', 'publishedAt'], fits: isScalar },
  { names: ['version', 'versionId'], fits: isScalar },
  ...deploymentMembers.map((name) => ({ names: [name], fits: () => true })),
  { names: ['createdAt', 'created', 'creationDate'], fits: isScalar },
  { names: ['updatedAt', 'updated', 'lastModified'], fits: isScalar },
];

function isScalar(value: JsonValue): boolean {
  return !isJsonArray(value) && !isJsonObject(value);
}

/** Never sent in an update, even when the text has them. */
const unsentMembers = new Set([
  ...['id', 'isDeployed', 'deployedAt', 'version', 'createdAt', 'updatedAt'],
  ...['hasUndeployedChanges', 'deployedDefinition'],
]);

const scalarMembers = new Set(recordMembers.flatMap(({ names }) => names));

const firstMembers = ['name', 'description', 'nodes', 'edges', 'connections', 'settings'];

const schemaMember = '$schema';

function toCamelCase(name: string): string {
  return name.replace(/(?<=[a-z])_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** True for a member that services maintain themselves, of whichever workflow, and for what is only for editors. */
export function isServiceMember(name: string, value: JsonValue): boolean {
  // A service keeps in it what its triggers have seen: no part of what people write, so no document shows it.
  if (name === schemaMember || name === 'staticData') return true;
  const member = toCamelCase(name);
  return deploymentMembers.includes(member) || (isScalar(value) && scalarMembers.has(member));
}

/** Returns the names of the members that aren't part of the definition, as the service spells them. */
function recordNames(workflow: Workflow): ReadonlySet<string> {
  const members = Object.entries(workflow.raw);
  const found = recordMembers.map(({ names, fits }) =>
    names
      .map((name) => members.find(([own, value]) => toCamelCase(own) === name && fits(value, workflow)))
      .find((member) => member !== undefined),
  );
  return new Set(found.flatMap((member) => (member === undefined ? [] : [member[0]])));
}

/**
 * Returns the workflow's definition: name, description, nodes, edges or connections, settings and all unknown members, in this order, without the
 * members that the service maintains.
 */
export function toDefinition(workflow: Workflow): JsonObject {
  const hidden = recordNames(workflow);
  const members = Object.entries(workflow.raw).filter(([name]) => !hidden.has(name));
  const rank = ([name]: readonly [string, JsonValue]): number => {
    const place = firstMembers.indexOf(name);
    return place === -1 ? firstMembers.length : place;
  };
  return Object.fromEntries(members.sort((left, right) => rank(left) - rank(right)));
}

/** Renders with two spaces and a line feed at the end. */
export function renderDefinition(definition: JsonObject): string {
  return `${stringifyJson(definition, 2)}\n`;
}

/**
 * Parses a document, without a `$schema` that isn't the service's own member. Returns undefined when the text isn't a JSON object.
 * `base`: the service's current definition.
 */
export function parseDefinition(text: string, base: JsonObject | undefined): JsonObject | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  if (base !== undefined && Object.hasOwn(base, schemaMember)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== schemaMember));
}

/** Returns the definition with the `$schema` of a document's value, unless it has its own. */
export function keepSchema(own: JsonValue, definition: JsonObject): JsonObject {
  const schema = isJsonObject(own) ? own[schemaMember] : undefined;
  return schema === undefined ? definition : { [schemaMember]: schema, ...definition };
}

export function emptied(value: JsonValue | undefined): JsonValue {
  if (isJsonArray(value)) return [];
  return isJsonObject(value) ? {} : null;
}

/**
 * Returns the body of an update: the whole definition, and an empty value for each removed member, since an update keeps members that
 * aren't sent.
 */
export function toUpdate(base: JsonObject, mine: JsonObject): JsonObject {
  const removed = Object.entries(base).filter(([name]) => !Object.hasOwn(mine, name));
  const sent = Object.entries(mine).filter(([name]) => !unsentMembers.has(name));
  return Object.fromEntries([...sent, ...removed.map(([name, value]) => [name, emptied(value)] as const)]);
}
