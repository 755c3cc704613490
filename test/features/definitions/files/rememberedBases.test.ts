// A restored text that is taken for one that rests on something newer is written over a change that nobody has seen.
import assert from 'node:assert/strict';
import { stringifyJson } from '../../../../src/base/json.ts';
import type { FileContent } from '../../../../src/features/definitions/files/definitionFile.ts';
import { RememberedBases } from '../../../../src/features/definitions/files/rememberedBases.ts';
import { typed } from '../../../support/digits.ts';
import { HandClock, MemoryRecords } from '../../../support/memory/ports.ts';

const address = 'workflow-definition://local/A/B.workflow.json?wf_1';

function baseOf(name: string, length = 0): FileContent {
  const text = `{"name":"${name}"}${' '.repeat(length)}`;
  return { definition: { name }, text, mtime: 1, name, updatedAt: null };
}

describe('what restored definitions rest on', () => {
  const clock = new HandClock();
  let records: MemoryRecords;
  /** A window, which forgets when it's reloaded. */
  const open = () => new RememberedBases({ records, clock, keyPrefix: () => 'own_' });
  beforeEach(() => (records = new MemoryRecords()));

  it('is known by their texts, with all digits, until it is forgotten', async () => {
    const base = { ...baseOf('A'), definition: typed('{"name":"A","id":9007199254740993}') };
    await open().keep(address, base, 'typed');
    const window = open();
    assert.deepEqual(window.find(address, 'typed'), base);
    assert.equal(
      stringifyJson(window.find(address, 'typed')?.definition),
      '{"name":"A","id":9007199254740993}',
    );
    assert.deepEqual([window.find(address, 'other'), window.find('other', 'typed')], [undefined, undefined]);
    await window.forget(address);
    assert.equal(open().find(address, 'typed'), undefined);
    assert.equal(records.texts.size, 0);
  });

  it('is what each of two windows has seen, whichever wrote last', async () => {
    const [one, other] = [open(), open()];
    await one.keep(address, baseOf('A'), 'of one');
    await other.keep(address, baseOf('B'), 'of the other');
    assert.deepEqual(open().find(address, 'of one'), baseOf('A'));
    assert.deepEqual(open().find(address, 'of the other'), baseOf('B'));
    await other.forget(address);
    assert.deepEqual(open().find(address, 'of one'), baseOf('A'));
  });

  it('is unknown where two windows have the same text on different bases', async () => {
    await open().keep(address, baseOf('A'), 'typed');
    const other = open();
    await other.keep(address, baseOf('A'), 'typed');
    assert.deepEqual(open().find(address, 'typed'), baseOf('A'));
    await other.keep(address, baseOf('B'), 'typed');
    assert.equal(open().find(address, 'typed'), undefined);
  });

  it('is known by earlier texts too, but only by those on the same base', async () => {
    const window = open();
    const base = baseOf('A');
    await window.keep(address, base, 'first');
    await window.keep(address, base, 'second');
    assert.deepEqual(open().find(address, 'first'), base);
    for (let index = 0; index < 99; index += 1) await window.keep(address, base, `${index}`);
    assert.deepEqual([open().find(address, 'first'), open().find(address, 'second')], [undefined, base]);
    await window.keep(address, baseOf('B'), 'saved', 'typed since');
    assert.deepEqual(
      ['second', 'saved', 'typed since'].map((text) => open().find(address, text)?.name),
      [undefined, 'B', 'B'],
    );
    assert.equal(records.texts.size, 1);
  });

  it('goes on under its record after a reload', async () => {
    await open().keep(address, baseOf('A'), 'typed');
    const window = open();
    const base = window.find(address, 'typed') ?? assert.fail();
    await window.keep(address, base, 'typed more');
    assert.equal(records.texts.size, 1);
    assert.deepEqual(open().find(address, 'typed'), base);
  });

  it('is kept for the newest 100, in 8 Mi characters, and nothing else stays in the folder', async () => {
    records.texts.set('earlier', '{"address":"x"}');
    const keepEach = async (first: number, last: number, base: FileContent): Promise<void> => {
      for (let index = first; index <= last; index += 1) {
        await open().keep(`${index}`, base, 'typed');
        await clock.advance(1);
      }
    };
    const kept = (): readonly string[] =>
      [...records.texts.values()].map((text) => /"address":"([^"]*)"/.exec(text)?.[1] ?? '');
    await keepEach(1, 105, baseOf('A'));
    assert.deepEqual(
      kept(),
      Array.from({ length: 100 }, (_, index) => `${index + 6}`),
    );
    await keepEach(106, 108, baseOf('A', 3 * 1024 * 1024));
    assert.deepEqual(kept().slice(-3), ['105', '107', '108']);
  });

  it('goes with the workflow, in all windows', async () => {
    const window = open();
    await window.keep(address, baseOf('A'), 'typed');
    await open().keep(address, baseOf('B'), 'typed elsewhere');
    await open().keep('other', baseOf('A'), 'typed');
    await window.forgetAll((each) => each === address);
    assert.deepEqual(
      ['typed', 'typed elsewhere'].map((text) => open().find(address, text)),
      [undefined, undefined],
    );
    assert.deepEqual(open().find('other', 'typed'), baseOf('A'));
  });

  it('is not stored with a key in it, neither in its value nor in its text, and nor is what was stored before', async () => {
    for (const key of ['svc_sk_0123456789abcdef0123456789abcdef', 'own_0123456789abcdef0123456789abcdef']) {
      const window = open();
      await window.keep(address, baseOf('A'), 'typed');
      await window.keep(address, { ...baseOf('A'), definition: { token: key } }, 'typed');
      assert.deepEqual([...records.texts], []);
      await window.keep(address, { ...baseOf('A'), text: `{"$schema":"${key}"}` }, 'typed');
      assert.deepEqual([...records.texts], []);
      assert.equal(open().find(address, 'typed'), undefined);
    }
  });
});
