// Services tell in many ways whether a workflow is deployed, what is deployed, and whether its draft has moved on.
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type Names, pick, pickPresent, pickText, snakeCase } from './fields.ts';
import type { Workflow } from '../../domain/workflow.ts';

const withTwins = (names: Names): ReadonlySet<string> =>
  new Set(names.flatMap((name) => [name, snakeCase(name)]));

const deployedFlags: Names = ['isDeployed', 'deployed', 'active', 'isActive', 'published', 'enabled', 'on'];
const deployedWords = /^(deployed|active|live|published|enabled)$/i;

/** Where services put what is deployed; some put its version there, a number or a text. */
const deployedPlaces: Names = ['deployedDefinition', 'deployedState', 'activeVersion', 'publishedVersion'];
const changedFlags: Names = ['hasUndeployedChanges', 'needsRedeployment', 'hasUnpublishedChanges'];
/** The draft's version and the deployed one, of services to which each edit is a version. */
const draftVersion: Names = ['versionId'];
const deployedVersion: Names = ['activeVersionId', 'activeVersion.versionId'];

const placeMembers = withTwins(deployedPlaces);
const flagMembers = withTwins(changedFlags);
const versionMembers = withTwins(['versionId', 'activeVersionId']);

/** True for a member that tells of the record's deployment and that a copy of the record must not bring along. */
export function isAboutDeployment(name: string): boolean {
  return placeMembers.has(name) || flagMembers.has(name) || versionMembers.has(name);
}

/** The record as it may be sent back whole: without what the service works out, and without the definition that is deployed. A version stays: some services take it. */
export function withoutDeployed(record: JsonObject): JsonObject {
  const isSent = ([name, value]: readonly [string, JsonValue]): boolean =>
    !flagMembers.has(name) && !(placeMembers.has(name) && (value === null || isJsonObject(value)));
  return Object.fromEntries(Object.entries(record).filter(isSent));
}

/** true, false, or null when nothing in the record tells. */
function readDeployed(record: JsonObject): boolean | null {
  for (const name of deployedFlags) {
    const value = pickPresent(record, [name]);
    if (typeof value === 'boolean') return value;
  }
  const paused = pickPresent(record, ['isPaused']);
  if (typeof paused === 'boolean') return !paused;
  for (const name of ['status', 'state', 'publishStatus']) {
    const word = pick(record, [name]);
    if (typeof word === 'string') return deployedWords.test(word);
  }
  return pick(record, ['deployedAt', 'activeVersion']) === undefined ? null : true;
}

const definitionPlaces: Names = ['definition', 'graph', 'canvas', 'config', 'state', 'data'];
const contentMembers: Names = ['nodes', 'blocks', 'edges', 'connections', 'loops', 'parallels', 'settings'];

interface Content {
  /** The member that holds it; null: the record itself does. */
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

/** The nodes and what belongs to them, as the record carries them; undefined when it does not. */
function findContent(record: JsonObject): Content | undefined {
  if (carriesNodes(record)) return { place: null, members: record };
  for (const place of definitionPlaces) {
    const members = record[place];
    if (carriesNodes(members)) return { place, members };
  }
  return undefined;
}

/** False for an item of a list that carries no nodes. */
export function hasDefinition(record: JsonObject): boolean {
  return findContent(record) !== undefined || typeof record['yaml'] === 'string';
}

/** The content that is deployed; null where the record does not tell it. */
function readDeployedContent(record: JsonObject): JsonObject | null {
  const candidates = deployedPlaces.map((name) => pick(record, [name]));
  const deployed = candidates.flatMap((value) => (isJsonObject(value) ? (findContent(value) ?? []) : []))[0];
  if (deployed === undefined) return null;
  const told = contentMembers.flatMap((name) => {
    const value = deployed.members[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(told);
}

type DeploymentReading = Pick<Workflow, 'isDeployed' | 'hasUndeployedChanges' | 'deployedDefinition'>;

function readChanged(record: JsonObject): boolean | null {
  for (const name of changedFlags) {
    const value = pickPresent(record, [name]);
    if (typeof value === 'boolean') return value;
  }
  const [draft, deployed] = [pickText(record, draftVersion), pickText(record, deployedVersion)];
  return draft === null || deployed === null ? null : draft !== deployed;
}

/** What the record tells of its deployment; null for each thing that it does not tell. */
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
