// Keeps pages of n8n's list, whose rows are whole documents, and asks its MCP server whether any of their workflows has changed.
import * as v from 'valibot';
import { BoundedMap } from '../../base/boundedMap.ts';
import { type JsonValue, stringifyJson } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { CallOptions, Page, WorkflowQuery } from '../../domain/queries.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { KeyReader } from '../servicePort.ts';
import { Id } from './decode.ts';
import type { McpServer } from './mcp.ts';

const tool = 'search_workflows';
/** The most that are listed at once; there's no next page. */
const maximumRows = 200;
/** From both ends of the order of their last changes. */
const orders = ['updatedAt:desc', 'updatedAt:asc'] as const;
/** A workflow that neither end has can be deployed without being changed. In milliseconds. */
const longestMs = 10 * 60_000;
const maximumPages = 40;

const Row = v.object({
  id: Id,
  name: v.nullish(v.string()),
  active: v.nullish(v.boolean()),
  updatedAt: v.nullish(v.string()),
  tags: v.fallback(v.array(v.object({ name: v.string() })), []),
});
const Found = v.object({ data: v.array(Row), count: v.number() });

/** How the workflows are at one moment. */
interface Snapshot {
  /** How many there are, and which of them are listed. */
  readonly all: string;
  /** Of each workflow, by its id; the same text where nothing has changed. */
  readonly rows: ReadonlyMap<string, string>;
}

interface KnownPage {
  readonly page: Page<Workflow>;
  readonly snapshot: Snapshot;
  /** Epoch milliseconds. */
  readonly readAt: number;
  /** How many changes this client had made before it was read. */
  readonly changes: number;
  /** What it was read with: another key may not read the same. */
  readonly apiKey: string | undefined;
}

interface KnownPagesDeps {
  readonly mcp: Pick<McpServer, 'ask' | 'tools'>;
  /** Of the API. */
  readonly key: KeyReader;
  readonly clock: Clock;
}

export class KnownPages {
  readonly #deps: KnownPagesDeps;
  readonly #pages = new BoundedMap<string, KnownPage>(maximumPages);
  #snapshot: Snapshot | undefined;
  #changes = 0;

  constructor(deps: KnownPagesDeps) {
    this.#deps = deps;
  }

  /** Call after each change of this client's own: the server tells nothing of another version that is deployed. */
  forget(): void {
    this.#changes += 1;
  }

  /** Takes the known page if none of its workflows has changed, and reads it otherwise. Asks anew for the first page of a list. */
  async take(
    query: WorkflowQuery,
    read: () => Promise<Page<Workflow>>,
    options: CallOptions | undefined,
  ): Promise<Page<Workflow>> {
    if (query.cursor === undefined) this.#snapshot = await this.#ask(options);
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return read();
    const apiKey = await this.#deps.key();
    const name = stringifyJson({ ...query });
    const known = this.#pages.get(name);
    // Any workflow may come to match a filter.
    const isFiltered = query.search !== undefined || query.deployed !== undefined;
    const isSameKey = known?.apiKey === apiKey;
    if (known !== undefined && isSameKey && this.#isCurrent(known, snapshot, isFiltered)) return known.page;
    const changes = this.#changes;
    const page = await read();
    this.#pages.set(name, { page, snapshot, readAt: this.#deps.clock.now(), changes, apiKey });
    return page;
  }

  #isCurrent({ page, snapshot, readAt, changes }: KnownPage, now: Snapshot, isFiltered: boolean): boolean {
    const concerned = isFiltered ? [...now.rows.keys()] : page.items.map(({ id }) => id);
    return (
      changes === this.#changes &&
      this.#deps.clock.now() - readAt < longestMs &&
      snapshot.all === now.all &&
      concerned.every((id) => snapshot.rows.get(id) === now.rows.get(id))
    );
  }

  /** Resolves with undefined where the server doesn't say: then pages are read. */
  async #ask(options: CallOptions | undefined): Promise<Snapshot | undefined> {
    const { mcp } = this.#deps;
    try {
      if (!(await mcp.tools()).has(tool)) return undefined;
      const rows = new Map<string, string>();
      let count = Infinity;
      for (const sortBy of orders) {
        if (rows.size >= count) break;
        const found = v.parse(Found, await mcp.ask(tool, { limit: maximumRows, sortBy }, options));
        ({ count } = found);
        for (const { id, ...row } of found.data) rows.set(id, textOf(row));
      }
      return { all: stringifyJson([count, ...[...rows.keys()].sort()]), rows };
    } catch (error) {
      if (isServiceError(error) || error instanceof v.ValiError) return undefined;
      throw error;
    }
  }
}

function textOf({ name, active, updatedAt, tags }: Omit<v.InferOutput<typeof Row>, 'id'>): string {
  const snapshot: JsonValue = [name ?? '', active ?? null, updatedAt ?? '', ...tags.map((tag) => tag.name)];
  return stringifyJson(snapshot);
}
