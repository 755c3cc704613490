// A definition as text and as a record: what of a workflow belongs into its document, and what a save sends of it.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** What tells how the record stands to what is deployed of it; a deployment changes these, and is no edit. */
const deploymentMembers = [
  ...['hasUndeployedChanges', 'needsRedeployment', 'hasUnpublishedChanges'],
  ...['deployedDefinition', 'deployedState', 'activeVersion', 'activeVersionId', 'publishedVersion'],
];

/** What the service keeps of the record itself: of each row the first name that is there, with a value that fits, is the record's. */
const recordMembers: readonly {
  readonly names: readonly string[];
  readonly fits: (value: JsonValue, workflow: Workflow) => boolean;
}[] = [
  {
    names: ['id', 'workflowId', '_id', 'uuid', 'key'],
    fits: (value, { id }) => (typeof value === 'string' || typeof value === 'number') && String(value) === id,
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
  return value === null || typeof value !== 'object';
}

/** What no update carries, whoever wrote it into the text. */
const unsentMembers = new Set([
  ...['id', 'isDeployed', 'deployedAt', 'version', 'createdAt', 'updatedAt'],
  ...['hasUndeployedChanges', 'deployedDefinition'],
]);

const firstMembers = ['name', 'description', 'nodes', 'edges', 'settings'];

const schemaMember = '$schema';

function toCamelCase(name: string): string {
  return name.replace(/(?<=[a-z])_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The members of the record that are no part of its definition, as the service calls them. */
function recordNames(workflow: Workflow): ReadonlySet<string> {
  const members = Object.entries(workflow.raw);
  const found = recordMembers.map(({ names, fits }) =>
    names
      .map((name) => members.find(([own, value]) => toCamelCase(own) === name && fits(value, workflow)))
      .find((member) => member !== undefined),
  );
  return new Set(found.flatMap((member) => (member === undefined ? [] : [member[0]])));
}

/** The workflow's definition: name, description, nodes, edges, settings and every unknown member, in this order, without what the service keeps of the record. */
export function toDefinition(workflow: Workflow): JsonObject {
  const hidden = recordNames(workflow);
  const members = Object.entries(workflow.raw).filter(([name]) => !hidden.has(name));
  const rank = ([name]: readonly [string, JsonValue]): number => {
    const place = firstMembers.indexOf(name);
    return place === -1 ? firstMembers.length : place;
  };
  return Object.fromEntries(members.sort((left, right) => rank(left) - rank(right)));
}

/** Two spaces, a line feed at the end; the same text for the same definition. */
export function renderDefinition(definition: JsonObject): string {
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** The definition that a document holds, without an editor's `$schema` that is no member of the service's own; undefined when the text is no JSON object. */
export function parseDefinition(text: string, base: JsonObject | undefined): JsonObject | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  if (base !== undefined && Object.hasOwn(base, schemaMember)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== schemaMember));
}

function emptied(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return [];
  return isJsonObject(value) ? {} : null;
}

/** What an update sends: the whole definition, and for members taken out of it their empty value, since an update keeps what is not sent. */
export function toUpdate(base: JsonObject, mine: JsonObject): JsonObject {
  const removed = Object.entries(base).filter(([name]) => !Object.hasOwn(mine, name));
  const sent = Object.entries(mine).filter(([name]) => !unsentMembers.has(name));
  return Object.fromEntries([...sent, ...removed.map(([name, value]) => [name, emptied(value)] as const)]);
}
