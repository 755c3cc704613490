// The sources of an import: files that were chosen or dropped, and the clipboard.
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, parseJson } from '../../../base/json.ts';
import { startingFolder } from '../../../editor/prompts/dialogs.ts';
import { plainLine } from '../../../base/format.ts';
import { decodeUtf8 } from '../../../base/utf8.ts';
import { baseName } from '../../../editor/documents/documents.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { Cancelled, choose } from '../../../editor/prompts/prompts.ts';
import { limits } from '../../../protocol/operations.ts';
import { positionOf, readJsonText } from '../../../definition/jsonText.ts';
import type { Named } from '../../../ui/transfer.ts';
import { withoutEnding } from '../../../domain/definitionFormat.ts';

/** A definition that's read when it's its turn. */
export interface ImportSource extends Named {
  /** What a workflow is called whose definition has no name, as what an editor copies to the clipboard. */
  readonly title: string;
  /** Rejects with a PlainError that says what's wrong, without the name, or with a FileSystemError. */
  readonly read: () => Promise<JsonObject>;
}

const namesOfFile = (fileName: string): Pick<ImportSource, 'name' | 'title'> => {
  const name = plainLine(fileName, 120);
  return { name, title: withoutEnding(name).replace(/\.json$/i, '') };
};

/** Checks the file's size first, so that a large file is never read. */
export function fileSource(uri: vscode.Uri): ImportSource {
  return {
    ...namesOfFile(baseName(uri)),
    read: async () => {
      const stat = await vscode.workspace.fs.stat(uri);
      if ((stat.type & vscode.FileType.Directory) !== 0)
        throw new PlainError(vscode.l10n.t("It's a folder, not a file."));
      checkSize(stat.size);
      return readDefinitionBytes(await vscode.workspace.fs.readFile(uri));
    },
  };
}

/** Reads a definition from the clipboard. Rejects as an ImportSource does. */
async function readClipboard(): Promise<JsonObject> {
  const text = await vscode.env.clipboard.readText();
  checkSize(new TextEncoder().encode(text).byteLength);
  return readDefinitionText(text);
}

/** The same as readClipboard, with an error message that names the clipboard. */
export async function readClipboardAlone(): Promise<JsonObject> {
  try {
    return await readClipboard();
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    throw new PlainError(vscode.l10n.t("The clipboard doesn't contain a definition. {0}", error.message));
  }
}

const clipboardSource = (): ImportSource => ({
  name: vscode.l10n.t('Clipboard'),
  title: vscode.l10n.t('From the clipboard'),
  read: readClipboard,
});

/** Reads a source's definition, with a name. Rejects as it does. */
export async function readNamed({ read, title }: ImportSource): Promise<JsonObject> {
  const definition = await read();
  const { name = null } = definition;
  return name === null || name === '' ? { ...definition, name: title } : definition;
}

async function askFiles(): Promise<readonly ImportSource[]> {
  const folder = startingFolder();
  const picked = await vscode.window.showOpenDialog({
    ...(folder === undefined ? {} : { defaultUri: folder }),
    filters: { JSON: ['json'] },
    canSelectMany: true,
    openLabel: vscode.l10n.t('Import'),
    title: vscode.l10n.t('Import Workflows'),
  });
  if (picked === undefined || picked.length === 0) throw new Cancelled();
  return picked.map(fileSource);
}

/** Asks the user where the definitions are. */
export async function askImportSources(): Promise<readonly ImportSource[]> {
  const from = await choose<() => Promise<readonly ImportSource[]>>(vscode.l10n.t('Import workflows from…'), [
    {
      icon: 'files',
      label: vscode.l10n.t('From Files…'),
      detail: vscode.l10n.t('One or more exported JSON files.'),
      value: askFiles,
    },
    {
      icon: 'clippy',
      label: vscode.l10n.t('From the Clipboard'),
      detail: vscode.l10n.t('A definition that you copied as JSON.'),
      value: () => Promise.resolve([clipboardSource()]),
    },
  ]);
  return from();
}

/** The dropped files: those of the editor by their URIs or, if there are none, files of the operating system by their content. */
export async function droppedSources(data: vscode.DataTransfer): Promise<readonly ImportSource[]> {
  const list = await data.get('text/uri-list')?.asString();
  const uris = (list ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (uris.length > 0) return uris.map((uri) => fileSource(vscode.Uri.parse(uri, true)));
  return [...data].flatMap(([, item]) => {
    const file = item.asFile();
    if (file === undefined) return [];
    return [{ ...namesOfFile(file.name), read: async () => readDefinitionBytes(await file.data()) }];
  });
}

/** Throws a PlainError if there are more bytes than may be imported. */
function checkSize(bytes: number): void {
  if (bytes > limits.importBytes)
    throw new PlainError(vscode.l10n.t("It's too large. The maximum is 5 MiB."));
}

/** Throws a PlainError that says why the text isn't a definition. */
function readDefinitionText(text: string): JsonObject {
  if (text.trim() === '') throw new PlainError(vscode.l10n.t("It's empty."));
  const definition = parseJson(text);
  if (definition === undefined) refuseInvalidJson(text);
  if (!isJsonObject(definition))
    throw new PlainError(vscode.l10n.t("It isn't a workflow: a definition is a JSON object."));
  return definition;
}

/** Throws a PlainError that says why the text isn't JSON, and where. */
function refuseInvalidJson(text: string): void {
  const { error } = readJsonText(text);
  if (error === undefined) return;
  const { line } = positionOf(text, error.offset);
  throw new PlainError(vscode.l10n.t("It isn't valid JSON. Line {0}: {1}.", line, error.reason));
}

/** The same as readDefinitionText, for a file's bytes. */
export function readDefinitionBytes(bytes: Uint8Array): JsonObject {
  checkSize(bytes.byteLength);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new PlainError(vscode.l10n.t("It isn't UTF-8 text."));
  return readDefinitionText(text);
}
