import type { JsonValue } from '../../base/json.ts';
import { hasDefinition, decodeDeployment } from './deployment.ts';
import { type Names, pickText } from './fields.ts';
import { pickTime } from './times.ts';
import { unwrapRecord } from './unwrap.ts';
import type { Workflow } from '../../domain/workflow.ts';

const names = {
  id: ['id', 'workflowId', '_id', 'uuid', 'key'],
  name: ['name', 'displayName', 'title', 'label'],
  description: ['description', 'summary'],
  deployedAt: ['deployedAt', 'publishedAt'],
  version: ['version', 'activeVersion', 'versionId'],
  createdAt: ['createdAt', 'created', 'creationDate'],
  updatedAt: ['updatedAt', 'updated', 'lastModified'],
} as const satisfies Record<string, Names>;

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
    createdAt: pickTime(record, names.createdAt),
    updatedAt: pickTime(record, names.updatedAt),
    hasDefinition: hasDefinition(record),
    raw: record,
  };
}
