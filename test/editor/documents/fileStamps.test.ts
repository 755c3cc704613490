import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileStat, FileStamps } from '../../../src/editor/documents/fileStamps.ts';
import { HandClock } from '../../support/memory/ports.ts';

const [one, other] = ['a', 'b'].map((name) => vscode.Uri.parse(`workflow-pin://x/${name}.json`));
const { Changed, Deleted } = vscode.FileChangeType;

describe('the stamps of files', () => {
  assert.ok(one && other);
  let clock: HandClock;
  let stamps: FileStamps<string | undefined>;
  beforeEach(() => {
    clock = new HandClock(1000);
    stamps = new FileStamps(clock);
  });

  it('have a new time only for a new content', async () => {
    const first = stamps.take(one, 'text');
    await clock.advance(5);
    assert.equal(stamps.take(one, 'text'), first);
    assert.equal(stamps.take(one, 'texts').mtime, 1005);
    assert.deepEqual(fileStat(first, 4), { type: vscode.FileType.File, ctime: 0, mtime: 1000, size: 4 });
  });

  it('have another time for each content, also within a millisecond', () => {
    const times = ['a', 'b', 'a'].map((text) => stamps.take(one, text).mtime);
    assert.deepEqual(times, [1000, 1001, 1002]);
  });

  it('compare contents as they are told to', () => {
    const caseless = new FileStamps<string>(clock, (a, b) => a.toLowerCase() === b.toLowerCase());
    assert.equal(caseless.take(one, 'A'), caseless.take(one, 'a'));
  });

  it('tell what has changed since it was read, of the files that it concerns', () => {
    stamps.take(one, 'a');
    stamps.take(other, 'b');
    const uris = (changes: readonly vscode.FileChangeEvent[]) =>
      changes.map(({ type, uri }) => [type, uri.path]);
    assert.deepEqual(uris(stamps.listChanges(({ path }) => (path === '/a.json' ? 'a' : 'c'))), [
      [Changed, '/b.json'],
    ]);
    assert.deepEqual(
      uris(
        stamps.listChanges(
          () => undefined,
          ({ path }) => path === '/a.json',
        ),
      ),
      [[Deleted, '/a.json']],
    );
    stamps.delete(one);
    assert.deepEqual(uris(stamps.listChanges(() => 'c')), [[Changed, '/b.json']]);
  });

  it('tell nothing of a file that held nothing and still does', () => {
    stamps.take(one, undefined);
    assert.deepEqual(
      stamps.listChanges(() => undefined),
      [],
    );
    assert.equal(stamps.listChanges(() => 'a').length, 1);
  });
});
