// A restored document is saved without a question only onto what it rests on: not onto what another window, or a reader, has seen.
import assert from 'node:assert/strict';
import type { OpenDefinitions } from '../../../../src/features/definitions/files/openDefinitions.ts';
import { definitionUri } from '../../../../src/ui/addresses.ts';
import { HandClock, MemoryRecords, settle } from '../../../support/memory/ports.ts';
import { openWritten } from '../../../support/writtenDocument.ts';
import { openWindow } from './openDefinitions.ts';
import { snapshotOf } from './snapshots.ts';

const uri = definitionUri({ connectionId: 'c1', workflowId: 'wf_1' }, 'C', 'A');
const textOf = (name: string): string => `{\n  "name": "${name}"\n}\n`;

describe('a definition that the editor restores', () => {
  const clock = new HandClock();
  let records: MemoryRecords;
  beforeEach(() => (records = new MemoryRecords()));

  /** A window in which somebody types over what the service has, and which then ends. Returns what it leaves to the next one. */
  async function leaveEdited(name: string, text: string): Promise<string> {
    const window = openWindow({ clock, records });
    window.open.receive(uri, snapshotOf({ name }));
    window.open.takeReadable(uri);
    const written = openWritten(uri, textOf(name));
    written.setDirty(true);
    written.write(text);
    await clock.advance(1000);
    assert.deepEqual(window.open.base(uri), { name });
    window.end();
    written.close();
    return text;
  }

  /** What the document rests on in a new window. `meanwhile` happens before the document is known as unsaved. */
  async function restore(text: string, meanwhile?: (open: OpenDefinitions) => void) {
    const window = openWindow({ clock, records });
    meanwhile?.(window.open);
    const written = openWritten(uri, text);
    written.setDirty(true);
    window.open.receive(uri, snapshotOf({ name: 'of the service' }));
    const base = window.open.base(uri);
    written.write(`${text} `);
    await clock.advance(1000);
    assert.deepEqual(window.open.base(uri), base);
    window.end();
    written.close();
    return base;
  }

  it('rests on what it rested on', async () => {
    const text = await leaveEdited('first', '{"name": "mine"}');
    assert.deepEqual(await restore(text), { name: 'first' });
    assert.deepEqual(await restore(`${text} `), { name: 'first' }, 'once more');
  });

  it('rests on nothing that another window with the same folder has seen', async () => {
    const text = await leaveEdited('first', '{"name": "mine"}');
    const other = await leaveEdited('second', '{"name": "of another"}');
    assert.deepEqual(await restore(text), { name: 'first' });
    assert.deepEqual(await restore(other), { name: 'second' });
    assert.equal(await restore('{"name": "nobody\'s"}'), undefined);
  });

  it('rests on it too where the file was read before', async () => {
    const text = await leaveEdited('first', '{"name": "mine"}');
    const readBefore = (open: OpenDefinitions): void => {
      open.receive(uri, snapshotOf({ name: 'of the service' }));
      open.takeReadable(uri);
    };
    assert.deepEqual(await restore(text, readBefore), { name: 'first' });
  });

  it('rests on it where it was open before the window knew of definitions, and is typed in before it is read', async () => {
    const text = await leaveEdited('first', '{"name": "mine"}');
    const written = openWritten(uri, text, true);
    const window = openWindow({ clock, records });
    written.write(`${text} more`);
    window.open.receive(uri, snapshotOf({ name: 'of the service' }));
    assert.deepEqual(window.open.base(uri), { name: 'first' });
    window.end();
    written.close();
  });

  it('rests on what was saved last, also with what was typed during the save', async () => {
    const window = openWindow({ clock, records });
    window.open.receive(uri, snapshotOf({ name: 'first' }));
    window.open.takeReadable(uri);
    const written = openWritten(uri, textOf('first'));
    written.setDirty(true);
    written.write('{"name": "saved, and more"}');
    await window.open.acceptSaved(uri, '{"name": "saved"}', snapshotOf({ name: 'saved' }));
    window.end();
    written.close();
    assert.deepEqual(await restore('{"name": "saved, and more"}'), { name: 'saved' });
  });

  it('is forgotten once it is closed', async () => {
    const window = openWindow({ clock, records });
    window.open.receive(uri, snapshotOf({ name: 'first' }));
    window.open.takeReadable(uri);
    const written = openWritten(uri, textOf('first'));
    written.setDirty(true);
    written.write('{"name": "mine"}');
    await clock.advance(1000);
    assert.equal(records.texts.size, 1);
    written.close();
    await settle();
    assert.equal(records.texts.size, 0);
    window.end();
  });
});
