// Reads what executions recorded, for the retries and draft executions that use it.
import { executionKinds, executionStatuses } from '../../domain/status.ts';
import type { SqlRow, Sql, SqlDatabase } from './database.ts';
import { type NodeOutcome, readOutcome } from './nodeRuns.ts';
import { readValue, readWithValues } from './payloads.ts';
import { type Plan, PlanSchema, type RecordLink, type SourceExecution, SourceGoneError } from './plans.ts';
import { integer, jsonObject, nullableInteger, nullableText, repeatedly, text, word } from './rows.ts';
import { toDefinition } from './workflows.ts';
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../../base/json.ts';

/** SQL for the execution whose record an execution uses: the one that it retries, else the one that it's based on. */
export const usedExecution = 'coalesce(executions.retry_of, executions.based_on)';

/** A node run as an execution recorded it. */
export interface RecordedRun {
  /** The execution that recorded it. */
  readonly executionId: string;
  /** The execution that really ran it. */
  readonly ranIn: string;
  /** undefined for one that hasn't finished, or was skipped. */
  readonly outcome: NodeOutcome | undefined;
  /** Of a loop. */
  readonly loop: RecordedLoop | undefined;
}

/** How far a loop got. */
export interface RecordedLoop {
  readonly executionId: string;
  /** The list, as JSON. */
  readonly items: string;
  /** The number of finished iterations whose results are stored. */
  readonly iterations: number;
  /** The total length of their results, in UTF-16 units. */
  readonly size: number;
}

/** Starts a SELECT from an execution, the one that it uses, the one that that uses, and so on. */
const chain = `
  WITH RECURSIVE chain (depth, id, used) AS (
    SELECT 0, id, ${usedExecution} FROM executions WHERE id = ?
    UNION ALL SELECT depth + 1, executions.id, ${usedExecution} FROM executions JOIN chain ON executions.id = chain.used)`;

export class ExecutionRecords {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Returns undefined when there's no such execution, or it's being deleted. */
  getSource(id: string): Promise<SourceExecution | undefined> {
    return readWithValues(() => this.#readSource(id));
  }

  async #readSource(id: string): Promise<SourceExecution | undefined> {
    const row = await this.#database.get(
      `SELECT id, workflow_id, status, kind, input, retry_of, based_on, plan, definition_version,
         (SELECT definition FROM definitions WHERE hash = definition_hash) AS definition
       FROM executions WHERE id = ? AND is_deleting = 0`,
      id,
    );
    if (!row || row['definition'] === null) return undefined;
    return {
      id,
      workflowId: text(row, 'workflow_id'),
      status: word(row, 'status', executionStatuses),
      kind: word(row, 'kind', executionKinds),
      definition: toDefinition(jsonObject(row, 'definition')),
      version: nullableInteger(row, 'definition_version'),
      input: (await readValue(this.#database, id, row, 'input')) ?? '{}',
      retryOf: nullableText(row, 'retry_of'),
      basedOn: nullableText(row, 'based_on'),
      plan: await readPlan(this.#database, id, row),
    };
  }

  /** See `readLinks`. */
  links(id: string, again: readonly string[]): Promise<readonly RecordLink[] | undefined> {
    return readLinks(this.#database, id, again, 'retried');
  }

  /** The same, including the executions that they're based on. */
  basis(id: string): Promise<readonly RecordLink[] | undefined> {
    return readLinks(this.#database, id, [], 'used');
  }

  async hasRun(links: readonly RecordLink[], nodeId: string): Promise<boolean> {
    const row = await this.#database.get(
      `${chain} SELECT 1 AS found FROM chain JOIN node_runs ON execution_id = chain.id
       WHERE depth < ? AND node_id = ? AND status <> 'skipped' LIMIT 1`,
      links[0]?.executionId ?? null,
      links.length,
      nodeId,
    );
    return row !== undefined;
  }

  /** Returns how many attempts of the node have ended in the executions, in all iterations; without reused and interrupted ones. */
  async countAttempts(executionIds: readonly string[], nodeId: string): Promise<number> {
    const row = await this.#database.get(
      `SELECT count(*) AS attempts FROM node_runs WHERE execution_id IN (${repeatedly('?', executionIds.length)})
         AND node_id = ? AND status IN ('completed', 'failed') AND was_interrupted = 0 AND reused_from IS NULL`,
      ...executionIds,
      nodeId,
    );
    return row ? integer(row, 'attempts') : 0;
  }

  /**
   * Returns the node run of the first of the executions that reached it; each one must use the next. Takes two statements at most, however
   * many executions there are.
   */
  async find(
    [newest, ...earlier]: readonly string[],
    nodeId: string,
    iteration: readonly number[],
  ): Promise<RecordedRun | undefined> {
    if (newest === undefined) return undefined;
    const key = [nodeId, stringifyJson(iteration)];
    const own = await this.#database.get(
      'SELECT * FROM node_runs WHERE execution_id = ? AND node_id = ? AND iteration = ? ORDER BY attempt DESC LIMIT 1',
      newest,
      ...key,
    );
    const [next] = earlier;
    if (own || next === undefined) return own && this.#readRun(own);
    const row = await this.#database.get(
      `${chain} SELECT node_runs.* FROM chain JOIN node_runs ON execution_id = chain.id
       WHERE depth < ? AND node_id = ? AND iteration = ? ORDER BY depth, attempt DESC LIMIT 1`,
      next,
      earlier.length,
      ...key,
    );
    return row && this.#readRun(row);
  }

