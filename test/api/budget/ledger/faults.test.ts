// What can happen to the ledger's file while windows use it: none may stop anybody, and one line of the log says it.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RequestBudget } from '../../../../src/api/budget/budget.ts';
import { loadSqlite } from '../../../../src/base/sqlite.ts';
import { createLedgerWorld, type LedgerWorld, type SettableClock } from '../../../support/ledgerWorld.ts';
import { settle } from '../../../support/memory/ports.ts';
import { forever, silent, spend } from '../../../support/spending.ts';

describe('the file of the shared budget', () => {
  let world: LedgerWorld;
  let clock: SettableClock;
  beforeEach(() => {
    world = createLedgerWorld();
    ({ clock } = world);
  });
  afterEach(() => {
    world.dispose();
    assert.equal(clock.armed, 0);
  });

  function removeFile(): void {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${world.path}${ending}`, { force: true });
  }
  const remaining = (budget: RequestBudget): number => budget.current.remaining;

  const disappears: Readonly<Record<string, () => void>> = {
    deleted: removeFile,
    'replaced by something else': () => {
      removeFile();
      writeFileSync(world.path, 'This is no database. '.repeat(500));
    },
  };
  for (const [name, happen] of Object.entries(disappears)) {
    it(`may be ${name}: the windows count together again, with what they sent before`, async () => {
      const [one, other] = [world.openWindow(), world.openWindow()];
      await spend(one, 20);
      await spend(other, 10);
      await spend(one, 1);
      happen();
      await clock.advance(1000);
      await spend(one, 1);
      // What the other one sent is known by its number, until it brings it itself.
      assert.equal(remaining(one), 28);
      await spend(other, 1);
      assert.equal(remaining(one), 27);
      assert.equal(remaining(other), 27);
      await clock.advance(60_000);
      assert.equal(remaining(one), 60);
      assert.deepEqual(world.warnings, []);
    });
  }

  it('may be overwritten while it is in use: nothing throws, and no window sends more than it may', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 30);
    writeFileSync(world.path, Buffer.alloc(4096, 7));
    const late = world.openWindow();
    await spend(late, 1);
    await clock.advance(1000);
    await spend(one, 5);
    await spend(other, 1);
    assert.ok(remaining(one) <= 25);
    await clock.advance(95_000);
    assert.equal(remaining(one), 60);
    await spend(other, 20);
    assert.equal(remaining(one), 40);
    assert.equal(remaining(late), 40);
  });

  it('may be of another version: each window counts for itself, which one line of the log says', async () => {
    mkdirSync(dirname(world.path), { recursive: true });
    const newer = new DatabaseSync(world.path);
    newer.exec('PRAGMA user_version = 7');
    newer.close();
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 60);
    await spend(other, 60);
    await clock.advance(120_000);
    await spend(one, 60);
    assert.equal(world.warnings.length, 2);
    assert.match(world.warnings[0] ?? '', /each counts for itself\..*Its version is 7 and not 1\./);
  });

  it('may be where no file can be', async () => {
    const budget = world.openWindow('svc_sk_shared', { path: `${import.meta.filename}/budget.db` });
    await spend(budget, 60);
    assert.equal(remaining(budget), 0);
    assert.equal(world.warnings.length, 1);
  });

  it('may be held by a program that does not let go: a person waits two seconds, then each counts for itself', async () => {
    const [one, other] = [world.openWindow(), world.openWindow()];
    await spend(one, 30);
    await spend(other, 10);
    await spend(one, 1);
    const holder = new DatabaseSync(world.path);
    holder.exec('BEGIN IMMEDIATE');
    const log: string[] = [];
    void one.admit('asked', forever).then((lease) => {
      lease.release(silent);
      log.push('admitted');
    });
    await clock.advance(1900);
    assert.deepEqual(log, []);
    await clock.advance(200);
    assert.deepEqual(log, ['admitted']);
    // It goes on from what was known, the other window's ten included.
    assert.equal(remaining(one), 18);
    holder.exec('ROLLBACK');
    holder.close();
    await clock.advance(30_000);
    await spend(one, 1);
    assert.equal(remaining(other), 17);
    assert.equal(world.warnings.length, 1);
  });

  it('may be held for a moment: who waits goes on as soon as it is free', async () => {
    const budget = world.openWindow();
    await spend(budget, 1);
    const holder = new DatabaseSync(world.path);
    holder.exec('BEGIN IMMEDIATE');
    const admitted = budget.admit('asked', forever);
    await clock.advance(50);
    holder.exec('ROLLBACK');
    holder.close();
    await clock.advance(25);
    (await admitted).release(silent);
    assert.equal(remaining(budget), 58);
    assert.deepEqual(world.warnings, []);
  });

  it('may be held for a moment: a window that has just opened still says how long its request waits', async () => {
    const start = clock.now();
    await spend(world.openWindow(), 60);
    const holder = new DatabaseSync(world.path);
    holder.exec('BEGIN EXCLUSIVE');
    const waits: number[] = [];
    const options = { patienceMs: 65_000, onWait: (until: number) => waits.push(until) };
    const admitted = world.openWindow().admit('asked', forever, options);
    await clock.advance(50);
    assert.deepEqual(waits, []);
    holder.exec('ROLLBACK');
    holder.close();
    await clock.advance(25);
    assert.deepEqual(waits, [start + 60_000]);
    await clock.advance(60_000);
    (await admitted).release(silent);
    assert.deepEqual(world.warnings, []);
  });

  it('may refuse to be written, as on a full disk, and take it again later', async () => {
    const budget = world.openWindow();
    await spend(budget, 1);
    // It fails at the same slot as on a disk without room.
    const other = new DatabaseSync(world.path);
    other.exec('CREATE TRIGGER full BEFORE INSERT ON requests BEGIN SELECT RAISE(ABORT, "full"); END');
    await spend(budget, 20);
    assert.equal(remaining(budget), 39);
    other.exec('DROP TRIGGER full');
    other.close();
    await clock.advance(30_000);
    await spend(budget, 1);
    await settle();
    assert.equal(remaining(world.openWindow()), 38);
    assert.equal(world.warnings.length, 1);
  });

  it('may be in a folder that becomes read-only: nobody is held up', async function () {
    if (process.platform === 'win32') this.skip();
    const budget = world.openWindow();
    await spend(budget, 1);
    chmodSync(dirname(world.path), 0o500);
    chmodSync(world.path, 0o400);
    await spend(budget, 10);
    assert.equal(remaining(budget), 49);
    chmodSync(dirname(world.path), 0o700);
  });

  it('needs a SQLite that some versions of Node call experimental, which nobody reads', () => {
    const warnings: unknown[] = [];
    const original = Object.getOwnPropertyDescriptor(process, 'emitWarning');
    assert.ok(original);
    const value = (warning: unknown): void => {
      warnings.push(warning);
    };
    Object.defineProperty(process, 'emitWarning', { configurable: true, value });
    try {
      assert.ok(loadSqlite());
      process.emitWarning('still heard');
    } finally {
      Object.defineProperty(process, 'emitWarning', original);
    }
    assert.deepEqual(warnings, ['still heard']);
  });
});
