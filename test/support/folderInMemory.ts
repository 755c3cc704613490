// A workspace folder in memory, on a file system of its own: what is read of it is noted, and what is written is told.
import { URI, Utils } from 'vscode-uri';
import { Emitter } from '../../src/base/event.ts';

type NotFound = (uri: URI) => Error;

export class FolderInMemory {
  readonly uri = URI.from({ scheme: 'memory', path: '/workspace' });
  readonly #notFound: NotFound;
  readonly #files = new Map<string, string | Uint8Array>();
  readonly #created = new Emitter<URI>();
  readonly #changed = new Emitter<URI>();
  readonly #deleted = new Emitter<URI>();
  readonly #trusted = new Emitter<undefined>();
  readonly onDidGrantTrust = this.#trusted.event;
  readonly #renamed = new Emitter<{ readonly files: readonly { oldUri: URI; newUri: URI }[] }>();
  readonly onDidRename = this.#renamed.event;
  /** The paths of the files that were read. */
  readonly reads: string[] = [];
  #held: Promise<undefined> | undefined;
  isOpen = false;
  isTrusted = true;

  constructor(notFound: NotFound) {
    this.#notFound = notFound;
  }

  /** Begins with no file. */
  open({ isTrusted }: { readonly isTrusted: boolean }): void {
    this.#files.clear();
    this.reads.length = 0;
    this.isOpen = true;
    this.isTrusted = isTrusted;
  }

  close(): void {
    this.isOpen = false;
    this.isTrusted = true;
  }

  trust(): void {
    this.isTrusted = true;
    this.#trusted.fire(undefined);
  }

  /** The next read ends when the returned function is called, with the text that is there when it begins. */
  holdNextRead(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#held = promise;
    return () => resolve(undefined);
  }

  fileAt(path: string): URI {
    return Utils.joinPath(this.uri, path);
  }

  write(path: string, text: string | Uint8Array): void {
    this.#write(this.fileAt(path), text);
  }

  #write(uri: URI, text: string | Uint8Array): void {
    const isThere = this.#files.has(uri.path);
    this.#files.set(uri.path, text);
    (isThere ? this.#changed : this.#created).fire(uri);
  }

  /** As a person does in the Explorer. */
  rename(from: string, to: string): void {
    const [oldUri, newUri] = [this.fileAt(from), this.fileAt(to)];
    this.#move(oldUri, newUri);
    this.#renamed.fire({ files: [{ oldUri, newUri }] });
  }

  #move(from: URI, to: URI): void {
    const text = this.#files.get(from.path) ?? '';
    this.#files.delete(from.path);
    this.#deleted.fire(from);
    this.#write(to, text);
  }

  /** A file or a folder. Only its own end is told. */
  delete(path: string): void {
    const uri = this.fileAt(path);
    for (const name of this.#files.keys())
      if (name === uri.path || name.startsWith(`${uri.path}/`)) this.#files.delete(name);
    this.#deleted.fire(uri);
  }

  readonly fileSystem = {
    isWritableFileSystem: () => true,
    stat: (uri: URI) => {
      const text = this.#files.get(uri.path);
      return text === undefined
        ? Promise.reject(this.#notFound(uri))
        : Promise.resolve({ size: Buffer.byteLength(text) });
    },
    readFile: async (uri: URI) => {
      this.reads.push(uri.path);
      const text = this.#files.get(uri.path) ?? '';
      const held = this.#held;
      this.#held = undefined;
      await held;
      return Buffer.from(text);
    },
    writeFile: (uri: URI, bytes: Uint8Array) => {
      this.#write(uri, new TextDecoder().decode(bytes));
      return Promise.resolve();
    },
    rename: (from: URI, to: URI) => {
      this.#move(from, to);
      return Promise.resolve();
    },
    readDirectory: ({ path: folder }: URI) => {
      const inside = [...this.#files.keys()].filter((path) => path.startsWith(`${folder}/`));
      const entries = inside.map((path) => path.slice(folder.length + 1).split('/'));
      const types = entries.map(([name, ...others]) => [name, others.length === 0 ? 1 : 2] as const);
      return Promise.resolve([...new Map(types)]);
    },
  };

  readonly watch = (pattern: string, ignoresCreations = false) => {
    const isWatched = ({ path }: URI) => path.endsWith(pattern.replace('**/*', '').replace('**', ''));
    const on = (emitter: Emitter<URI>) => (listener: (uri: URI) => void) =>
      emitter.event((uri) => {
        if (isWatched(uri)) listener(uri);
      });
    const never = () => ({ dispose: () => undefined });
    return {
      onDidCreate: ignoresCreations ? never : on(this.#created),
      onDidChange: ignoresCreations ? never : on(this.#changed),
      onDidDelete: on(this.#deleted),
      dispose: () => undefined,
    };
  };
}
