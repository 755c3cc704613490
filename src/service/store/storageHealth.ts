import { isDamage, type StorageProblem } from './storageError.ts';

/** Problems of writes alone: stored data can be read. */
const ofWrites = new Set<unknown>(['full', 'readOnly', 'notWritable']);

/** Returns true when reads still work despite the problem. */
export function allowsReads(problem: StorageProblem | undefined): boolean {
  return problem === undefined || problem === 'busy' || ofWrites.has(problem);
}

/** Returns true when the problem is one of writes alone. */
export function isOfWrites(problem: StorageProblem | undefined): boolean {
  return ofWrites.has(problem);
}

/** Returns true for SQL that stores new rows: a full disk still takes changes of existing rows. */
export function addsRows(sql: string): boolean {
  return /^\s*INSERT\b/.test(sql);
}

/** Keeps the problems that the last reads and writes of a database had, so that the health check reports what the next ones will have. */
export class StorageHealth {
  readonly #onDamage: (() => void) | undefined;
  #ofReads: StorageProblem | undefined;
  #ofWrites: StorageProblem | undefined;

  /** `onDamage` is called at each failure that shows that the data is damaged. */
  constructor(onDamage?: () => void) {
    this.#onDamage = onDamage;
  }

  /** The problem that concerns the most requests; undefined when reads and writes work. */
  get problem(): StorageProblem | undefined {
    return this.#ofReads ?? this.#ofWrites;
  }

  /** Records that a read or a write failed; undefined, when the database isn't the reason, changes nothing. */
  noteFailure(kind: 'read' | 'write', problem: StorageProblem | undefined): void {
    if (problem === undefined) return;
    if (!allowsReads(problem)) this.#ofReads = problem;
    else if (kind === 'write' || isOfWrites(problem)) this.#ofWrites = problem;
    if (isDamage(problem)) this.#onDamage?.();
  }

  noteRead(): void {
    this.#ofReads = undefined;
  }

  /** Records that new rows were stored. */
  noteNewRows(): void {
    this.#ofWrites = undefined;
  }

  /** Records that the database responds, and whether it takes writes. */
  noteResponse(isReadOnly: boolean): void {
    if (this.#ofReads === 'unreachable') this.#ofReads = undefined;
    if (isReadOnly) this.#ofWrites = 'readOnly';
    else if (this.#ofWrites === 'readOnly') this.#ofWrites = undefined;
  }
}
