import type {
  LoopProgress,
  NodeLogPage,
  NodeLogQuery,
  NodeRunStore,
  NodeTurn,
  StoredNodeLog,
} from '../nodeRuns.ts';
import type { SqlDatabase } from './database.ts';
import { readLoopProgress, readLoopResults } from './nodeRunRows.ts';
import { readNodeLog, readNodeLogs } from './nodeLogs.ts';
import { integer } from './rows.ts';

export class SqlNodeRunStore implements NodeRunStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  loopProgress(turn: NodeTurn): Promise<LoopProgress> {
    return readLoopProgress(this.#database, turn);
  }

  loopResults(turn: NodeTurn): Promise<string> {
    return readLoopResults(this.#database, turn);
  }

  listLogs(query: NodeLogQuery): Promise<NodeLogPage> {
    return readNodeLogs(this.#database, query);
  }

  getLog(executionId: string, logId: string): Promise<StoredNodeLog | undefined> {
    return readNodeLog(this.#database, executionId, logId);
  }

  async lastSequence(executionId: string): Promise<number> {
    const row = await this.#database.get(
      'SELECT coalesce(max(sequence), 0) AS sequence FROM node_logs WHERE execution_id = ?',
      executionId,
    );
    return row ? integer(row, 'sequence') : 0;
  }
}
