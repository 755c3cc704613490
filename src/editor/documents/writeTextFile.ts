import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { PlainError } from '../plainError.ts';

/** In bytes. What isn't on this machine is written from memory. */
const maximumElsewhere = 64 * 1024 * 1024;

/**
 * Writes a text piece by piece, however long it is, to a file that only this user may read. Rejects with what a piece, the signal or the
 * file system rejects with; the file is then as it was. A file of another scheme than `file:` is written by whoever provides it, up to 64 MB.
 */
export async function writeTextFile(
  uri: vscode.Uri,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  if (uri.scheme === 'file') await writeHere(uri.fsPath, pieces, signal);
  else await vscode.workspace.fs.writeFile(uri, await readAll(pieces, signal));
}

/** The text stands beside the file under another name until it's whole. */
async function writeHere(path: string, pieces: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  const beside = `${path}.${randomUUID()}.new`;
  const file = await open(beside, 'wx', 0o600);
  try {
    try {
      for await (const piece of pieces) {
        signal.throwIfAborted();
        await file.appendFile(piece);
      }
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function readAll(pieces: AsyncIterable<string>, signal: AbortSignal): Promise<Uint8Array> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    const chunk = Buffer.from(piece);
    bytes += chunk.length;
    if (bytes > maximumElsewhere)
      throw new PlainError(
        vscode.l10n.t('The text is longer than 64 MB. Save it to a file on this machine.'),
      );
    read.push(chunk);
  }
  return Buffer.concat(read);
}
