// A text that is saved lands where it should, for its user alone, and nobody's file in its place is written through.
import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { writeTextFile } from '../../../src/editor/documents/writeTextFile.ts';

const { signal } = new AbortController();

/** Calls `between` after the first piece. */
async function* piecesOf(texts: readonly string[], between: () => void = () => undefined) {
  for (const [at, text] of texts.entries()) {
    if (at === 1) between();
    yield await Promise.resolve(text);
  }
}

describe('a text that is saved', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'workflow-automation-save-'));
    path = join(folder, 'a.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is for this user alone, also while it is written and over a file that was there', async function () {
    if (process.platform === 'win32') this.skip();
    writeFileSync(path, 'old', { mode: 0o644 });
    const modes: number[] = [];
    const look = () => {
      for (const name of readdirSync(folder))
        if (name !== 'a.log') modes.push(statSync(join(folder, name)).mode & 0o777);
    };
    await writeTextFile(vscode.Uri.file(path), piecesOf(['one\n', 'two\n'], look), signal);
    assert.deepEqual(modes, [0o600]);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
    assert.deepEqual(readdirSync(folder), ['a.log']);
  });

  it('follows no link that somebody put beside it', async function () {
    if (process.platform === 'win32') this.skip();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, `${path}.${process.pid}.new`);
    await writeTextFile(vscode.Uri.file(path), piecesOf(['text']), signal);
    assert.equal(readFileSync(victim, 'utf8'), 'precious');
    assert.equal(readFileSync(path, 'utf8'), 'text');
  });

  it('leaves the file as it was when it ends early', async () => {
    writeFileSync(path, 'old');
    const ending = new AbortController();
    const pieces = piecesOf(['one', 'two'], () => ending.abort());
    await assert.rejects(writeTextFile(vscode.Uri.file(path), pieces, ending.signal), { name: 'AbortError' });
    assert.equal(readFileSync(path, 'utf8'), 'old');
    assert.deepEqual(readdirSync(folder), ['a.log']);
  });
});
