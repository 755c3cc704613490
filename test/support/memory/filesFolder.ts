import type { FilesFolder } from '../../../src/workflowFiles/ports.ts';

/** The process ended, as far as the folder knows. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** A folder that counts what changes in it, and may end the process before or after any of that. */
export class MemoryFolder implements FilesFolder {
  readonly files: Map<string, string>;
  changes = 0;
  /** The number of the change that is the last one. */
  killedAt = Infinity;

  constructor(files: Iterable<readonly [path: string, text: string]> = []) {
    this.files = new Map(files);
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.files.keys()].filter((path) => !path.includes('/')));
  }

  read(path: string): Promise<string | undefined> {
    return Promise.resolve(this.files.get(path));
  }

  write(path: string, text: string): Promise<void> {
    return this.#change(() => this.files.set(path, text));
  }

  remove(path: string): Promise<void> {
    return this.#change(() => this.files.delete(path));
  }

  async #change(change: () => unknown): Promise<void> {
    this.changes += 1;
    if (this.changes > this.killedAt) throw new Killed('The process has ended.');
    change();
    return Promise.resolve();
  }
}
