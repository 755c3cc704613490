// A file system for pins: reading a file gives the pinned value as JSON, saving it pins another value. One that's begun pins with its first save.
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.ts';
import { type JsonValue, readJson, stringifyJson } from '../../../base/json.ts';
import { maximumJsonDepth } from '../../../base/jsonScan.ts';
import type { Files } from '../../../editor/lazySurfaces.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { Pin } from '../../../model/pins/pins.ts';
import { pinAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pinValue } from '../../../ui/pinning.ts';

interface Stamp {
  readonly uri: vscode.Uri;
  /** Undefined for one that's begun: nothing is pinned yet. */
  readonly pin: Pin | undefined;
  readonly mtime: number;
}

type PinFilesDeps = Pick<App, 'clock' | 'pins'>;

export class PinFiles implements Files {
  readonly #deps: PinFilesDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** Of the files that were read, by URI. */
  readonly #stamps = new Map<string, Stamp>();
  /** The files without a pin that a person is about to write, by URI. */
  readonly #begun = new Set<string>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(deps: PinFilesDeps) {
    this.#deps = deps;
    this.#owned.add(deps.pins.onDidChange(() => this.#announce()));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#begun.delete(uri.toString())));
  }

  /** Gives the file null to write over, until it's saved or closed: who only looks pins nothing. */
  begin(uri: vscode.Uri): void {
    this.#begun.add(uri.toString());
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, mtime } = this.#read(uri);
    return Promise.resolve({ type: vscode.FileType.File, ctime: 0, mtime, size: bytes.byteLength });
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Promise.resolve(this.#read(uri).bytes);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { target, nodeId } = requireAddress(uri);
    await pinValue(this.#deps.pins, target, nodeId, parsePin(new TextDecoder().decode(content)));
  }

  dispose(): void {
    this.#owned.dispose();
    this.#stamps.clear();
  }

  #announce(): void {
    const changed = [...this.#stamps].flatMap(([name, { uri, pin: before }]) => {
      const pin = this.#find(uri);
      if (pin === before) return [];
      const { Changed, Deleted } = vscode.FileChangeType;
      if (pin === undefined) this.#stamps.delete(name);
      return [{ type: pin === undefined ? Deleted : Changed, uri }];
    });
    if (changed.length > 0) this.#changes.fire(changed);
  }

  #find(uri: vscode.Uri): Pin | undefined {
    const { target, nodeId } = requireAddress(uri);
    return this.#deps.pins.find(target, nodeId);
  }

  /** mtime changes only with the pin, because the editor would report false conflicts otherwise. */
  #read(uri: vscode.Uri): { readonly bytes: Uint8Array; readonly mtime: number } {
    const pin = this.#find(uri);
    const name = uri.toString();
    if (pin === undefined && !this.#begun.has(name)) throw vscode.FileSystemError.FileNotFound(uri);
    if (pin !== undefined) this.#begun.delete(name);
    const known = this.#stamps.get(name);
    const stamp =
      known !== undefined && known.pin === pin ? known : { uri, pin, mtime: this.#deps.clock.now() };
    this.#stamps.set(name, stamp);
    const bytes = new TextEncoder().encode(`${stringifyJson(pin?.value ?? null, 2)}\n`);
    return { bytes, mtime: stamp.mtime };
  }
}

function requireAddress(uri: vscode.Uri) {
  const address = pinAddress(uri);
  if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return address;
}

function parsePin(text: string): JsonValue {
  const reading = readJson(text);
  switch (reading.kind) {
    case 'value':
      return reading.value;
    case 'notJson':
      throw new PlainError(
        vscode.l10n.t("The pin isn't valid JSON. Not saved: fix the errors in the document."),
      );
    case 'tooDeep':
      throw new PlainError(
        vscode.l10n.t(
          "The pin isn't saved: its value is nested more than {0} levels deep.",
          maximumJsonDepth,
        ),
      );
  }
}
