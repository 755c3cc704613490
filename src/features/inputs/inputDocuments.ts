// Input documents: the file system that keeps their texts, and opening them without losing unsaved text.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { replaceText } from '../../editor/documents/documents.ts';
import { type FileStamp, fileStat, FileStamps } from '../../editor/documents/fileStamps.ts';
import { readSaved } from '../../editor/documents/utf8Text.ts';
import type { Files } from '../../editor/lazy/lazySurfaces.ts';
import { PlainError } from '../../editor/plainError.ts';
import { choose, showMessage } from '../../editor/prompts/prompts.ts';
import { defaultInputText, parseInput } from '../../model/inputs/inputText.ts';
import { inputTarget, inputUri, requireAddress } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { toUserError } from '../../ui/words/describeError.ts';
import { connectionName } from '../../words/names.ts';

type InputDocumentsDeps = Pick<App, 'clock' | 'connections' | 'inputFiles' | 'workflows'>;

/** Opens input documents and puts text into them. */
export class InputDocuments {
  readonly #deps: InputDocumentsDeps;
  /** The texts that were put into documents. The user didn't write them, so they may be replaced without a question. */
  readonly #put = new WeakMap<vscode.TextDocument, string>();

  constructor(deps: InputDocumentsDeps) {
    this.#deps = deps;
  }

  /** Shows the input document of a workflow. */
  async open(target: WorkflowTarget): Promise<vscode.TextDocument> {
    const document = findOpenInput(target) ?? (await this.#openNew(target));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  /**
   * Shows the input document with this text, as an edit that can be undone. If the document has unsaved text, asks the user
   * first; code gets an error.
   */
  async put(target: WorkflowTarget, text: string, isInteractive: boolean): Promise<vscode.TextDocument> {
    const document = await this.open(target);
    const current = document.getText();
    if (current === text) return document;
    const isUnsaved = document.isDirty && this.#put.get(document) !== current;
    if (isUnsaved && !isInteractive)
      throw new PlainError(vscode.l10n.t('The input has unsaved changes. They were kept.'));
    if (isUnsaved && !(await mayReplace())) return document;
    await replaceText(document, text);
    this.#put.set(document, document.getText());
    return document;
  }

  async #openNew(target: WorkflowTarget): Promise<vscode.TextDocument> {
    const { connections, inputFiles, workflows } = this.#deps;
    const workflow = await workflows.get(target);
    return inputFiles.open(inputUri(target, connectionName(connections, target.connectionId), workflow.name));
  }
}

/** Returns the workflow's open document. Its URI may contain earlier names. */
function findOpenInput({ connectionId, workflowId }: WorkflowTarget): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
    const open = inputTarget(uri);
    return !isClosed && open?.connectionId === connectionId && open.workflowId === workflowId;
  });
}

/** Returns the text of the workflow's open document, or else its draft or its last input. */
export function textAtHand(drafts: App['drafts'], target: WorkflowTarget): string | undefined {
  return findOpenInput(target)?.getText() ?? drafts.read(target);
}

/** Returns the text of a document without a draft, which depends on the workflow's trigger. */
async function startingText(workflows: App['workflows'], target: WorkflowTarget): Promise<string> {
  const known = workflows.find(target);
  return defaultInputText(known?.hasDefinition === true ? known : await workflows.read(target));
}

/** Returns the input at hand, or else the one that a new document has; undefined for a text that is none. */
export async function findInput(
  { drafts, workflows }: Pick<App, 'drafts' | 'workflows'>,
  target: WorkflowTarget,
): Promise<JsonObject | undefined> {
  return parseInput(textAtHand(drafts, target) ?? (await startingText(workflows, target)));
}

function mayReplace(): Promise<boolean> {
  return choose(vscode.l10n.t('The input has unsaved changes.'), [
    {
      icon: 'replace',
      label: vscode.l10n.t('Replace the Text'),
      detail: vscode.l10n.t('Undo restores it.'),
      value: true,
    },
    { icon: 'check', label: vscode.l10n.t('Keep Open'), value: false },
  ]);
}

type InputFilesDeps = Pick<App, 'clock' | 'drafts' | 'workflows'>;

/** Saves input documents as drafts, which survive a restart. */
export class InputFiles implements Files {
  readonly #deps: InputFilesDeps;
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #stamps: FileStamps<Uint8Array>;
  #isMaskedSaid = false;
  readonly onDidChangeFile = this.#changes.event;

  constructor(deps: InputFilesDeps) {
    this.#deps = deps;
    this.#stamps = new FileStamps(deps.clock, (one, other) => Buffer.compare(one, other) === 0);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const stamp = await this.#read(uri);
    return fileStat(stamp, stamp.content.byteLength);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(uri)).content;
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const stored = await this.#deps.drafts.save(requireAddress(uri, inputTarget), readSaved(content));
    this.#stamps.take(uri, content);
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
        "The API key in this input isn't stored. When this window closes, only its first characters remain.",
      ),
    );
  }

  async #textOf(target: WorkflowTarget): Promise<string> {
    const { drafts, workflows } = this.#deps;
    try {
      return drafts.read(target) ?? (await startingText(workflows, target));
    } catch (error) {
      throw toUserError(error);
    }
  }

  async #read(uri: vscode.Uri): Promise<FileStamp<Uint8Array>> {
    const text = await this.#textOf(requireAddress(uri, inputTarget));
    return this.#stamps.take(uri, new TextEncoder().encode(text));
  }
}
