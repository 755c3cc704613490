// The texts of files, as UTF-8. Bytes of another encoding would become other characters without a word.
import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { PlainError } from '../plainError.ts';
import { baseName } from './documents.ts';

/** Without the byte order mark. Throws a PlainError for bytes that aren't UTF-8. */
export function readUtf8(uri: vscode.Uri, bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text === undefined)
    throw new PlainError(vscode.l10n.t('"{0}" isn\'t UTF-8 text.', plainLine(baseName(uri), 120)));
  return text;
}

/** What the editor saves in a document of ours, in the encoding that the person has set. Throws a PlainError for any but UTF-8. */
export function readSaved(bytes: Uint8Array, keepsMark = false): string {
  const text = decodeUtf8(bytes, { keepsMark });
  if (text !== undefined) return text;
  throw new PlainError(
    vscode.l10n.t('Nothing was saved: the text must be UTF-8. Change the encoding of the document.'),
  );
}
