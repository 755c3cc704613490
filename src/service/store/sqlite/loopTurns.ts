// What the turns of a loop gave, kept one by one while it runs; its output holds them all when it has ended.
import type { LoopProgress, NodeTurn } from '../nodeRuns.ts';
import type { SqliteDatabase } from './database.ts';
import { keepValue, readValue } from './payloads.ts';
import { integer } from './rows.ts';

const ofLoop = 'execution_id = ? AND node_id = ? AND iteration = ?';

/** Keeps a turn's result and counts it, within the transaction under way. */
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

/** The results in order, as one JSON list. */
export function readLoopResults(database: SqliteDatabase, loop: NodeTurn): string {
  const rows = database.all(`SELECT result FROM loop_turns WHERE ${ofLoop} ORDER BY turn`, ...keyOf(loop));
  const results = rows.map((row) => readValue(database, loop.executionId, row, 'result'));
  return `[${results.join(',')}]`;
}

/** Removes the rows, within the transaction under way; large results stay as long as a log shows them. */
export function forgetLoopResults(database: SqliteDatabase, loop: NodeTurn): void {
  database.run(`DELETE FROM loop_turns WHERE ${ofLoop}`, ...keyOf(loop));
}

function keyOf(loop: NodeTurn): [string, string, string] {
  return [loop.executionId, loop.nodeId, JSON.stringify(loop.iteration)];
}
