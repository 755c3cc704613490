// How strict an n8n is with the body of a workflow, in its own words.
import { isJsonArray, isJsonObject, type JsonObject } from '../../../src/base/json.ts';

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
  if (body['name'] === '') return 'request/body/name must NOT have fewer than 1 characters';
  const nodes = isJsonArray(body['nodes']) ? body['nodes'] : [];
  for (const [index, node] of nodes.entries()) {
    const name = isJsonObject(node) ? Object.keys(node).find((each) => !nodeMembers.has(each)) : 'node';
    if (name !== undefined) return unrecognized(`/nodes/${index}`, name);
  }
  const settings = isJsonObject(body['settings']) ? body['settings'] : {};
  const empty = Object.entries(settings).find(([, value]) => value === null)?.[0];
  if (empty !== undefined) return `request/body/settings/${empty} Expected string, received null`;
  const strange = Object.keys(settings).filter((each) => !settingMembers.has(each));
  return strange.length === 0 ? undefined : unrecognized('/settings', strange.join("', '"));
}
