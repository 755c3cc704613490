// Documents as people have them get in by the ways of the commands, and an edit of one word changes that word alone.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ServicePort } from '../../src/api/servicePort.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { checkText } from '../../src/definition/checkText.ts';
import { DefinitionStore } from '../../src/model/workflows/definitionStore.ts';
import {
  fileSource,
  readDefinitionBytes,
  readNamed,
} from '../../src/features/workflows/importExport/importSources.ts';
import { findLeftOut } from '../../src/model/workflows/leftOut.ts';
import { parseDefinition, renderDefinition } from '../../src/model/workflows/workflowDefinition.ts';
import { root } from '../rig/paths.ts';
import { HandClock } from '../support/memory/ports.ts';
import { createWorld, firstUrl } from '../support/memory/world.ts';
import { reasonOf } from '../support/reasons.ts';

/** What n8n refuses to take, by the places that are told. Each of them is wrong in the file itself, or its editor's own. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'case-26': ['nodes[0].name'],
  'case-37': ['name'],
  'case-46': ['connections.da0c6b83-9c8c-431b-beaa-66b5343b21c5'],
  'case-47': ['connections.fa83bc05-ee83-4150-ac5e-68e6b14e37d2'],
  'case-50': ['connections.3b73b2f5-9081-4633-911f-ef3041600a00'],
  'node-of-the-editor': ['nodes.0.extendsCredential'],
};

/** What n8n adds to a document. */
const added: readonly (readonly [place: RegExp, why: string])[] = [
  [/^\/(settings|nodeGroups)$/, 'each has them, if only empty ones'],
  [/^\/nodes\/\d+\/webhookId$/, 'where a node can be called, some of them to go on with what waits'],
];
/** What n8n doesn't take of a document, without a word for people. */
const untold: readonly (readonly [place: RegExp, why: string])[] = [
  [/^\/(id|active|versionId|createdAt|updatedAt)$/, 'the new workflow has its own'],
  [/^\/(meta|shared|isArchived|triggerCount)$/, 'where the export comes from'],
  [/^\/(pinData|staticData|settings\/errorWorkflow)$/, 'there is none'],
];
/** The same, which people are told by name. */
const told: readonly (readonly [name: RegExp, why: string])[] = [
  [/^(tags|notes)$/, 'the API takes them nowhere in a document'],
  [/^settings\./, "of n8n's editor, or of another version"],
];

/** Version 1 takes what version 2 refuses of a structure, and fewer members. */
const version1 = {
  refused: { 'node-of-the-editor': ['nodes.0'] },
  added: [[/^\/settings\/(callerPolicy|availableInMCP)$/, 'it writes what they are by default']],
  told: [[/^(pinData|nodeGroups|description)$/, 'its API takes them nowhere in a document']],
} as const satisfies Record<string, unknown>;

const folders = ['workflows', 'documents'].map((name) => join(root, 'test', 'n8n', name));

export interface OpenClient {
  readonly client: ServicePort;
  close(): unknown;
}

export function describePublicWorkflows(
  title: string,
  open: () => Promise<OpenClient>,
  version: 1 | 2 = 2,
): void {
  describe(title, () => {
    let opened: OpenClient;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    for (const path of folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))) {
      const source = { ...fileSource(vscode.Uri.file(path)), read: () => Promise.resolve(read(path)) };
      const ofVersion: typeof refused = version === 1 ? version1.refused : refused;
      const places = ofVersion[source.title];
      if (places === undefined && refused[source.title] !== undefined) continue;
      if (places === undefined)
        it(`take ${source.name} in and change what is changed of it`, async () => {
          const given = await readNamed(source);
          const { workflow, ...ways } = await importInto(opened.client, given);
          const before = (await ways.store.read(ways.target)).definition;
          const leftOut = findLeftOut(given, workflow);
          assertKept({ given, kept: before, leftOut }, version === 1);
          await assertEdits(ways, before);
        });
      else
        it(`refuse ${source.name} with its place`, async () => {
          const reason = await reasonOf(importInto(opened.client, await readNamed(source)));
          const found =
            reason.kind === 'invalid' ? reason.details.map((detail) => detail.path) : [reason.kind];
          assert.deepEqual(found.slice(0, places.length), places);
        });
    }
  });
}

