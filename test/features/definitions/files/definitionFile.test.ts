// A file's time that moves without its text makes conflicts that are none; text that moves without its time hides one.
import assert from 'node:assert/strict';
import { type JsonObject, stringifyJson } from '../../../../src/base/json.ts';
import type { DefinitionSnapshot } from '../../../../src/features/definitions/files/definitionStore.ts';
import {
  baseOf,
  type FileState,
  give,
  looksChanged,
  observe,
  receive,
  RememberedBases,
  replace,
  save,
  showAsKept,
  showDefinition,
} from '../../../../src/features/definitions/files/definitionFile.ts';
import { typed } from '../../../support/digits.ts';
import { MemoryRecords, MemoryState } from '../../../support/memory/ports.ts';

function snapshot(definition: JsonObject, updatedAt: number | null): DefinitionSnapshot {
  const workflow = {
    id: 'wf_1',
    name: 'A',
    description: null,
    isDeployed: null,
    deployedAt: null,
    version: null,
    draftVersion: null,
    deployedVersion: null,
    hasUndeployedChanges: null,
    deployedDefinition: null,
    createdAt: null,
    updatedAt: updatedAt === null ? null : new Date(updatedAt),
    hasDefinition: true,
    raw: definition,
  };
  return { workflow, definition };
}

const first = showDefinition(undefined, snapshot({ name: 'A' }, 1000), 5000);

describe('what the file of a definition shows', () => {
  it('begins with the time of the last change, or now where the service does not tell it', () => {
    assert.equal(first.mtime, 1000);
    assert.equal(first.text, '{\n  "name": "A"\n}\n');
    assert.equal(showDefinition(undefined, snapshot({ name: 'A' }, null), 5000).mtime, 5000);
  });

  it('stands still while the content does, whatever the order of the members', () => {
    const wide = showDefinition(first, snapshot({ name: 'A', x: 1 }, 1100), 5000);
    const again = showDefinition(wide, snapshot({ x: 1, name: 'A' }, 9000), 9999);
    assert.deepEqual([again.text, again.mtime, again.updatedAt], [wide.text, 1100, 9000]);
  });

  it('moves on with the content, even where the service gives no later time', () => {
    assert.equal(showDefinition(first, snapshot({ name: 'B' }, 2000), 5000).mtime, 2000);
    assert.equal(showDefinition(first, snapshot({ name: 'B' }, 1000), 5000).mtime, 1001);
    assert.equal(showDefinition(first, snapshot({ name: 'B' }, 10), 5000).mtime, 1001);
  });

  it('keeps the text of a save as long as it says what the service holds', () => {
    const text = '{"$schema": "./x.json", "name":   "B"}';
    const saved = showDefinition(first, snapshot({ name: 'B' }, 2000), 5000, { text });
    assert.deepEqual([saved.text, saved.mtime], [text, 2000]);
    assert.equal(showAsKept(saved), saved);
    assert.equal(showDefinition(saved, snapshot({ name: 'B' }, 2000), 5000).text, text);
    const trimmed = showDefinition(first, snapshot({ name: 'B' }, 2000), 5000, { text: '{"name": " B "}' });
    assert.deepEqual([showAsKept(trimmed).text, showAsKept(trimmed).mtime], ['{"name": "B"}', 2001]);
  });

  it('is behind when the view shows another name or time; a time that a list does not give says nothing', () => {
    assert.equal(looksChanged(first, { name: 'A', updatedAt: new Date(1000) }), false);
    assert.equal(looksChanged(first, { name: 'A', updatedAt: null }), false);
    assert.equal(looksChanged(first, { name: 'A', updatedAt: new Date(1001) }), true);
    assert.equal(looksChanged(first, { name: 'B', updatedAt: null }), true);
  });

  it('is remembered beyond a restart, and forgotten', async () => {
    const state = new MemoryState();
    const records = new MemoryRecords();
    const bases = () => new RememberedBases(records, state);
    const base = { ...first, definition: typed('{"name":"A","id":9007199254740993}') };
    await bases().set('address', base);
    assert.deepEqual(bases().read('address'), base);
    assert.equal(stringifyJson(bases().read('address')?.definition), '{"name":"A","id":9007199254740993}');
    assert.equal(bases().read('other'), undefined);
    await bases().set('address', undefined);
    assert.equal(bases().read('address'), undefined);
    await state.set('definitionBase:address', { text: 5 });
    assert.equal(bases().read('address'), undefined);
  });
});

describe('the state of the file of a definition', () => {
  const second = showDefinition(first, snapshot({ name: 'B' }, 2000), 5000);
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
    ['is fresh once it was read again', receive(given, second), { kind: 'fresh', shown: second }],
    ['is clean in the document that shows it', observe(given, textOf(first.text)), clean],
    ['is not clean in a document that shows something else', observe(given, textOf('other')), given],
    ['has no base where a document was edited before it was read', observe(fresh, dirty), fresh],
    ['is outdated by another text', receive(clean, second), outdated],
    ['is not outdated by the same text', receive(clean, sameText), { kind: 'clean', shown: sameText }],
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
