// Decodes workflows: whether one is deployed, its deployed definition, and whether its draft has changed since.
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { anyOf, type Names, pick, pickPresent, pickText, pickTime, withTwins } from './fields.ts';
import { unwrapRecord } from './envelope.ts';

const deployedFlags = ['isDeployed', 'deployed', 'active', 'isActive', 'published', 'enabled', 'on'];
const pausedFlag = 'isPaused';
const deployedStates = ['status', 'state', 'publishStatus'];
const deployedTimes = ['deployedAt', 'publishedAt'];
const deployedWords = /^(deployed|active|live|published|enabled)$/i;

/** Members with the deployed definition. Some services store its version here instead, as a number or text. */
const deployedPlaces = ['deployedDefinition', 'deployedState', 'activeVersion', 'publishedVersion'];
const changedFlags = ['hasUndeployedChanges', 'needsRedeployment', 'hasUnpublishedChanges'];
/** The draft's version and the deployed one, for services that create a version for each edit. */
const draftVersion: Names = anyOf('versionId');
const deployedVersion: Names = anyOf('activeVersionId', 'activeVersion.versionId');

const placeMembers = withTwins(deployedPlaces);
const flagMembers = withTwins(changedFlags);
const versionMembers = withTwins(['versionId', 'activeVersionId']);
const booleanMembers = withTwins([...deployedFlags, pausedFlag]);
const stateMembers = withTwins(deployedStates);
const timeMembers = withTwins(deployedTimes);

/** True for a member about the record's deployment, which a copy of the record must not include: it could be deployed by it. */
export function isAboutDeployment(name: string, value: JsonValue): boolean {
  return (
    [placeMembers, flagMembers, versionMembers, timeMembers].some((members) => members.has(name)) ||
    (typeof value === 'boolean' && booleanMembers.has(name)) ||
    (typeof value === 'string' && stateMembers.has(name))
  );
}

/**
 * Returns the record as it may be sent back: without computed flags and the deployed definition. A version stays, because some services
 * accept it.
 */
export function withoutDeployed(record: JsonObject): JsonObject {
  const isSent = ([name, value]: readonly [string, JsonValue]): boolean =>
    !flagMembers.has(name) && !(placeMembers.has(name) && (value === null || isJsonObject(value)));
  return Object.fromEntries(Object.entries(record).filter(isSent));
}

/** Returns null when the record doesn't say. */
function readDeployed(record: JsonObject): boolean | null {
  for (const name of deployedFlags) {
    const value = pickPresent(record, anyOf(name));
    if (typeof value === 'boolean') return value;
  }
  const paused = pickPresent(record, anyOf(pausedFlag));
  if (typeof paused === 'boolean') return !paused;
  for (const name of deployedStates) {
    const word = pick(record, anyOf(name));
    if (typeof word === 'string') return deployedWords.test(word);
  }
  return pick(record, anyOf('deployedAt', 'activeVersion')) === undefined ? null : true;
}

const definitionPlaces = ['definition', 'graph', 'canvas', 'config', 'state', 'data'];
const contentMembers = ['nodes', 'blocks', 'edges', 'connections', 'loops', 'parallels', 'settings'];

interface Content {
  /** The member that contains it; null for the record itself. */
  readonly place: string | null;
  readonly members: JsonObject;
}

function carriesNodes(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return (
    (value['nodes'] ?? value['blocks']) !== undefined &&
    (value['edges'] ?? value['connections']) !== undefined
  );
}

/** Returns the nodes and the members that belong to them; undefined when the record has none. */
function findContent(record: JsonObject): Content | undefined {
  if (carriesNodes(record)) return { place: null, members: record };
  for (const place of definitionPlaces) {
    const members = record[place];
    if (carriesNodes(members)) return { place, members };
  }
  return undefined;
}

/** False for a list item without nodes. */
export function hasDefinition(record: JsonObject): boolean {
  return findContent(record) !== undefined || typeof record['yaml'] === 'string';
}

/** Returns the deployed content; null when the record doesn't contain it. */
function readDeployedContent(record: JsonObject): JsonObject | null {
  const candidates = deployedPlaces.map((name) => pick(record, anyOf(name)));
  const deployed = candidates.flatMap((value) => (isJsonObject(value) ? (findContent(value) ?? []) : []))[0];
  if (deployed === undefined) return null;
  const reported = contentMembers.flatMap((name) => {
    const value = deployed.members[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(reported);
}

type DeploymentReading = Pick<Workflow, 'isDeployed' | 'hasUndeployedChanges' | 'deployedDefinition'>;

function readChanged(record: JsonObject): boolean | null {
  for (const name of changedFlags) {
    const value = pickPresent(record, anyOf(name));
    if (typeof value === 'boolean') return value;
  }
  const [draft, deployed] = [pickText(record, draftVersion), pickText(record, deployedVersion)];
  return draft === null || deployed === null ? null : draft !== deployed;
}

/** Decodes a record's deployment. Each member is null when the record doesn't say. */
export function decodeDeployment(record: JsonObject): DeploymentReading {
  const deployed = readDeployedContent(record);
  const isDeployed = readDeployed(record) ?? (deployed === null ? null : true);
  if (isDeployed === false) return { isDeployed, hasUndeployedChanges: false, deployedDefinition: null };
  const hasUndeployedChanges = readChanged(record);
  const draft = findContent(record);
  if (draft === undefined || deployed === null)
    return { isDeployed, hasUndeployedChanges, deployedDefinition: null };
  const isSame = Object.entries(deployed).every(([name, value]) => equalJson(draft.members[name], value));
  const { place, members } = draft;
  return {
    isDeployed,
    hasUndeployedChanges: hasUndeployedChanges ?? !isSame,
    deployedDefinition: place === null ? deployed : { [place]: { ...members, ...deployed } },
  };
}

const names = {
  id: anyOf('id', 'workflowId', '_id', 'uuid', 'key'),
  name: anyOf('name', 'displayName', 'title', 'label'),
  description: anyOf('description', 'summary'),
  deployedAt: anyOf(...deployedTimes),
  version: anyOf('version', 'activeVersion', 'versionId'),
  createdAt: anyOf('createdAt', 'created', 'creationDate'),
  updatedAt: anyOf('updatedAt', 'updated', 'lastModified'),
} satisfies Record<string, Names>;

/** False for an excerpt of a record, as some responses to a change are: the decoded workflow has its id as the name. */
export function isNamed({ raw }: Workflow): boolean {
  return pickText(raw, names.name) !== null;
}

/** Decodes a workflow; returns undefined when the value isn't a record with an id. */
export function decodeWorkflow(body: JsonValue | undefined): Workflow | undefined {
  const record = unwrapRecord(body, names.id);
  const id = record && pickText(record, names.id);
  if (!record || !id) return undefined;
  return {
    id,
    name: pickText(record, names.name) ?? id,
    description: pickText(record, names.description),
    ...decodeDeployment(record),
    deployedAt: pickTime(record, names.deployedAt),
    version: pickText(record, names.version),
    draftVersion: pickText(record, draftVersion),
    deployedVersion: pickText(record, deployedVersion),
    createdAt: pickTime(record, names.createdAt),
    updatedAt: pickTime(record, names.updatedAt),
    hasDefinition: hasDefinition(record),
    raw: record,
  };
}
