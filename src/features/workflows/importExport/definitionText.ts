// Reads definitions from text, and names their files.
import * as vscode from 'vscode';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isJsonObject, type JsonObject, parseJson } from '../../../base/json.ts';
import { describeJsonError, lineOf } from '../../../ui/words/describeJsonError.ts';
import { fileName } from '../../../editor/format.ts';
import { limits } from '../../../protocol/operations.ts';
import { PlainError } from '../../../editor/plainError.ts';

/** Throws a PlainError if there are more bytes than may be imported. */
export function checkSize(bytes: number): void {
  if (bytes > limits.importBytes)
    throw new PlainError(vscode.l10n.t('It is larger than 5 MiB, the most that can be imported.'));
}

/** Throws a PlainError that says why the text isn't a definition. */
export function readDefinitionText(text: string): JsonObject {
  if (text.trim() === '') throw new PlainError(vscode.l10n.t('It is empty.'));
  const definition = parseJson(text);
  if (definition === undefined) throw notJson(text);
  if (!isJsonObject(definition))
    throw new PlainError(vscode.l10n.t('It holds no workflow: a definition is a JSON object.'));
  return definition;
}

function notJson(text: string): PlainError {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  const reason = describeJsonError(first === undefined ? '' : printParseErrorCode(first.error));
  const line = lineOf(text, first?.offset ?? 0);
  return new PlainError(vscode.l10n.t('It is not valid JSON. Line {0}: {1}.', line, reason));
}

/** The same as readDefinitionText, for a file's bytes. */
export function readDefinitionBytes(bytes: Uint8Array): JsonObject {
  checkSize(bytes.byteLength);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PlainError(vscode.l10n.t('It is not a text in UTF-8.'));
  }
  return readDefinitionText(text);
}

const ending = '.workflow.json';

/** The file name of a workflow. */
export function definitionFileName(workflowName: string): string {
  const plain = fileName(workflowName);
  return `${plain === '' ? 'workflow' : plain}${ending}`;
}

/**
 * Returns a file name for each workflow ("Name 2.workflow.json"), unique among these and `taken`. Names that differ only in case
 * count as equal, because the file systems of Windows and macOS ignore case.
 */
export function freeFileNames(workflowNames: readonly string[], taken: readonly string[]): readonly string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return workflowNames.map((workflowName) => {
    const stem = definitionFileName(workflowName).slice(0, -ending.length);
    let name = `${stem}${ending}`;
    for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${stem} ${number}${ending}`;
    used.add(name.toLowerCase());
    return name;
  });
}
