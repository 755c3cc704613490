// A file system for the code of nodes: each is a part of its definition's document, from which it's read and into which it's saved.
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import { targetName, type WorkflowTarget } from '../../../domain/targets.ts';
import { plainLine, withoutMark } from '../../../base/format.ts';
import { rangeOf } from '../../../editor/documents/documents.ts';
import { type FileStamp, fileStat, FileStamps } from '../../../editor/documents/fileStamps.ts';
import { readSaved } from '../../../editor/documents/utf8Text.ts';
import type { Files } from '../../../editor/lazy/lazySurfaces.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { showMessage } from '../../../editor/prompts/prompts.ts';
import { type CodeAddress, codeAddress, requireAddress, serviceTarget } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { openServiceDocument } from '../../../ui/pickers/openDefinition.ts';
import { nodeGone } from '../showNode.ts';
import { findNodeAtOffset } from 'jsonc-parser';
import { stringifyJson } from '../../../base/json.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { findAt } from '../../../definition/jsonNodes.ts';
import { type Edit, setMember } from '../../../definition/jsonEdits.ts';

export type CodeFilesDeps = Pick<
  App,
  | 'clock'
  | 'commands'
  | 'connections'
  | 'definitionFiles'
  | 'definitionTargets'
  | 'definitionTexts'
  | 'services'
  | 'workflows'
>;

export class CodeFiles implements Files {
  readonly #deps: CodeFilesDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** Of the open files. */
  readonly #stamps: FileStamps<string>;
  readonly onDidChangeFile = this.#changes.event;

  constructor(deps: CodeFilesDeps) {
    this.#deps = deps;
    this.#stamps = new FileStamps(deps.clock);
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#announce(document)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#stamps.delete(uri)));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const stamp = await this.#read(uri);
    return fileStat(stamp, Buffer.byteLength(stamp.content));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { content: code } = await this.#read(uri);
    const bytes = new TextEncoder().encode(code);
    if (new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) === code) return bytes;
    throw new PlainError(
      vscode.l10n.t(
        "This code holds half a character, which a file can't keep. Edit it in the definition instead.",
      ),
    );
  }

  /** Saves the definition as well, unless it has other unsaved changes: the person is asked then. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = requireAddress(uri, codeAddress);
    const { nodeId } = address;
    const document = await this.#open(address);
    const text = this.#deps.definitionTexts.of(document);
    const node = text.byId.get(nodeId);
    if (node?.code === undefined) throw nodeGone(nodeId);
    const edit = editCode(text, node, readSaved(content, true));
    if (edit === undefined) return;
    const wasDirty = document.isDirty;
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, rangeOf(document, edit), edit.content);
    if (!(await vscode.workspace.applyEdit(change)))
      throw new PlainError(vscode.l10n.t("The definition can't be changed at the moment. Save again."));
    // The definition, which holds the code then, reports a refused save.
    if (!wasDirty) await document.save();
    else this.#offerToSave(document, nodeId);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#stamps.clear();
  }

  #offerToSave(document: vscode.TextDocument, nodeId: string): void {
    const save = { title: vscode.l10n.t('Save Definition') };
    const said = vscode.l10n.t(
      'The code of "{0}" is in the definition, which has other unsaved changes.',
      plainLine(nodeId, 80),
    );
    void showMessage('information', said, [save])
      .then((answer) => (answer === undefined ? undefined : document.save()))
      .catch((error: unknown) => this.#deps.commands.present(error));
  }

  #announce(document: vscode.TextDocument): void {
    const target = this.#deps.definitionTargets.ofEdited(document.uri);
    if (target === undefined) return;
    const changed = this.#stamps.listChanges(
      (uri) => this.#findNode(document, requireAddress(uri, codeAddress))?.code?.value,
      (uri) => isIn(document, target, requireAddress(uri, codeAddress)),
    );
    if (changed.length > 0) this.#changes.fire(changed);
  }

  /** The definition that the code is in. */
  #open({ target, file }: CodeAddress): Promise<vscode.TextDocument> {
    return file === undefined
      ? openServiceDocument(this.#deps, target)
      : this.#deps.definitionTargets.openLinked(file, target);
  }

  #findNode(document: vscode.TextDocument, { nodeId }: CodeAddress): DefinitionNode | undefined {
    return this.#deps.definitionTexts.of(document).byId.get(nodeId);
  }

  async #read(uri: vscode.Uri): Promise<FileStamp<string>> {
    const address = requireAddress(uri, codeAddress);
    const document = await this.#open(address);
    const code = this.#findNode(document, address)?.code?.value;
    if (code !== undefined) return this.#stamps.take(uri, code);
    this.#stamps.delete(uri);
    throw vscode.FileSystemError.FileNotFound(uri);
  }
}

function isIn(
  { uri }: vscode.TextDocument,
  target: WorkflowTarget,
  { target: own, file }: CodeAddress,
): boolean {
  if (targetName(own) !== targetName(target)) return false;
  return file === undefined ? serviceTarget(uri) !== undefined : file.toString() === uri.toString();
}

/** Returns the edit of the definition's text; undefined if the node has no code, or has this already. */
export function editCode(
  { text, reading }: DefinitionText,
  node: DefinitionNode,
  given: string,
): Edit | undefined {
  const { code } = node;
  if (code === undefined) return undefined;
  // A byte order mark is of the encoding, unless the code had it: Python's code can't begin with one.
  const saved = code.value.startsWith('\ufeff') ? given : withoutMark(given);
  // An editor on Windows ends the lines of code that had only one line in its own way.
  const value = code.value.includes('\r\n') ? saved : saved.replaceAll('\r\n', '\n');
  if (value === code.value) return undefined;
  if (code.range !== undefined) return { ...code.range, content: stringifyJson(value) };
  const object = reading.root && findNodeAtOffset(reading.root, node.offset);
  const parameters = object && findAt(object, ['parameters']);
  const [member] = code.path;
  return parameters && member !== undefined ? setMember(text, parameters, member, value) : undefined;
}
