// Where in a document the fault lies that n8n's sentence is about.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isServiceError, type ServiceError } from '../../domain/errors.ts';
import { optionalMembers } from './documents.ts';

/** True where another workflow listens at the address of one of the triggers: then nothing has changed since it was read. */
export function isAddressTaken(error: unknown): error is ServiceError {
  return isServiceError(error, 'conflict') && /webhook/i.test(error.message);
}

/** Returns the refusal with the triggers that another workflow is in the way of as its places. `taken`: their indexes among the nodes. */
export function placeTaken(
  error: ServiceError,
  document: JsonObject,
  taken: readonly number[],
): ServiceError {
  const { message } = error;
  const nodes = nodesOf(document);
  const places = taken.map((index) => {
    const { parameters = null } = nodes[index] ?? {};
    const hasPath = isJsonObject(parameters) && typeof parameters['path'] === 'string';
    return { path: hasPath ? `nodes.${index}.parameters.path` : `nodes.${index}`, message };
  });
  const details = places.length > 0 ? places : [{ path: '', message }];
  return error.because({ kind: 'invalid', details, isAddressTaken: true });
}

/** Returns a refusal of this document with the place that its sentence names, or else with the whole as its place. */
export function placeRefusal(error: unknown, document: JsonObject): unknown {
  if (!isServiceError(error, 'invalid')) return error;
  const details = placesIn(error.message, document);
  return error
    .because({ kind: 'invalid', details })
    .withMessage(details.map((each) => each.message).join(' '));
}

function nodesOf({ nodes }: JsonObject): readonly JsonObject[] {
  return isJsonArray(nodes) ? nodes.map((node) => (isJsonObject(node) ? node : {})) : [];
}

interface Place {
  readonly path: string;
  readonly message: string;
}

/** What n8n says of a body: where, and which members it doesn't know there. */
interface BodyRefusal {
  readonly place: readonly string[];
  readonly unknown: readonly string[];
  readonly rest: string;
}

function readBodyRefusal(sentence: string): BodyRefusal | undefined {
  const [, path = '', rest] = /^request\/body(?:\/(\S+))? (.+)$/s.exec(sentence) ?? [];
  if (rest === undefined) return undefined;
  const [, names = ''] = /^Unrecognized key\(s\) in object: ('.+')/.exec(rest) ?? [];
  const unknown = [...names.matchAll(/'([^']+)'/g)].flatMap(([, name = '']) => (name === '' ? [] : [name]));
  return { place: path.split('/').filter((segment) => segment !== ''), unknown, rest };
}

/** In n8n's sentence about the nodes that keep a workflow from being published, each has a block of its own. */
const nodeBlock = /^Node "(.+)":\n((?: *- .+(?:\n|$))+)/gm;

/** By the path that n8n begins with and the members that it doesn't know there, or else by the name of a node in quotes, or the type of one. */
function placesIn(sentence: string, document: JsonObject): readonly Place[] {
  const refusal = readBodyRefusal(sentence);
  if (refusal !== undefined) return ofBody(refusal);
  if (/^workflow name must\b/i.test(sentence)) return [{ path: 'name', message: sentence }];
  const faults = structureFaultsIn(sentence);
  if (faults.length > 0) return faults;
  const nodes = nodesOf(document);
  const blocks = [...sentence.matchAll(nodeBlock)].map(([, name = '', lines = '']) => {
    const index = nodes.findIndex((node) => node['name'] === name);
    const reasons = lines.split('\n').map((line) => line.replace(/^ *- /, '').trim());
    const message = reasons.filter((reason) => reason !== '').join('; ');
    return { path: index === -1 ? '' : `nodes.${index}.name`, message };
  });
  if (blocks.length > 0) return blocks;
  const named = nodes.findIndex(({ name }) => isNamed(sentence, name));
  if (named !== -1) return [{ path: `nodes.${named}.name`, message: sentence }];
  const typed = nodes.findIndex(
    ({ type }) => typeof type === 'string' && type !== '' && sentence.includes(type),
  );
  return [{ path: typed === -1 ? '' : `nodes.${typed}.type`, message: sentence }];
}

const structureRefusal = 'Workflow structure is invalid. ';

/** Such as `nodes[0].name (too_small): …; connections.Input (unknown_connection_source): …`. */
function structureFaultsIn(sentence: string): readonly Place[] {
  if (!sentence.startsWith(structureRefusal)) return [];
  const parts = sentence.slice(structureRefusal.length).split(/; (?=(?:nodes\[|connections\.))/);
  return parts.flatMap((part) => {
    const [, path, message] = /^(.+?) \([a-z_]+\): (.+)$/s.exec(part) ?? [];
    return path === undefined || message === undefined ? [] : [{ path, message }];
  });
}

function ofBody({ place, unknown, rest }: BodyRefusal): readonly Place[] {
  if (unknown.length === 0) return [{ path: place.join('.'), message: rest }];
  return unknown.map((name) => ({
    path: [...place, name].join('.'),
    message:
      place[0] === 'nodes'
        ? `n8n's API takes no "${name}" of a node. Edit this workflow in n8n itself.`
        : `n8n's API takes no "${name}" here.`,
  }));
}

/**
 * Returns what a refused body can be sent without: members that this version doesn't know, and settings that n8n's own editor writes and its
 * API refuses. Empty where something else is wrong.
 */
export function dispensable(
  error: unknown,
  body: JsonObject,
  isNew: boolean,
): readonly (readonly string[])[] {
  if (!isServiceError(error, 'invalid')) return [];
  const refusal = readBodyRefusal(error.message);
  if (refusal === undefined) return [];
  const { place, unknown } = refusal;
  const isNotAdvertised = refusal.rest === 'must NOT have additional properties';
  if (place.length === 0) {
    const optional = [...optionalMembers, 'description'];
    if (isNotAdvertised) return optional.filter((name) => body[name] !== undefined).map((name) => [name]);
    return unknown.every((name) => optional.includes(name)) ? unknown.map((name) => [name]) : [];
  }
  if (!isNew || place[0] !== 'settings') return [];
  if (isNotAdvertised)
    return namesIn(body['settings'])
      .filter(isLate)
      .map((name) => ['settings', name]);
  return unknown.length > 0 ? unknown.map((name) => ['settings', name]) : place.length === 2 ? [place] : [];
}

const namesIn = (value: JsonValue | undefined): readonly string[] =>
  value !== undefined && isJsonObject(value) ? Object.keys(value) : [];

/** What a version takes that doesn't name the settings that it refuses. */
const earlySettings = new Set([
  ...['saveExecutionProgress', 'saveManualExecutions', 'saveDataErrorExecution', 'saveDataSuccessExecution'],
  ...['executionTimeout', 'errorWorkflow', 'timezone', 'executionOrder', 'callerPolicy', 'callerIds'],
  ...['timeSavedPerExecution', 'availableInMCP'],
]);
const isLate = (name: string): boolean => !earlySettings.has(name);

function isNamed(sentence: string, name: unknown): boolean {
  return (
    typeof name === 'string' &&
    name !== '' &&
    ['"', "'", '`'].some((mark) => sentence.includes(mark + name + mark))
  );
}
