// Stores the draft and the deployed definition of a workflow as separate texts, which are identical when their contents are equal.
import { equalJson, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../base/json.ts';
import { toTimestamp } from '../../base/time.ts';
import type { WorkflowJson, WorkflowSummaryJson } from '../../protocol/records.ts';
import type { CreateWorkflowRequest, UpdateWorkflowRequest } from '../../protocol/requests.ts';
import type { WorkflowDefinition } from '../../definition/definition.ts';
import { foldText } from '../../domain/findText.ts';
import { createId } from '../ids.ts';
import { PageOfRows, type SqlRow, type Sql, type SqlDatabase, type Transaction } from './database.ts';
import type { PortalEventStore } from './portalEvents.ts';
import {
  type Condition,
  inBatches,
  integer,
  isOneOf,
  jsonObject,
  nullableText,
  type PageQuery,
  readPage,
  type StorePage,
  text,
} from './rows.ts';

const summaryColumns = `position, id, name, description, version, is_deployed, deployed_at, created_at, updated_at,
  CASE WHEN is_deployed = 1 AND deployed <> draft THEN 1 ELSE 0 END AS differs`;

/** How many workflows a search reads the names of at once. */
const namesAtOnce = 1000;

type WorkflowChanges = Omit<UpdateWorkflowRequest, 'version'>;

export interface WorkflowQuery extends PageQuery {
  /** A part of the name; case-insensitive. */
  readonly search?: string | undefined;
  readonly deployed?: boolean | undefined;
}

/** `version`: the workflow's. */
export interface DeployedDefinition {
  readonly version: number;
  readonly definition: WorkflowDefinition;
}

/** Stores the draft that edits change and the deployed definition that executions use. Each change publishes its portal event. */
export class WorkflowStore {
  readonly #database: SqlDatabase;
  readonly #portalEvents: PortalEventStore;

  constructor(database: SqlDatabase, portalEvents: PortalEventStore) {
    this.#database = database;
    this.#portalEvents = portalEvents;
  }

  /** Newest first. */
  list({ search, deployed, ...page }: WorkflowQuery): Promise<StorePage<WorkflowSummaryJson>> {
    const conditions: readonly Condition[] = [
      ['is_deployed = ?', deployed === undefined ? undefined : Number(deployed)],
    ];
    if (search !== undefined) return this.#search(foldText(search), conditions, page);
    return readPage(this.#database, `SELECT ${summaryColumns} FROM workflows`, conditions, page, toSummary);
  }

  /** Names are compared here: which letters have two cases depends on the database, and SQLite knows only those of English. */
  async #search(
    folded: string,
    conditions: readonly Condition[],
    { limit, before }: PageQuery,
  ): Promise<StorePage<WorkflowSummaryJson>> {
    const page = new PageOfRows(limit);
    let next = before ?? null;
    do {
      const names = await readPage(
        this.#database,
        'SELECT position, id, name FROM workflows',
        conditions,
        { limit: namesAtOnce, before: next ?? undefined },
        (row) => ({ id: text(row, 'id'), isFound: foldText(text(row, 'name')).includes(folded) }),
      );
      const found = names.items.filter(({ isFound }) => isFound).map(({ id }) => id);
      if (!(await this.#addTo(page, found))) break;
      next = names.nextPosition;
    } while (next !== null);
    const last = page.hasMore ? page.rows.at(-1) : undefined;
    return { items: page.rows.map(toSummary), nextPosition: last ? integer(last, 'position') : null };
  }

  /** Adds workflows, newest first; returns false when the page is full. */
  async #addTo(page: PageOfRows, ids: readonly string[]): Promise<boolean> {
    for (const some of inBatches(ids)) {
      const rows = await this.#database.all(
        `SELECT ${summaryColumns} FROM workflows WHERE ${isOneOf(some)} ORDER BY position DESC`,
        ...some,
      );
      if (!rows.every((row) => page.add(row))) return false;
    }
    return true;
  }

  get(id: string): Promise<WorkflowJson | undefined> {
    return this.#read(this.#database, id);
  }

  create({
    name,
    description = null,
    nodes = [],
    edges = [],
    settings = {},
  }: CreateWorkflowRequest): Promise<WorkflowJson> {
    return this.#database.transaction(async (transaction) => {
      const id = createId('wf');
      const now = this.#database.timestamp();
      transaction.write(
        `INSERT INTO workflows (id, name, description, version, is_deployed, created_at, updated_at, draft)
           VALUES (?, ?, ?, 0, 0, ?, ?, ?)`,
        id,
        name,
        description,
        now,
        now,
        definitionText({ nodes, edges, settings }),
      );
      return this.#publishChange(transaction, 'created', id);
    });
  }

  /** `expected` is the updatedAt or the version number that the caller has read. updatedAt increases with each update. */
  update(
    id: string,
    changes: WorkflowChanges,
    expected?: string | number,
  ): Promise<WorkflowJson | 'missing' | 'conflict'> {
    return this.#database.transaction(async (transaction) => {
      const current = await this.#readLocked(transaction, id);
      if (!current) return 'missing';
      if (expected !== undefined && expected !== current.updatedAt && expected !== current.version)
        return 'conflict';
      transaction.write(
        'UPDATE workflows SET name = ?, description = ?, updated_at = ?, draft = ? WHERE id = ?',
        changes.name ?? current.name,
        changes.description === undefined ? current.description : changes.description,
        toTimestamp(Math.max(this.#database.now(), Date.parse(current.updatedAt) + 1)),
        draftText(current, changes),
        id,
      );
      return this.#publishChange(transaction, 'updated', id);
    });
  }

  /** Returns false when there's no such workflow. Its executions stay. */
  delete(id: string): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const current = await this.#readLocked(transaction, id);
      if (!current) return false;
      if (current.isDeployed) await this.#publishChange(transaction, 'undeployed', id);
      await this.#publishChange(transaction, 'deleted', id);
      transaction.write('DELETE FROM workflows WHERE id = ?', id);
      return true;
    });
  }

  /** Deploys the draft; returns "conflict" when its updatedAt has changed. */
  deploy(id: string, updatedAt: string): Promise<WorkflowJson | 'missing' | 'conflict'> {
    return this.#database.transaction(async (transaction) => {
      const current = await this.#readLocked(transaction, id);
      if (!current) return 'missing';
      if (current.updatedAt !== updatedAt) return 'conflict';
      if (current.isDeployed && !current.hasUndeployedChanges) return current;
      transaction.write(
        `UPDATE workflows SET is_deployed = 1, deployed_at = ?, version = version + 1, deployed = draft
           WHERE id = ?`,
        this.#database.timestamp(),
        id,
      );
      return this.#publishChange(transaction, 'deployed', id);
    });
  }

  undeploy(id: string): Promise<WorkflowJson | undefined> {
    return this.#database.transaction(async (transaction) => {
      const current = await this.#readLocked(transaction, id);
      if (!current?.isDeployed) return current;
      transaction.write(
        'UPDATE workflows SET is_deployed = 0, deployed_at = NULL, deployed = NULL WHERE id = ?',
        id,
      );
      return this.#publishChange(transaction, 'undeployed', id);
    });
  }

  /** Returns the deployed definition; undefined when there's no such workflow, null when it isn't deployed. */
  async getDeployed(id: string): Promise<DeployedDefinition | null | undefined> {
    const row = await this.#database.get('SELECT version, deployed FROM workflows WHERE id = ?', id);
    if (!row || row['deployed'] === null) return row && null;
    return { version: integer(row, 'version'), definition: toDefinition(jsonObject(row, 'deployed')) };
  }

  async #read(sql: Sql, id: string, lock = ''): Promise<WorkflowJson | undefined> {
    const row = await sql.get(
      `SELECT ${summaryColumns}, draft, deployed FROM workflows WHERE id = ? ${lock}`,
      id,
    );
    return row && toWorkflow(row);
  }

  /** Returns the workflow, which no other transaction changes meanwhile. */
  #readLocked(transaction: Transaction, id: string): Promise<WorkflowJson | undefined> {
    return this.#read(transaction, id, this.#database.lockRows('workflows'));
  }

  /** Publishes the change and returns the updated workflow. */
  async #publishChange(transaction: Transaction, kind: string, id: string): Promise<WorkflowJson> {
    const workflow = await this.#read(transaction, id);
    if (!workflow) throw new Error(`The workflow ${id} could not be read back.`);
    const { name, version } = workflow;
    const data = { workflowId: id, name, version };
    await this.#portalEvents.publish(transaction, [{ type: `workflow.${kind}`, data }]);
    return workflow;
  }
}