  async #readRun(row: SqlRow): Promise<RecordedRun> {
    const executionId = text(row, 'execution_id');
    const items = await readValue(this.#database, executionId, row, 'items');
    return {
      executionId,
      ranIn: nullableText(row, 'reused_from') ?? executionId,
      outcome: await readOutcome(this.#database, row),
      loop:
        items === null
          ? undefined
          : { executionId, items, iterations: integer(row, 'turns'), size: integer(row, 'results_size') },
    };
  }
}

async function readPlan(sql: Sql, executionId: string, row: SqlRow): Promise<Plan | null> {
  const plan = await readValue(sql, executionId, row, 'plan');
  return plan === null ? null : v.parse(PlanSchema, parseJson(plan));
}

/** The same with the pinned outputs and the answers, which the retries of an execution don't have themselves. Rejects with a SourceGoneError. */
export async function readPinnedPlan(sql: Sql, executionId: string, row: SqlRow): Promise<Plan | null> {
  const plan = await readPlan(sql, executionId, row);
  if (plan?.pinnedIn === undefined) return plan;
  const source = await sql.get('SELECT plan FROM executions WHERE id = ?', plan.pinnedIn);
  const sourcePlan = source && (await readPlan(sql, plan.pinnedIn, source));
  if (!sourcePlan) throw new SourceGoneError();
  return { ...plan, pinned: sourcePlan.pinned, answers: sourcePlan.answers };
}

/**
 * Returns the execution and those that it retries, or all that it uses, newest first; undefined when it, or one that's retried, is gone.
 * The execution that it's based on may be gone. `again`: of the execution that retries it. `lock`: the end of the SELECT.
 */
export async function readLinks(
  sql: Sql,
  id: string,
  again: readonly string[],
  which: 'retried' | 'used',
  lock = '',
): Promise<readonly RecordLink[] | undefined> {
  const rows = await sql.all(
    `${chain} SELECT executions.id, retry_of, based_on, plan FROM chain JOIN executions ON executions.id = chain.id
     WHERE is_deleting = 0 ORDER BY depth ${lock}`,
    id,
  );
  const links: RecordLink[] = [];
  let next: string | null = id;
  let isDemanded = true;
  let rerun = again;
  for (const row of rows) {
    if (row['id'] !== next) break;
    links.push({ executionId: next, again: rerun });
    rerun = (await readPlan(sql, next, row))?.again ?? [];
    const retryOf = nullableText(row, 'retry_of');
    isDemanded = retryOf !== null;
    next = retryOf ?? (which === 'used' ? nullableText(row, 'based_on') : null);
    if (next === null) break;
  }
  return next !== null && isDemanded ? undefined : links;
}
