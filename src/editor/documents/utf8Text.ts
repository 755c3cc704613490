// The texts of files, as UTF-8. Bytes of another encoding would become other characters without a word.
import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import { PlainError } from '../plainError.ts';

/** Without the byte order mark. Throws a PlainError for bytes that aren't UTF-8. */
export function readUtf8(uri: vscode.Uri, bytes: Uint8Array): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return decode(bytes, false, () => vscode.l10n.t('"{0}" isn\'t UTF-8 text.', plainLine(name, 120)));
}

/** What the editor saves in a document of ours, in the encoding that the person has set. Throws a PlainError for any but UTF-8. */
export function readSaved(bytes: Uint8Array, keepsMark = false): string {
  return decode(bytes, keepsMark, () =>
    vscode.l10n.t('Nothing was saved: the text must be UTF-8. Change the encoding of the document.'),
  );
}

function decode(bytes: Uint8Array, ignoreBOM: boolean, refusal: () => string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch (cause) {
    throw new PlainError(refusal(), [], { cause });
  }
}
