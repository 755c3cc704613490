// A file stays as its author wrote it: what is brought into it changes no more than its values.
import assert from 'node:assert/strict';
import { Clone, createRemote, definitionOf, kindsOf, type Remote } from './filesWorld.ts';

const file = 'Orders.workflow.json';

/** Tabs, Windows' line ends, a byte order mark, its own order, members that nobody knows, and numbers that JavaScript can't hold. */
const text = `\ufeff{
\t"$schema": "./workflow.schema.json",
\t"x-team": {"owner": "billing",   "cost": 1.10},
\t"nodes": [
\t\t{"id": "start", "type": "trigger", "config": {}},
\t\t{ "type": "output", "id": "end", "config": { "expression": "input", "limit": 12345678901234567890.5 } }
\t],
\t"edges": [ { "source": "start", "target": "end" } ],
\t"settings": {},
\t"name": "Orders"
}
`.replaceAll('\n', '\r\n');

describe('the text of a file', () => {
  let remote: Remote;
  let clone: Clone;
  beforeEach(async () => {
    remote = await createRemote();
    clone = new Clone(remote.model);
    clone.folder.files.set(file, text);
    await clone.push();
  });
  afterEach(() => remote.dispose());

  it('is sent with its digits, and stays as it is', async () => {
    assert.equal(clone.text(file), text);
    assert.deepEqual(await clone.states(), { [file]: 'same' });
    const there = await remote.read(clone.idOf(file) ?? '');
    assert.ok(!Object.hasOwn(there, '$schema'));
    assert.match(JSON.stringify(there), /12345678901234567890\.5/);
  });

  it('gets what changed there, and nothing else', async () => {
    const id = clone.idOf(file) ?? '';
    const there = await remote.read(id);
    await remote.change(id, { ...there, name: 'Orders of today' });
    assert.deepEqual(kindsOf(await clone.pull()), ['done']);
    assert.equal(clone.text(file), text.replace('"Orders"', '"Orders of today"'));
  });

  it('may be laid out anew without being a change', async () => {
    const laidOut = text.replaceAll('\t', '    ').replaceAll('\r\n', '\n').replace('\ufeff', '');
    clone.folder.files.set(file, laidOut);
    assert.deepEqual(await clone.states(), { [file]: 'same' });
    await clone.push();
    await clone.pull();
    assert.equal(clone.text(file), laidOut);
  });

  for (const [what, broken] of [
    ['no JSON', '{"name": '],
    ['a list', '[]'],
    ['empty', ' '],
  ] as const) {
    it(`that is ${what} is never sent`, async () => {
      clone.folder.files.set(file, broken);
      assert.deepEqual(await clone.states(), { [file]: 'changed here' });
      assert.deepEqual(kindsOf(await clone.push()), ['conflict']);
      assert.deepEqual(kindsOf(await clone.push({ decision: 'mine' })), ['conflict']);
      assert.equal(clone.text(file), broken);
    });
  }

  it('that somebody writes while a plan is carried out is kept', async () => {
    const id = clone.idOf(file) ?? '';
    await remote.change(id, definitionOf('Orders', 'input.theirs'));
    const plan = await clone.plan('pull');
    clone.folder.files.set(file, '{"just": "written"}');
    assert.deepEqual(kindsOf(await clone.carryOut(plan)), ['conflict']);
    assert.equal(clone.text(file), '{"just": "written"}');
  });
});

describe('workflows whose names are one file on some machines', () => {
  let remote: Remote;
  beforeEach(async () => {
    remote = await createRemote();
  });
  afterEach(() => remote.dispose());

  it('are files of their own, the same ones in each clone, and go back to where they came from', async () => {
    const names = ['Orders', 'orders', 'Orders', 'con', 'a/b', 'a:b', '...', 'caf\u00e9', 'cafe\u0301'];
    for (const name of names) await remote.create(definitionOf(name));
    const [one, other] = [new Clone(remote.model), new Clone(remote.model)];
    await one.pull();
    await other.pull();
    const files = [...one.folder.files.keys()].filter((path) => path.endsWith('.workflow.json'));
    assert.equal(files.length, names.length);
    assert.equal(new Set(files.map((path) => path.normalize('NFC').toUpperCase())).size, names.length);
    assert.equal(one.text('workflows.json'), other.text('workflows.json'));
    for (const path of files) {
      const definition = one.definition(path) ?? assert.fail(path);
      one.write(path, { ...definition, description: path });
    }
    await one.push();
    for (const path of files) assert.equal((await remote.read(one.idOf(path) ?? ''))['description'], path);
    assert.equal((await remote.names()).length, names.length);
  });
});
