// A file system for input documents: saved as drafts, which survive a restart.
import * as vscode from 'vscode';
import type { InputDrafts } from '../../model/inputs/inputDrafts.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { showMessage } from '../../editor/prompts.ts';
import type { Files } from '../../editor/lazySurfaces.ts';
import { toUserError } from '../../ui/words/describeError.ts';
import { inputTarget } from '../../ui/addresses.ts';

interface Stamp {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/** defaultText: the text of a document without a draft. */
export class InputFiles implements Files {
  readonly #drafts: InputDrafts;
  readonly #defaultText: (target: WorkflowTarget) => Promise<string>;
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #stamps = new Map<string, Stamp>();
  #isMaskedSaid = false;
  readonly onDidChangeFile = this.#changes.event;

  constructor(drafts: InputDrafts, defaultText: (target: WorkflowTarget) => Promise<string>) {
    this.#drafts = drafts;
    this.#defaultText = defaultText;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, mtime } = await this.#read(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.byteLength };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(uri)).bytes;
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const stored = await this.#drafts.save(requireTarget(uri), new TextDecoder().decode(content));
    this.#stamps.set(uri.toString(), { bytes: content, mtime: Date.now() });
    this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    if (stored === 'keysMasked') this.#sayMasked();
  }

  dispose(): void {
    this.#changes.dispose();
    this.#stamps.clear();
  }

  /** Shows the message once per window. */
  #sayMasked(): void {
    if (this.#isMaskedSaid) return;
    this.#isMaskedSaid = true;
    void showMessage(
      'information',
      vscode.l10n.t(
        "The API key in this input isn't stored. It's here as long as this window; after that its place holds the first characters only.",
      ),
    );
  }

  async #startingText(target: WorkflowTarget): Promise<string> {
    try {
      return await this.#defaultText(target);
    } catch (error) {
      throw toUserError(error);
    }
  }

  /** Changes mtime only if the content has changed, because the editor would report false conflicts otherwise. */
  async #read(uri: vscode.Uri): Promise<Stamp> {
    const target = requireTarget(uri);
    const text = this.#drafts.read(target) ?? (await this.#startingText(target));
    const bytes = new TextEncoder().encode(text);
    const known = this.#stamps.get(uri.toString());
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known;
    const stamp = { bytes, mtime: Date.now() };
    this.#stamps.set(uri.toString(), stamp);
    return stamp;
  }
}

function requireTarget(uri: vscode.Uri): WorkflowTarget {
  const target = inputTarget(uri);
  if (target === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return target;
}
