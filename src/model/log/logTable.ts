import type { Disposable } from '../../base/disposable.ts';
import { stringifyJson } from '../../base/json.ts';
import type { Columns } from '../../base/sqlite.ts';
import { KeyMask } from '../../base/masking.ts';
import { foldText } from '../../domain/findText.ts';
import type { LogFilter, LogLine } from '../../domain/logEntry.ts';
import { logLevels, type NodeLog, type ValueName, valueNames } from '../../domain/nodeLog.ts';
import type { OwnedRow } from '../runs/nodeRuns.ts';
import { forgottenValue } from '../runs/rowSizes.ts';
import { isKept, readRow, type RowText, writeRow, writeRows } from './rowText.ts';
import type { RowStore } from './rowStore.ts';

/** A filter, or the rows of one node run. */
export type LogSelection = Partial<LogFilter> & { readonly runId?: number };

/** Where a row is, and whether it only says that its node run has started. */
export type FoundPosition = Pick<LogLine, 'position' | 'isBareStart'>;

/** How many of the first and of the last rows of a node run are its logs, each. */
const logsOfRun = 100;
/** Rows without a number come after the last one, each by so much. Enough for a million of them between two numbered ones. */
const leastStep = 2 ** -20;
/** Bits of a row. */
const rowFlags = {
  isBareStart: 1,
  hasMaskedKeys: 2,
  hasMore: 4,
  input: 8,
  output: 16,
  exchange: 32,
} as const;
const valueFlags = rowFlags.input | rowFlags.output | rowFlags.exchange;

/** Leaves out a row that only says that its node run has started once the run says more, so that a short one is one line. */
const isShown = `(flags & ${rowFlags.isBareStart} = 0 OR (run IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM rows AS later WHERE later.run = rows.run AND later.position > rows.position)))`;

const columns = 'id, place, run, key, node, level, flags, line, json';

/** A row as it was read back, with placeholders for its values. It's decoded when somebody asks for it. */
export class StoredRow implements OwnedRow {
  readonly id: number;
  readonly place: number;
  readonly runId: number | null;
  readonly text: Omit<RowText, 'hasMaskedKeys'>;
  /** See rowFlags. */
  readonly flags: number;
  #row: NodeLog | undefined;

  constructor(columns: Columns) {
    const { id, place, run, flags } = columns;
    this.id = Number(id);
    this.place = Number(place);
    this.runId = run === null ? null : Number(run);
    this.text = toText(columns);
    this.flags = Number(flags);
  }

  get hasValues(): boolean {
    return (this.flags & valueFlags) !== 0;
  }

  get row(): NodeLog {
    return (this.#row ??= this.#read());
  }

  #read(): NodeLog {
    const row = readRow(this.text);
    if (!this.hasValues) return row;
    const placeholderOf = (name: ValueName) =>
      (this.flags & rowFlags[name]) === 0 ? undefined : forgottenValue;
    return {
      ...row,
      input: placeholderOf('input'),
      output: placeholderOf('output'),
      exchange: placeholderOf('exchange'),
    };
  }
}

function toText({ key, node, level, line, json }: Columns): Omit<RowText, 'hasMaskedKeys'> {
  return {
    key: String(key),
    nodeId: String(node),
    level: Number(level),
    line: String(line),
    json: String(json),
  };
}

const toStored = (columns: Columns): StoredRow => new StoredRow(columns);

function toLine({ position, line, run, flags }: Columns): LogLine {
  const runId = run === null ? null : Number(run);
  return { position: Number(position), text: String(line), runId, ...readFlags(Number(flags)) };
}

function readFlags(flags: number): Pick<LogLine, 'hasMaskedKeys' | 'isBareStart'> {
  return {
    hasMaskedKeys: (flags & rowFlags.hasMaskedKeys) !== 0,
    isBareStart: (flags & rowFlags.isBareStart) !== 0,
  };
}

