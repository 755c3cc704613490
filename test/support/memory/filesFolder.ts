import type { HttpPort } from '../../../src/api/http/httpPort.ts';
import { type Disposable, toDisposable } from '../../../src/base/disposable.ts';
import type { FilesFolder } from '../../../src/workflowFiles/ports.ts';

/** The process has ended. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** A process that ends at a moment: before or after something that others see, which is a request or a change of the folder. */
export class Life {
  readonly #end = new AbortController();
  readonly signal = this.#end.signal;
  #left: number;
  #passed = 0;

  /** moments: how many it lives for. */
  constructor(moments = Infinity) {
    this.#left = moments;
  }

  /** The moments that it has lived for. */
  get passed(): number {
    return this.#passed;
  }

  get hasEnded(): boolean {
    return this.signal.aborted;
  }

  /** Does it, unless the process has ended, or ends before or after it. */
  async during<T>(work: () => T | Promise<T>): Promise<T> {
    this.#pass();
    const result = await work();
    this.#pass();
    return result;
  }

  /** A network as this process has it. */
  through(port: HttpPort): HttpPort {
    return (url, request) => this.during(() => port(url, request));
  }

  #pass(): void {
    if (this.#left <= 0) this.#end.abort(new Killed('The process has ended.'));
    this.signal.throwIfAborted();
    this.#left -= 1;
    this.#passed += 1;
  }
}

/** Files that outlive the process that works with them. */
export class MemoryFolder implements FilesFolder {
  files: Map<string, string>;
  readonly life: Life;

  constructor(files: Iterable<readonly [path: string, text: string]> = [], life = new Life()) {
    this.files = new Map(files);
    this.life = life;
  }

  /** The same files in another process. */
  of(life: Life): MemoryFolder {
    const folder = new MemoryFolder([], life);
    folder.files = this.files;
    return folder;
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.files.keys()].filter((path) => !path.includes('/')));
  }

  listBelow(): Promise<readonly string[]> {
    const paths = [...this.files.keys()];
    return Promise.resolve(paths.filter((path) => /^[^.].*\/.*\.workflow\.json$/.test(path)));
  }

  read(path: string): Promise<string | undefined> {
    return Promise.resolve(this.files.get(path));
  }

  async write(path: string, text: string): Promise<void> {
    await this.life.during(() => this.files.set(path, text));
  }

  lock(): Promise<Disposable> {
    return Promise.resolve(toDisposable(() => undefined));
  }

  async remove(path: string): Promise<void> {
    await this.life.during(() => this.files.delete(path));
  }
}
