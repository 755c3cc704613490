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
import { readLastSequence, readNodeLog, readNodeLogs } from './nodeLogs.ts';

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

  lastSequence(executionId: string): Promise<number> {
    return readLastSequence(this.#database, executionId);
  }
}
