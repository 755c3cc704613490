// Reads what executions recorded, for the retries and draft executions that use it.
import { executionKinds, executionStatuses } from '../../domain/status.ts';
import type { Row, Sql, SqlDatabase } from './database.ts';
import { isFinalFailure, type NodeOutcome, readFailure } from './nodeRunRows.ts';
import { readValue } from './payloads.ts';
import { type Plan, PlanSchema, type RecordLink, type SourceExecution } from './plans.ts';
import { integer, jsonObject, nullableText, text, word } from './rows.ts';
import { toDefinition } from './workflows.ts';
import * as v from 'valibot';
import { parseJson } from '../../base/json.ts';

/** SQL for the execution whose record an execution uses: the one that it retries, else the one that it's based on. */
export const usedExecution = 'coalesce(executions.retry_of, executions.based_on)';

/** A node run as an execution recorded it. */
export interface RecordedRun {
  /** The execution that really ran it. */
  readonly ranIn: string;
  /** undefined for one that hasn't finished, or was skipped. */
  readonly outcome: NodeOutcome | undefined;
  readonly isSkipped: boolean;
  /** Of a loop. */
  readonly loop: RecordedLoop | undefined;
}

/** How far a loop got. */
export interface RecordedLoop {
  readonly executionId: string;
  /** The list, as JSON. */
  readonly items: string;
  /** The number of finished iterations whose results are stored. */
  readonly turns: number;
  /** The total length of their results, in UTF-16 units. */
  readonly size: number;
}

export class ExecutionRecords {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Returns undefined when there's no such execution, or it's being deleted. */
  async getSource(id: string): Promise<SourceExecution | undefined> {
    const row = await this.#database.get(
      `SELECT id, workflow_id, status, kind, input, retry_of, based_on, plan,
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
      input: (await readValue(this.#database, id, row, 'input')) ?? '{}',
      retryOf: nullableText(row, 'retry_of'),
      basedOn: nullableText(row, 'based_on'),
      plan: await readPlan(this.#database, id, row),
    };
  }

  /** Returns the execution and those that it retries, newest first; undefined when one of them is gone. `again`: of what retries it. */
  async links(id: string, again: readonly string[]): Promise<readonly RecordLink[] | undefined> {
    const links: RecordLink[] = [];
    let next: string | null = id;
    let rerun = again;
    while (next !== null) {
      const row: Row | undefined = await this.#database.get(
        'SELECT retry_of, plan FROM executions WHERE id = ? AND is_deleting = 0',
        next,
      );
      if (!row) return undefined;
      links.push({ executionId: next, again: rerun });
      rerun = (await readPlan(this.#database, next, row))?.again ?? [];
      next = nullableText(row, 'retry_of');
    }
    return links;
  }

  async hasRun(links: readonly RecordLink[], nodeId: string): Promise<boolean> {
    for (const { executionId } of links) {
      const row = await this.#database.get(
        `SELECT 1 AS found FROM node_runs WHERE execution_id = ? AND node_id = ? AND status <> 'skipped' LIMIT 1`,
        executionId,
        nodeId,
      );
      if (row) return true;
    }
    return false;
  }

  /** Returns undefined when the execution never came to the node run. */
  async find(
    executionId: string,
    nodeId: string,
    iteration: readonly number[],
  ): Promise<RecordedRun | undefined> {
    const row = await this.#database.get(
      `SELECT * FROM node_runs WHERE execution_id = ? AND node_id = ? AND iteration = ?
       ORDER BY attempt DESC LIMIT 1`,
      executionId,
      nodeId,
      JSON.stringify(iteration),
    );
    if (!row) return undefined;
    const items = await readValue(this.#database, executionId, row, 'items');
    return {
      ranIn: nullableText(row, 'reused_from') ?? executionId,
      outcome: await this.#readOutcome(executionId, row),
      isSkipped: row['status'] === 'skipped',
      loop:
        items === null
          ? undefined
          : { executionId, items, turns: integer(row, 'turns'), size: integer(row, 'results_size') },
    };
  }

  async #readOutcome(executionId: string, row: Row): Promise<NodeOutcome | undefined> {
    if (row['status'] === 'completed') {
      const output = await readValue(this.#database, executionId, row, 'output');
      return { status: 'completed', output: output ?? 'null' };
    }
    return isFinalFailure(row) ? { status: 'failed', error: readFailure(row) } : undefined;
  }
}

export async function readPlan(sql: Sql, executionId: string, row: Row): Promise<Plan | null> {
  const plan = await readValue(sql, executionId, row, 'plan');
  return plan === null ? null : v.parse(PlanSchema, parseJson(plan));
}
