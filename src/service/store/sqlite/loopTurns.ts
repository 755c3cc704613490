// The results of a loop's turns while it runs; after its end they're in the loop's output.
import type { LoopProgress, NodeTurn } from '../nodeRuns.ts';
import type { SqliteDatabase } from './database.ts';
import { keepValue, readValue } from './payloads.ts';
import { integer } from './rows.ts';

const ofLoop = 'execution_id = ? AND node_id = ? AND iteration = ?';

/** Stores a turn's result and counts it, within the current transaction. */
export function keepLoopResult(
  database: SqliteDatabase,
  loop: NodeTurn,
  index: number,
  result: string,
): void {
  database.run(
    `INSERT INTO loop_turns (execution_id, node_id, iteration, turn, result) VALUES (?, ?, ?, ?, ?)`,
    ...keyOf(loop),
    index,
    keepValue(database, loop.executionId, result),
  );
  database.run(
    `UPDATE node_runs SET turns = ?, results_size = results_size + ? WHERE ${ofLoop}`,
    index + 1,
    result.length,
    ...keyOf(loop),
  );
}

export function readLoopProgress(database: SqliteDatabase, loop: NodeTurn): LoopProgress {
  const row = database.get(`SELECT turns, results_size FROM node_runs WHERE ${ofLoop}`, ...keyOf(loop));
  return row ? { turns: integer(row, 'turns'), size: integer(row, 'results_size') } : { turns: 0, size: 0 };
}

/** Returns the results in order as a JSON list. */
export function readLoopResults(database: SqliteDatabase, loop: NodeTurn): string {
  const rows = database.all(`SELECT result FROM loop_turns WHERE ${ofLoop} ORDER BY turn`, ...keyOf(loop));
  const results = rows.map((row) => readValue(database, loop.executionId, row, 'result'));
  return `[${results.join(',')}]`;
}

/** Deletes the rows within the current transaction; payloads of large results stay for the node logs that show them. */
export function forgetLoopResults(database: SqliteDatabase, loop: NodeTurn): void {
  database.run(`DELETE FROM loop_turns WHERE ${ofLoop}`, ...keyOf(loop));
}

function keyOf(loop: NodeTurn): [string, string, string] {
  return [loop.executionId, loop.nodeId, JSON.stringify(loop.iteration)];
}
