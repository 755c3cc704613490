// A file system for pins: reading a file gives the pinned value or the answers as JSON, saving it pins another value. One that's begun pins with
// its first save.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.ts';
import { type JsonValue, readJson, stringifyJson } from '../../../base/json.ts';
import { maximumJsonDepth } from '../../../base/jsonScan.ts';
import { targetName, type WorkflowTarget } from '../../../domain/targets.ts';
import { fileStat, FileStamps } from '../../../editor/documents/fileStamps.ts';
import { readSaved } from '../../../editor/documents/utf8Text.ts';
import type { Files } from '../../../editor/lazy/lazySurfaces.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { type Pin, type PinKind, pinKinds } from '../../../model/pins/pins.ts';
import { HttpAnswers } from '../../../protocol/httpAnswers.ts';
import {
  type NodeAddress,
  type PinAddress,
  pinAddress,
  pinEndings,
  requireAddress,
  withNode,
} from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pinValue } from '../../../ui/pinning.ts';

/** A node that has got another id, while its document is on the way to the address that goes with it. */
interface Move {
  readonly target: WorkflowTarget;
  readonly from: string;
  readonly to: string;
}

type PinFilesDeps = Pick<App, 'clock' | 'pins'>;

export class PinFiles implements Files {
  readonly #deps: PinFilesDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** Undefined for one that's begun: nothing is pinned yet. */
  readonly #stamps: FileStamps<Pin | undefined>;
  /** The files without a pin that a person is about to write, by URI. */
  readonly #begun = new Set<string>();
  #moving: Move | undefined;
  /** The last of the moves, which go one after the other. */
  #lastMove: Promise<void> | undefined;
  readonly onDidChangeFile = this.#changes.event;

  constructor(deps: PinFilesDeps) {
    this.#deps = deps;
    this.#stamps = new FileStamps(deps.clock);
    this.#owned.add(deps.pins.onDidChange(() => this.#announce()));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#begun.delete(uri.toString())));
  }

  /** Gives the file something to write over, until it's saved or closed: who only looks pins nothing. */
  begin(uri: vscode.Uri): void {
    this.#begun.add(uri.toString());
  }

  /** True while the pin of one of the workflow's nodes is open. */
  isOpen(target: WorkflowTarget): boolean {
    return openPins(target).length > 0;
  }

