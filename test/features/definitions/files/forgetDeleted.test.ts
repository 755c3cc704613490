// Of a workflow that is gone nothing stays on the disk.
import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { WorkflowTarget } from '../../../../src/domain/targets.ts';
import { showDefinition } from '../../../../src/features/definitions/files/definitionFile.ts';
import { forgetDeleted } from '../../../../src/features/definitions/files/forgetDeleted.ts';
import { RememberedBases } from '../../../../src/features/definitions/files/rememberedBases.ts';
import { SavedTexts } from '../../../../src/features/definitions/files/savedTexts.ts';
import { Pins } from '../../../../src/model/pins/pins.ts';
import { definitionUri } from '../../../../src/ui/addresses.ts';
import { HandClock, MemoryRecords, MemoryState, settle } from '../../../support/memory/ports.ts';
import { snapshotOf } from './snapshots.ts';

it('forgets the texts, bases and pins of a workflow that is deleted, and of a connection that is removed', async () => {
  const clock = new HandClock();
  const keyPrefix = (): string => 'svc_sk_';
  const bases = new RememberedBases({ records: new MemoryRecords(), clock, keyPrefix });
  const texts = new SavedTexts(new MemoryState(), keyPrefix);
  const pins = new Pins(new MemoryState(), keyPrefix);
  const deleted = new Emitter<WorkflowTarget>();
  const removed = new Emitter<string>();
  const forgetting = forgetDeleted(
    {
      actions: { onDidDelete: deleted.event },
      connections: { onDidRemove: removed.event },
      logger: silentLogger,
      pins,
    },
    texts,
    bases,
  );
  const targets = [
    { connectionId: 'c1', workflowId: 'ä 1' },
    { connectionId: 'c1', workflowId: '2' },
    { connectionId: 'c2', workflowId: 'ä 1' },
  ];
  const addressOf = (target: WorkflowTarget): string => definitionUri(target, 'C', 'A').toString();
  const base = showDefinition(undefined, snapshotOf({ name: 'A' }), 0);
  for (const target of targets) {
    await texts.keep(target, '{}');
    await bases.keep(addressOf(target), base, 'typed');
    await pins.set(target, 'n', 1);
  }
  const known = () =>
    targets.map((target) => [
      texts.read(target) !== undefined,
      bases.find(addressOf(target), 'typed') !== undefined,
      pins.find(target, 'n') !== undefined,
    ]);
  deleted.fire({ connectionId: 'c1', workflowId: 'ä 1' });
  await settle();
  assert.deepEqual(known(), [
    [false, false, false],
    [true, true, true],
    [true, true, true],
  ]);
  removed.fire('c1');
  await settle();
  assert.deepEqual(known(), [
    [false, false, false],
    [false, false, false],
    [true, true, true],
  ]);
  forgetting.dispose();
});