/** Returns the stored text of a definition. */
export function definitionText({ nodes, edges, settings }: WorkflowDefinition): string {
  return stringifyJson({ nodes, edges, settings });
}

/** Returns the text of an updated draft; it's the deployed text when the two differ only in the order of members. */
function draftText(
  { deployedDefinition, ...current }: WorkflowJson,
  { nodes = current.nodes, edges = current.edges, settings = current.settings }: WorkflowChanges,
): string {
  const draft = { nodes, edges, settings };
  const isDeployed = deployedDefinition !== null && equalJson(draft, deployedDefinition);
  return definitionText(isDeployed ? deployedDefinition : draft);
}

function toSummary(row: SqlRow): WorkflowSummaryJson {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    description: nullableText(row, 'description'),
    isDeployed: integer(row, 'is_deployed') === 1,
    deployedAt: nullableText(row, 'deployed_at'),
    version: integer(row, 'version'),
    hasUndeployedChanges: integer(row, 'differs') === 1,
    createdAt: text(row, 'created_at'),
    updatedAt: text(row, 'updated_at'),
  };
}

function toWorkflow(row: SqlRow): WorkflowJson {
  const deployedDefinition = row['deployed'] === null ? null : toDefinition(jsonObject(row, 'deployed'));
  return { ...toSummary(row), ...toDefinition(jsonObject(row, 'draft')), deployedDefinition };
}

type StoredDefinition = NonNullable<WorkflowJson['deployedDefinition']>;

export function toDefinition(stored: JsonObject): StoredDefinition {
  const settings = stored['settings'];
  return {
    nodes: objectsOf(stored['nodes']),
    edges: objectsOf(stored['edges']),
    settings: isJsonObject(settings) ? settings : {},
  };
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}