/**
 * The rows of one log, each key once, ordered by sequence; rows without a sequence come after those that were there. Rows of the beginning may
 * be gone, see RowStore. All reads are synchronous and as long as what they return: whoever reads much takes it in steps.
 */
export class LogTable implements Disposable {
  readonly #store: RowStore;
  readonly #log: number;
  #count = 0;
  #lastPlace = 0;
  #keyPrefix = '';
  #revision = 0;

  constructor(store: RowStore) {
    this.#store = store;
    this.#log = store.nextLogId();
  }

  /** How many rows were added, those that are gone included. */
  get count(): number {
    return this.#count;
  }

  /** Changes with everything but rows that come at the end. */
  get revision(): number {
    return this.#revision;
  }

  /** How many rows of the beginning are gone. */
  get goneRows(): number {
    if (this.#count === 0) return 0;
    const first = this.#store.get('SELECT min(position) AS first FROM rows WHERE log = ?', this.#log);
    return Number(first?.['first'] ?? this.#count);
  }

  /** Rows before this place that aren't there are gone. */
  get firstPlace(): number {
    if (this.goneRows === 0) return -Infinity;
    const sql = 'SELECT place FROM rows WHERE log = ? ORDER BY position LIMIT 1';
    return Number(this.#store.get(sql, this.#log)?.['place'] ?? this.#lastPlace + leastStep);
  }

  /** The place of a row that comes now. `after`: the highest place of the rows that come with it. */
  placeOf({ sequence }: NodeLog, after: number): number {
    return sequence ?? Math.max(after, this.#lastPlace) + leastStep;
  }

  nextRowId(): number {
    return this.#store.nextRowId();
  }

  nextRunId(): number {
    return this.#store.nextRunId();
  }

  /**
   * Returns the rows as they are to be added: one of whose key an API key is a part is known by what is left of it, and one whose key isn't
   * well-formed Unicode by its JSON. Call it for a whole batch.
   */
  prepare(rows: readonly NodeLog[]): readonly NodeLog[] {
    this.#keyPrefix = this.#store.keyPrefix;
    const mask = new KeyMask(this.#keyPrefix);
    const keys = rows.map(({ key }) => key).join('\n');
    mask.hide(keys);
    if (!mask.hasMasked && isKept(keys)) return rows;
    return rows.map((row) => {
      const key = mask.hide(row.key);
      return { ...row, key: isKept(key) ? key : stringifyJson(key) };
    });
  }

  /** Returns the rows with these keys that are there, by key. */
  find(keys: readonly string[]): ReadonlyMap<string, StoredRow> {
    const found = this.#store.all(
      `SELECT ${columns} FROM rows WHERE log = ? AND key IN (SELECT value FROM json_each(?))`,
      ...[this.#log, stringifyJson(keys)],
    );
    return new Map(found.map(toStored).map((row) => [row.text.key, row]));
  }

  /** True if the row is the one that's there, with the same values or with others. */
  isSame({ text, flags }: StoredRow, row: NodeLog): boolean {
    const { nodeId, level, line, json, hasMaskedKeys } = this.#write(row);
    return (
      text.nodeId === nodeId &&
      text.level === level &&
      text.line === line &&
      text.json === json &&
      flags === this.#flagsOf(row, hasMaskedKeys)
    );
  }

  /** Adds rows with new keys and ids, in the order of their places. Returns their lines; their positions move if rows come before them later. */
  add(rows: readonly OwnedRow[]): readonly LogLine[] {
    const texts = writeRows(
      rows.map(({ row }) => row),
      this.#store.lines,
      this.#keyPrefix,
    );
    const count = this.#count;
    let lines: LogLine[] = [];
    this.#store.write(() => {
      lines = [];
      let lateFrom = Infinity;
      for (const [at, { id, place, row, runId }] of rows.entries()) {
        const text = texts[at];
        if (text === undefined) continue;
        const isLate = count > 0 && place < this.#lastPlace;
        const position = isLate ? this.#positionAfter(place, count) : count + at;
        if (isLate) lateFrom = Math.min(lateFrom, position);
        const flags = this.#flagsOf(row, text.hasMaskedKeys);
        this.#store.run(
          'INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          ...[
            id,
            this.#log,
            position,
            place,
            text.key,
            runId,
            text.nodeId,
            text.level,
            flags,
            text.line,
            text.json,
          ],
        );
        lines.push({ position, text: text.line, runId, ...readFlags(flags) });
      }
      if (lateFrom < Infinity) this.#number(lateFrom);
    });
    if (rows.some(({ place }) => count > 0 && place < this.#lastPlace)) this.#revision += 1;
    this.#count += rows.length;
    this.#lastPlace = Math.max(this.#lastPlace, rows.at(-1)?.place ?? 0);
    return lines;
  }

  /** Puts another row in the place of one. */
  replace({ id, runId }: Pick<OwnedRow, 'id' | 'runId'>, row: NodeLog): void {
    const { line, json, nodeId, level, hasMaskedKeys } = this.#write(row);
    this.#revision += 1;
    const values = [runId, nodeId, level, this.#flagsOf(row, hasMaskedKeys), line, json, id];
    this.#store.write(() =>
      this.#store.run(
        'UPDATE rows SET run = ?, node = ?, level = ?, flags = ?, line = ?, json = ? WHERE id = ?',
        ...values,
      ),
    );
  }

  /** Gives rows to other node runs. */
  move(rows: readonly Pick<OwnedRow, 'id' | 'runId'>[]): void {
    if (rows.length === 0) return;
    this.#store.write(() => {
      for (const { id, runId } of rows) this.#store.run('UPDATE rows SET run = ? WHERE id = ?', runId, id);
    });
  }

