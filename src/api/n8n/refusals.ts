// Where in a document the fault lies that n8n's sentence is about.
import { isJsonArray, isJsonObject, type JsonObject } from '../../base/json.ts';
import { isServiceError, ServiceError } from '../../domain/errors.ts';
import { webhookType } from './documents.ts';

/** Returns a refusal of this document with the place that its sentence names, or else with the whole as its place. */
export function placeRefusal(error: unknown, document: JsonObject): unknown {
  if (!isServiceError(error) || (error.reason.kind !== 'invalid' && error.reason.kind !== 'conflict'))
    return error;
  // Another workflow listens at the same path: nothing has changed since it was read.
  const isTaken = error.reason.kind === 'conflict';
  if (isTaken && !/webhook/i.test(error.message)) return error;
  const { message, status, code, requestId, connectionId } = error;
  const details = [isTaken ? { path: webhookPath(document), message } : placeIn(message, document)];
  return new ServiceError({ kind: 'invalid', details }, message, { status, code, requestId, connectionId });
}

function nodesOf({ nodes }: JsonObject): readonly JsonObject[] {
  return isJsonArray(nodes) ? nodes.map((node) => (isJsonObject(node) ? node : {})) : [];
}

function webhookPath(document: JsonObject): string {
  const index = nodesOf(document).findIndex(({ type }) => type === webhookType);
  return index === -1 ? '' : `nodes.${index}.parameters.path`;
}

/** By the path that n8n begins with and the member that it doesn't know there, or else by the name of a node in quotes, or the type of one. */
function placeIn(
  sentence: string,
  document: JsonObject,
): { readonly path: string; readonly message: string } {
  const [, told, rest] = /^request\/body(?:\/(\S+))? (.+)$/s.exec(sentence) ?? [];
  if (rest !== undefined) {
    const unknown = /^Unrecognized key\(s\) in object: '([^']+)'/.exec(rest)?.[1];
    const path = [...(told?.split('/') ?? []), ...(unknown === undefined ? [] : [unknown])].join('.');
    return { path, message: rest };
  }
  const nodes = nodesOf(document);
  const named = nodes.findIndex(({ name }) => isNamed(sentence, name));
  if (named !== -1) return { path: `nodes.${named}.name`, message: sentence };
  const typed = nodes.findIndex(
    ({ type }) => typeof type === 'string' && type !== '' && sentence.includes(type),
  );
  return { path: typed === -1 ? '' : `nodes.${typed}.type`, message: sentence };
}

function isNamed(sentence: string, name: unknown): boolean {
  return (
    typeof name === 'string' &&
    name !== '' &&
    ['"', "'", '`'].some((mark) => sentence.includes(mark + name + mark))
  );
}
