// What each file and its workflow had when they were last agreed, in .workflows/ENVIRONMENT.json.
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../base/json.ts';
import type { Workflow } from '../domain/workflow.ts';
import { editVersion } from '../model/workflows/definitionStore.ts';
import { toDefinition } from '../model/workflows/workflowDefinition.ts';
import { FilesError } from './filesError.ts';
import type { FilesFolder } from './ports.ts';

/** Has what is agreed, and nothing that people write. */
export const agreedFolder = '.workflows';
/** In that folder: whoever changes what is agreed holds its lock. */
export const agreedLock = 'lock';

/** In bytes. */
const maximumAgreed = 100 * 1024 * 1024;

/** What was last agreed. */
export interface Agreement {
  readonly workflowId: string;
  /** Of the service's record; null where it has none that changes with each edit. */
  readonly version: string | null;
  /** Of the file's definition, see `hashOf`: a service may keep something else than it's given. */
  readonly hash: string;
  /** The service's definition, as JSON. */
  readonly text: string;
}

const BegunUpdate = v.object({
  kind: v.literal('update'),
  /** The definition that was sent, as JSON. */
  text: v.string(),
});
const BegunCreate = v.object({
  kind: v.literal('create'),
  text: v.string(),
  /** The ids of the workflows that were there before. */
  known: v.array(v.string()),
  /** Of the new workflow, once it's known. */
  workflowId: v.optional(v.string()),
});
const Begun = v.variant('kind', [BegunUpdate, BegunCreate]);

/** A write to the service that may have been carried out although nobody saw its response. */
export type BegunWrite = v.InferOutput<typeof Begun>;
export type BegunCreate = v.InferOutput<typeof BegunCreate>;

const AgreementJson = v.object({
  workflowId: v.string(),
  version: v.nullable(v.string()),
  hash: v.string(),
  text: v.string(),
});
const AgreedJson = v.object({
  workflows: v.record(v.string(), AgreementJson),
  begun: v.optional(v.record(v.string(), Begun), {}),
});

/** The service's definition as it was agreed. */
export function agreedDefinition(agreement: Agreement | undefined): JsonObject | undefined {
  const value = agreement && parseJson(agreement.text);
  return isJsonObject(value) ? value : undefined;
}

export class Agreed {
  readonly #folder: FilesFolder;
  readonly #path: string;
  readonly #agreements = new Map<string, Agreement>();
  readonly #begun = new Map<string, BegunWrite>();
  /** Each entry as JSON: of hundreds of definitions, one at a time changes. */
  readonly #lines = new Map<string, string>();
  #isSaved = true;
  /** Of the file, as it was last read or written here; undefined: there was none. */
  #text: string | undefined;

  private constructor(folder: FilesFolder, path: string) {
    this.#folder = folder;
    this.#path = path;
  }

  /** Nothing is agreed where there's no such file. Rejects with a FilesError for one that can't be read. */
  static async open(folder: FilesFolder, environment: string): Promise<Agreed> {
    const path = `${agreedFolder}/${environment}.json`;
    const agreed = new Agreed(folder, path);
    const text = await folder.read(path, maximumAgreed);
    agreed.#text = text;
    if (text === undefined) return agreed;
    const { success, output } = v.safeParse(AgreedJson, parseJson(text));
    if (!success)
      throw new FilesError(
        l10n.t(
          '{0} can\'t be read. Delete it: what differs is "both changed" then, until you decide once more.',
          path,
        ),
      );
    for (const [file, agreement] of Object.entries(output.workflows)) agreed.#agreements.set(file, agreement);
    for (const [file, begun] of Object.entries(output.begun)) agreed.#begun.set(file, begun);
    return agreed;
  }

  /** Of a file with this workflow, whatever the file was called then. */
  find(file: string, workflowId: string): Agreement | undefined {
    const found = this.#agreements.get(file);
    if (found?.workflowId === workflowId) return found;
    return [...this.#agreements.values()].find((each) => each.workflowId === workflowId);
  }

  /** The workflow that a file was last agreed with. */
  idOf(file: string): string | undefined {
    return this.#agreements.get(file)?.workflowId;
  }

  /** What was begun and not ended, by file. */
  get begun(): ReadonlyMap<string, BegunWrite> {
    return this.#begun;
  }

  begin(file: string, begun: BegunWrite): void {
    this.#begun.set(file, begun);
    this.#isSaved = false;
  }

  endBegun(file: string): void {
    if (this.#begun.delete(file)) this.#isSaved = false;
  }

  /** Agrees what a file has and the service has of it. */
  async agree(
    file: string,
    here: JsonObject,
    workflow: Workflow,
    there: JsonObject = toDefinition(workflow),
  ): Promise<void> {
    this.set(file, {
      workflowId: workflow.id,
      version: editVersion(workflow),
      hash: await hashOf(here),
      text: stringifyJson(there),
    });
  }

  set(file: string, agreement: Agreement): void {
    this.#agreements.set(file, agreement);
    this.#lines.delete(file);
    this.#isSaved = false;
  }

  /** The file has another path now. */
  rename(from: string, to: string): void {
    const agreement = this.#agreements.get(from);
    this.forget(from);
    if (agreement !== undefined) this.set(to, agreement);
  }

  forget(file: string): void {
    this.endBegun(file);
    this.#lines.delete(file);
    if (this.#agreements.delete(file)) this.#isSaved = false;
  }

  /** Writes it if anything has changed. */
  async save(): Promise<void> {
    if (this.#isSaved) return;
    const text = this.#render();
    await this.#folder.write(this.#path, text);
    this.#text = text;
    this.#isSaved = true;
  }

  /** False where others have agreed something since it was opened or saved. */
  async isCurrent(): Promise<boolean> {
    return (await this.#folder.read(this.#path, maximumAgreed)) === this.#text;
  }

  /** One line for each file, so that versions of it merge. */
  #render(): string {
    const files = [...this.#agreements.keys()].sort();
    const workflows = files.map((file) => {
      const line = this.#lines.get(file) ?? stringifyJson(this.#agreements.get(file));
      this.#lines.set(file, line);
      return `    ${stringifyJson(file)}: ${line}`;
    });
    const begun = [...this.#begun].map(
      ([file, each]) => `    ${stringifyJson(file)}: ${stringifyJson(each)}`,
    );
    const members = [`  "workflows": ${enclose(workflows)}`];
    if (begun.length > 0) members.push(`  "begun": ${enclose(begun)}`);
    return `{\n${members.join(',\n')}\n}\n`;
  }
}

const enclose = (lines: readonly string[]): string =>
  lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;

/** The same for definitions with the same members in whatever order. */
export async function hashOf(definition: JsonObject): Promise<string> {
  const bytes = new TextEncoder().encode(stringifyJson(sorted(definition)));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] ?? null)]),
  );
}