  /** All rows of these node runs, in order. */
  ofRuns(runIds: readonly number[]): readonly OwnedRow[] {
    return this.#store
      .all(
        `SELECT ${columns} FROM rows WHERE run IN (SELECT value FROM json_each(?)) ORDER BY place, id`,
        stringifyJson(runIds),
      )
      .map(toStored);
  }

  /** The keys of the rows of these node runs that have values. */
  keysWithValues(runIds: readonly number[]): readonly string[] {
    return this.#store
      .all(
        `SELECT key FROM rows WHERE run IN (SELECT value FROM json_each(?)) AND flags & ${valueFlags} <> 0`,
        stringifyJson(runIds),
      )
      .map(({ key }) => String(key));
  }

  /** The first and the last rows of a node run, in order; all of them if there are few. `count`: how many it has. */
  logsOf(runId: number, count: number): readonly NodeLog[] {
    const read = (order: 'ASC' | 'DESC', limit: number) =>
      this.#store
        .all(`SELECT ${columns} FROM rows WHERE run = ? ORDER BY position ${order} LIMIT ?`, runId, limit)
        .map((record) => toStored(record).row);
    const last = Math.min(logsOfRun, Math.max(0, count - logsOfRun));
    return [...read('ASC', logsOfRun), ...read('DESC', last).reverse()];
  }

  /** The rows from one position up to another that are selected and shown. */
  lines(from: number, to: number, selection: LogSelection = {}): readonly LogLine[] {
    return this.#select('position, line, run, flags', from, to, selection).map(toLine);
  }

  /** The last rows that are selected and shown, in order. */
  lastLines(count: number, selection: LogSelection): readonly LogLine[] {
    const last = this.#select('position, line, run, flags', 0, this.#count, selection, count);
    return last.map(toLine).reverse();
  }