function read(path: string): JsonObject {
  return readDefinitionBytes(readFileSync(path));
}

async function importInto(client: ServicePort, given: JsonObject) {
  const { actions, connections, workflows } = createWorld({
    clock: new HandClock(),
    createClient: () => client,
  });
  const connection = { name: 'n8n', baseUrl: firstUrl, apiKey: 'svc_sk_good' };
  const { id: connectionId } = await connections.add(connection, { verify: 'never' });
  const workflow = await actions.import(connectionId, given);
  const store = new DefinitionStore({ workflows, actions });
  return { workflow, store, target: { connectionId, workflowId: workflow.id } };
}

type Ways = Pick<Awaited<ReturnType<typeof importInto>>, 'store' | 'target'>;

interface Kept {
  readonly given: JsonObject;
  readonly kept: JsonObject;
  /** What people are told. */
  readonly leftOut: readonly string[];
}

/** All of it is there but for what is listed. */
function assertKept({ given, kept, leftOut }: Kept, isVersion1: boolean): void {
  const more = isVersion1 ? version1 : { added: [], told: [] };
  const isListed = (list: typeof added, place: string): boolean => list.some(([each]) => each.test(place));
  const isTold = (place: string): boolean => leftOut.includes(place.slice(1).replaceAll('/', '.'));
  const strange = differences(given, kept).filter(({ place, left, right }) => {
    if (left === undefined) return !isListed([...added, ...more.added], place);
    return right !== undefined || !(isListed(untold, place) || isTold(place) || isEmpty(left));
  });
  assert.deepEqual(strange, []);
  assert.deepEqual(
    leftOut.filter((name) => !isListed([...told, ...more.told], name)),
    [],
  );
}

const isEmpty = (value: JsonValue): boolean => JSON.stringify(value) === '[]';

/** Its text has no fault, and an edit of it becomes what n8n has, and nothing else. */
async function assertEdits({ store, target }: Ways, before: JsonObject): Promise<void> {
  const text = renderDefinition(before);
  assert.deepEqual(checkText(text, 'n8n'), { faults: [], more: 0 });
  const [from, to] = wordIn(before);
  const mine = parseDefinition(
    text.replace(JSON.stringify(from), () => JSON.stringify(to)),
    before,
  );
  const saved = await store.save(target, mine ?? assert.fail(), [before]);
  assert.deepEqual(saved.kind === 'saved' && saved.notKept, []);
  const changed = differences(before, (await store.read(target)).definition);
  assert.deepEqual(
    changed.map(({ left, right }) => [left, right]),
    [[from, to]],
  );
}

/** The longest text of a node's parameters, and the same with another first word; the name where there is none. */
function wordIn({ name, nodes }: JsonObject): readonly [from: string, to: string] {
  const parameters = isJsonArray(nodes)
    ? nodes.map((node) => (isJsonObject(node) ? (node['parameters'] ?? null) : null))
    : [];
  const texts = parameters.flatMap(textsIn).toSorted((left, right) => right.length - left.length);
  const text = texts[0] ?? (typeof name === 'string' ? name : assert.fail());
  return [text, text.replace(/\w+/, 'Changed')];
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

interface Difference {
  readonly place: string;
  readonly left: JsonValue | undefined;
  readonly right: JsonValue | undefined;
}

function differences(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  place = '',
): readonly Difference[] {
  const [mine, theirs] = [membersOf(left), membersOf(right)];
  if (mine === undefined || theirs === undefined || isJsonArray(left) !== isJsonArray(right))
    return JSON.stringify(left) === JSON.stringify(right) ? [] : [{ place, left, right }];
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...names].flatMap((name) => differences(mine[name], theirs[name], `${place}/${name}`));
}

function membersOf(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> | undefined {
  if (isJsonArray(value)) return Object.fromEntries(value.entries());
  return value !== undefined && isJsonObject(value) ? value : undefined;
}