  /** Gives a node's pin to the node's other id. Its document goes with it, with what was typed there. */
  move(target: WorkflowTarget, from: string, to: string): Promise<void> {
    const before = this.#lastMove;
    if (before === undefined && openPins(target, from).length === 0)
      return this.#deps.pins.move(target, from, to);
    const now = Promise.resolve(before)
      .catch(() => undefined)
      .then(() => this.#move({ target, from, to }))
      .finally(() => {
        if (this.#lastMove === now) this.#lastMove = undefined;
      });
    this.#lastMove = now;
    return now;
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    if (!this.#isMoving(from, to)) throw vscode.FileSystemError.NoPermissions(from);
    this.#stamps.delete(from);
    if (this.#begun.delete(from.toString())) this.#begun.add(to.toString());
  }

  /** The pins have changed places already. */
  delete(uri: vscode.Uri): void {
    if (!this.#isMoving(undefined, uri)) throw vscode.FileSystemError.NoPermissions(uri);
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    // The editor asks for the folder that it moves a file to, with the file's query.
    if (!pinKinds.some((kind) => uri.path.endsWith(pinEndings[kind])))
      return Promise.resolve({ type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 });
    const { bytes, stamp } = this.#read(uri);
    return Promise.resolve(fileStat(stamp, bytes.byteLength));
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Promise.resolve(this.#read(uri).bytes);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { target, nodeId, kind } = this.#addressOf(uri);
    const value = parsePin(readSaved(content));
    if (kind === 'answers') refuseOther(value);
    await pinValue(this.#deps.pins, target, nodeId, value, kind);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#stamps.clear();
  }

  #announce(): void {
    const changed = this.#stamps.listChanges((uri) => this.#find(uri));
    for (const { type, uri } of changed) if (type === vscode.FileChangeType.Deleted) this.#stamps.delete(uri);
    if (changed.length > 0) this.#changes.fire(changed);
  }

  #find(uri: vscode.Uri): Pin | undefined {
    const { target, nodeId, kind } = this.#addressOf(uri);
    const pin = this.#deps.pins.find(target, nodeId);
    return pin?.kind === kind ? pin : undefined;
  }

  /** What is under way has the new id: nothing is written to the old one anymore. */
  #addressOf(uri: vscode.Uri): PinAddress {
    const address = requireAddress(uri, pinAddress);
    const moving = this.#moving;
    return moving !== undefined && isOf(address, moving.target, moving.from)
      ? { ...address, nodeId: moving.to }
      : address;
  }

  async #move(move: Move): Promise<void> {
    const { target, from, to } = move;
    // What is typed there would be lost: it's the pin of a node that is gone.
    if (openPins(target, to).some(({ isDirty }) => isDirty)) return;
    const open = openPins(target, from);
    if (this.#deps.pins.find(target, from) === undefined) for (const { uri } of open) this.begin(uri);
    this.#moving = move;
    try {
      await this.#deps.pins.move(target, from, to);
      for (const { uri } of open) {
        const edit = new vscode.WorkspaceEdit();
        // The editor takes along what isn't saved, and the place of the tab.
        edit.renameFile(uri, withNode(uri, to), { overwrite: true });
        if (!(await vscode.workspace.applyEdit(edit)))
          throw new Error(`The editor did not move ${uri.toString()}.`);
      }
    } finally {
      this.#moving = undefined;
      this.#announce();
    }
  }

  #isMoving(from: vscode.Uri | undefined, to: vscode.Uri): boolean {
    const move = this.#moving;
    const [before, after] = [from && pinAddress(from), pinAddress(to)];
    return (
      move !== undefined &&
      (from === undefined || isOf(before, move.target, move.from)) &&
      isOf(after, move.target, move.to)
    );
  }

  #read(uri: vscode.Uri) {
    const pin = this.#find(uri);
    const name = uri.toString();
    if (pin === undefined && !this.#begun.has(name)) throw vscode.FileSystemError.FileNotFound(uri);
    if (pin !== undefined) this.#begun.delete(name);
    const value = pin === undefined ? beginnings[this.#addressOf(uri).kind] : pin.value;
    const bytes = new TextEncoder().encode(`${stringifyJson(value, 2)}\n`);
    return { bytes, stamp: this.#stamps.take(uri, pin) };
  }
}

/** What a file that's begun has. */
const beginnings: Readonly<Record<PinKind, JsonValue>> = {
  output: null,
  answers: [{ status: 200, headers: { 'content-type': 'application/json' }, body: {} }],
};

/** The open pins of a workflow, or of one of its nodes. */
function openPins(target: WorkflowTarget, nodeId?: string): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => !isClosed && isOf(pinAddress(uri), target, nodeId),
  );
}

function isOf(address: NodeAddress | undefined, target: WorkflowTarget, nodeId?: string): boolean {
  if (address === undefined || targetName(address.target) !== targetName(target)) return false;
  return nodeId === undefined || address.nodeId === nodeId;
}

/** Throws a PlainError for what is no list of answers. */
function refuseOther(value: JsonValue): void {
  const decoded = v.safeParse(HttpAnswers, value);
  if (decoded.success) return;
  const index = Number(decoded.issues[0].path?.[0]?.key);
  throw new PlainError(
    Number.isInteger(index)
      ? vscode.l10n.t(
          'Not saved: answer {0} must have a "status" from 100 to 599, with "headers" of texts and a "body" where it has them, or be {1} or {2}.',
          index + 1,
          '{"error": "timeout"}',
          '{"error": "unreachable"}',
        )
      : vscode.l10n.t('Not saved: write a list of 1 to 1,000 answers, one for each attempt.'),
  );
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