  /** The rows at these positions, if they are shown. */
  linesAt(positions: readonly number[]): readonly LogLine[] {
    return this.#store
      .all(
        `SELECT position, line, run, flags FROM rows
         WHERE log = ? AND position IN (SELECT value FROM json_each(?)) AND ${isShown} ORDER BY position`,
        ...[this.#log, stringifyJson(positions)],
      )
      .map(toLine);
  }

  /** The positions of these rows alone, and whether each may be hidden by a later row. */
  positions(from: number, to: number, selection: LogSelection): readonly FoundPosition[] {
    return this.#select('position, flags', from, to, selection).map(({ position, flags }) => ({
      position: Number(position),
      isBareStart: readFlags(Number(flags)).isBareStart,
    }));
  }

  /** The rows from one position up to another with their whole messages, as they are saved. */
  wholeLines(from: number, to: number): readonly LogLine[] {
    const { renderWhole } = this.#store.lines;
    return this.#select(`position, flags, ${columns}`, from, to, {}).map((record) => {
      const line = toLine(record);
      if ((Number(record['flags']) & rowFlags.hasMore) === 0) return line;
      return { ...line, text: renderWhole(readRow(toText(record))) };
    });
  }

  /** The last rows, in order. */
  lastRows(count: number): readonly NodeLog[] {
    const from = Math.max(0, this.#count - count);
    return this.#store
      .all(`SELECT ${columns} FROM rows WHERE log = ? AND position >= ? ORDER BY position`, this.#log, from)
      .map((record) => toStored(record).row);
  }

  dispose(): void {
    void this.#store.delete(this.#log);
  }

  /** last: selects so many of the last ones alone, from the end. */
  #select(
    wanted: string,
    from: number,
    to: number,
    { level, nodeId, text, runId }: LogSelection,
    last?: number,
  ) {
    const lowest = level ? logLevels.indexOf(level) : 0;
    const filters = (
      [
        ['level >= ?', lowest > 0 ? lowest : null],
        ['node = ?', nodeId],
        ['run = ?', runId],
        ['contains(line, ?)', text ? foldText(text) : null],
      ] as const
    ).flatMap(([condition, value]) => (value === undefined || value === null ? [] : { condition, value }));
    const conditions = [...filters.map(({ condition }) => condition), isShown];
    return this.#store.all(
      `SELECT ${wanted} FROM rows WHERE log = ? AND position >= ? AND position < ? AND ${conditions.join(' AND ')}
       ORDER BY position ${last === undefined ? '' : 'DESC LIMIT ?'}`,
      ...[this.#log, from, to, ...filters.map(({ value }) => value), ...(last === undefined ? [] : [last])],
    );
  }

  #write(row: NodeLog): RowText {
    return writeRow(row, this.#store.lines, this.#keyPrefix);
  }

  #flagsOf(row: NodeLog, hasMaskedKeys: boolean): number {
    const { isBareStart, render, renderWhole } = this.#store.lines;
    const hasMore = row.message.length > longMessage && render(row) !== renderWhole(row);
    return (
      (isBareStart(row) ? rowFlags.isBareStart : 0) |
      (hasMaskedKeys ? rowFlags.hasMaskedKeys : 0) |
      (hasMore ? rowFlags.hasMore : 0) |
      valueNames.reduce((flags, name) => flags | (row[name] === undefined ? 0 : rowFlags[name]), 0)
    );
  }

  /** The position of the first row after a place; `count`: how many rows are numbered. */
  #positionAfter(place: number, count: number): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const record = this.#store.get(
        'SELECT place FROM rows WHERE log = ? AND position = ? ORDER BY id LIMIT 1',
        ...[this.#log, middle],
      );
      // A row that's gone came before.
      if (record === undefined || Number(record['place']) <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Numbers the rows from a position on anew, in the order of their places. */
  #number(from: number): void {
    this.#store.run(
      `UPDATE rows SET position = at FROM (
         SELECT id AS numbered, ? - 1 + row_number() OVER (ORDER BY place, id) AS at
         FROM rows WHERE log = ? AND position >= ?
       ) WHERE id = numbered`,
      ...[from, this.#log, from],
    );
  }
}

/** Shorter messages are shown whole. */
const longMessage = 1000;
