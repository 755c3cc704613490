import { open, rename, rm } from 'node:fs/promises';
import type * as vscode from 'vscode';

/**
 * Writes a text piece by piece, however long it is, to a file on this machine. It stands beside the file under another name until it's
 * whole. Rejects with what a piece, the signal or the file system rejects with; the file is then as it was.
 */
export async function writeTextFile(
  { fsPath }: vscode.Uri,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const beside = `${fsPath}.${process.pid}.new`;
  const file = await open(beside, 'w');
  try {
    try {
      for await (const piece of pieces) {
        signal.throwIfAborted();
        await file.appendFile(piece);
      }
    } finally {
      await file.close();
    }
    await rename(beside, fsPath);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
