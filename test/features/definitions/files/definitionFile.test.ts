// A file's time that moves without its text makes conflicts that are none; text that moves without its time hides one.
import assert from 'node:assert/strict';
import {
  baseOf,
  type FileState,
  give,
  looksChanged,
  observe,
  receiveContent,
  replace,
  save,
  showAsKept,
  showDefinition,
} from '../../../../src/features/definitions/files/definitionFile.ts';
import { snapshotOf } from './snapshots.ts';

const first = showDefinition(undefined, snapshotOf({ name: 'A' }, 1000), 5000);

describe('what the file of a definition shows', () => {
  it('begins with the time of the last change, or now where the service does not tell it', () => {
    assert.equal(first.mtime, 1000);
    assert.equal(first.text, '{\n  "name": "A"\n}\n');
    assert.equal(showDefinition(undefined, snapshotOf({ name: 'A' }, null), 5000).mtime, 5000);
  });

  it('stands still while the content does, whatever the order of the members', () => {
    const wide = showDefinition(first, snapshotOf({ name: 'A', x: 1 }, 1100), 5000);
    const again = showDefinition(wide, snapshotOf({ x: 1, name: 'A' }, 9000), 9999);
    assert.deepEqual([again.text, again.mtime, again.updatedAt], [wide.text, 1100, 9000]);
  });

  it('moves on with the content, even where the service gives no later time', () => {
    assert.equal(showDefinition(first, snapshotOf({ name: 'B' }, 2000), 5000).mtime, 2000);
    assert.equal(showDefinition(first, snapshotOf({ name: 'B' }, 1000), 5000).mtime, 1001);
    assert.equal(showDefinition(first, snapshotOf({ name: 'B' }, 10), 5000).mtime, 1001);
  });

  it('keeps the text of a save as long as it says what the service holds', () => {
    const text = '{"$schema": "./x.json", "name":   "B"}';
    const saved = showDefinition(first, snapshotOf({ name: 'B' }, 2000), 5000, { text });
    assert.deepEqual([saved.text, saved.mtime], [text, 2000]);
    assert.equal(showAsKept(saved), saved);
    assert.equal(showDefinition(saved, snapshotOf({ name: 'B' }, 2000), 5000).text, text);
    const trimmed = showDefinition(first, snapshotOf({ name: 'B' }, 2000), 5000, { text: '{"name": " B "}' });
    assert.deepEqual([showAsKept(trimmed).text, showAsKept(trimmed).mtime], ['{"name": "B"}', 2001]);
  });

  it('is behind when the view shows another name or time; a time that a list does not give says nothing', () => {
    assert.equal(looksChanged(first, { name: 'A', updatedAt: new Date(1000) }), false);
    assert.equal(looksChanged(first, { name: 'A', updatedAt: null }), false);
    assert.equal(looksChanged(first, { name: 'A', updatedAt: new Date(1001) }), true);
    assert.equal(looksChanged(first, { name: 'B', updatedAt: null }), true);
  });
});

describe('the state of the file of a definition', () => {
  const second = showDefinition(first, snapshotOf({ name: 'B' }, 2000), 5000);
  const sameText = { ...first, updatedAt: 3000 };
  const fresh: FileState = { kind: 'fresh', shown: first };
  const given: FileState = { kind: 'given', shown: first };
  const clean: FileState = { kind: 'clean', shown: first };
  const edited: FileState = { kind: 'edited', shown: first };
  const outdated: FileState = { kind: 'outdated', shown: second, base: first };
  const textOf = (text: string) => ({ isDirty: false, getText: () => text });
  const dirty = { isDirty: true, getText: () => 'half typ' };

  for (const [words, next, expected] of [
    ['is given to one reader', give(fresh), given],
    ['is given without leaving its document', give(clean), clean],
    ['is fresh once it was read again', receiveContent(given, second), { kind: 'fresh', shown: second }],
    ['is clean in the document that shows it', observe(given, textOf(first.text)), clean],
    ['is not clean in a document that shows something else', observe(given, textOf('other')), given],
    ['has no base where a document was edited before it was read', observe(fresh, dirty), fresh],
    ['is outdated by another text', receiveContent(clean, second), outdated],
    ['is not outdated by the same text', receiveContent(clean, sameText), { kind: 'clean', shown: sameText }],
    ['stays outdated until the document shows the text', observe(outdated, textOf(first.text)), outdated],
    ['is clean again then', observe(outdated, textOf(second.text)), { kind: 'clean', shown: second }],
    ['keeps its base while it is outdated again', replace(outdated, first), { ...outdated, shown: first }],
    ['is edited from what the document shows', observe(clean, dirty), edited],
    ['is edited from that, too, when the service has something newer', observe(outdated, dirty), edited],
    ['is clean after the edits are undone', observe(edited, textOf(first.text)), clean],
    ['is clean after a save', save(edited, second, true), { kind: 'clean', shown: second }],
    ['is fresh after a save of other code', save(fresh, second, false), { kind: 'fresh', shown: second }],
    ['still belongs to its reader after that', save(given, second, false), { kind: 'given', shown: second }],
    ['changes to what was kept', replace(clean, second), outdated],
    ['changes to what was kept for its reader', replace(given, second), { kind: 'given', shown: second }],
  ] as const)
    it(words, () => assert.deepEqual(next, expected));

  it('tells what its document shows, or what the edits started from', () => {
    const bases = [fresh, given, clean, edited, outdated].map(baseOf);
    assert.deepEqual(bases, [undefined, undefined, first, first, first]);
  });
});
