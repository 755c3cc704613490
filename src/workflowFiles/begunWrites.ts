// Finds out what became of writes whose response nobody saw: the process had ended, or the network had.
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  parseJson,
} from '../base/json.ts';
import type { Workflow } from '../domain/workflow.ts';
import { editVersion } from '../model/workflows/definitionStore.ts';
import { toDefinition } from '../model/workflows/workflowDefinition.ts';
import type { Agreed, BegunCreate } from './agreed.ts';
import { type FilesService, readWorkflow } from './ports.ts';

export interface BegunPlaces {
  readonly agreed: Agreed;
  readonly service: FilesService;
  /** By file. */
  readonly links: ReadonlyMap<string, string>;
  /** The workflows that the service lists, by id. */
  readonly rows: ReadonlyMap<string, Workflow>;
}

/**
 * Agrees what was carried out, and returns the workflows that were created and aren't linked, by file. A create that was carried out by whomever,
 * under the same name, counts as this one: then both sides are compared, and nothing is there twice. Saves nothing.
 */
export async function recognizeBegun(
  places: BegunPlaces,
  files: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { agreed, links, rows } = places;
  const created = new Map<string, string>();
  for (const [file, begun] of [...agreed.begun]) {
    if (files?.has(file) === false) continue;
    const linked = links.get(file);
    const isKnown = linked !== undefined && rows.has(linked);
    if (begun.kind === 'update' || isKnown) {
      agreed.endBegun(file);
      if (isKnown) await agreeIfSent(places, { file, text: begun.text, workflowId: linked }, signal);
      continue;
    }
    const taken = new Set([...links.values(), ...created.values()]);
    const found = begun.workflowId ?? (await findCreated(places, begun, taken, signal))?.workflow.id;
    if (found === undefined || !rows.has(found)) continue;
    created.set(file, found);
    await agreeIfSent(places, { file, text: begun.text, workflowId: found }, signal);
  }
  return created;
}

interface FoundCreate {
  readonly workflow: Workflow;
  /** It has what was sent. */
  readonly isSent: boolean;
}

/** The workflow of a create, or else one of its name that is as new; undefined: it wasn't carried out, as far as the list tells. */
export async function findCreated(
  { service, rows }: Pick<BegunPlaces, 'rows' | 'service'>,
  { known, text }: BegunCreate,
  taken: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<FoundCreate | undefined> {
  const sent = parseJson(text);
  const before = new Set(known);
  const name = isJsonObject(sent) ? sent['name'] : undefined;
  const candidates: Workflow[] = [];
  for (const row of rows.values()) {
    if (before.has(row.id) || taken.has(row.id) || row.name !== name) continue;
    const workflow = await readWorkflow(service, row.id, signal);
    if (isSent(service, sent, toDefinition(workflow))) return { workflow, isSent: true };
    candidates.push(workflow);
  }
  const [first] = candidates;
  return first && { workflow: first, isSent: false };
}

interface SentWrite {
  readonly file: string;
  readonly text: string;
  readonly workflowId: string;
}

async function agreeIfSent(
  { agreed, service, rows }: BegunPlaces,
  { file, text, workflowId }: SentWrite,
  signal: AbortSignal,
): Promise<void> {
  const row = rows.get(workflowId);
  const version = row && editVersion(row);
  if (version !== null && version === agreed.find(file, workflowId)?.version) return;
  const workflow = await readWorkflow(service, workflowId, signal);
  const sent = parseJson(text);
  if (isJsonObject(sent) && isSent(service, sent, toDefinition(workflow)))
    await agreed.agree(file, sent, workflow);
}

/** True for a definition that is what was sent, as this kind of service keeps it. */
function isSent(
  { services, connectionId }: FilesService,
  sent: JsonValue | undefined,
  there: JsonObject,
): boolean {
  const { definitionFormat } = services.traits(connectionId);
  return sent !== undefined && (definitionFormat === 'n8n' ? isAlike(sent, there) : equalJson(sent, there));
}

/** Equal but for members that only one of the two has: n8n adds defaults, and leaves out what its version doesn't know. */
function isAlike(one: JsonValue, other: JsonValue): boolean {
  if (isJsonArray(one) && isJsonArray(other))
    return one.length === other.length && one.every((item, index) => isAlike(item, other[index] ?? null));
  if (!isJsonObject(one) || !isJsonObject(other)) return equalJson(one, other);
  return Object.entries(one).every(([name, value]) => {
    const like = memberOf(other, name);
    return like === undefined || isAlike(value, like);
  });
}
