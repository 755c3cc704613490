// Why: reads a workflow record, whatever the service calls its fields (contract section 7.2).
import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { WorkflowReading } from '../readings.ts';
import { pick, pickPresent, pickText } from './fields.ts';
import type { Names } from './fields.ts';
import { pickTime } from './times.ts';
import { unwrapRecord } from './unwrap.ts';

const names = {
  id: ['id', 'workflowId', '_id', 'uuid', 'key'],
  name: ['name', 'displayName', 'title', 'label'],
  description: ['description', 'summary'],
  deployedAt: ['deployedAt', 'publishedAt'],
  version: ['version', 'activeVersion', 'versionId'],
  createdAt: ['createdAt', 'created', 'creationDate'],
  updatedAt: ['updatedAt', 'updated', 'lastModified'],
} as const satisfies Record<string, Names>;

const deployedFlags: Names = ['isDeployed', 'deployed', 'active', 'isActive', 'published', 'enabled', 'on'];
const deployedWords = /^(deployed|active|live|published|enabled)$/i;

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

function carriesNodes(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  return value['nodes'] !== undefined && (value['edges'] ?? value['connections']) !== undefined;
}

function hasDefinition(record: JsonObject): boolean {
  if (carriesNodes(record) || typeof record['yaml'] === 'string') return true;
  return definitionPlaces.some((place) => carriesNodes(record[place]));
}

/** A workflow; undefined when the value is no record with an id. */
export function readWorkflow(body: JsonValue | undefined): WorkflowReading | undefined {
  const record = unwrapRecord(body, names.id);
  const id = record && pickText(record, names.id);
  if (!record || !id) return undefined;
  return {
    id,
    name: pickText(record, names.name) ?? id,
    description: pickText(record, names.description),
    isDeployed: readDeployed(record),
    deployedAt: pickTime(record, names.deployedAt),
    version: pickText(record, names.version),
    createdAt: pickTime(record, names.createdAt),
    updatedAt: pickTime(record, names.updatedAt),
    hasDefinition: hasDefinition(record),
    raw: record,
  };
}
