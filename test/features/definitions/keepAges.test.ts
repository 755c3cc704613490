// The ages above a definition move with those of the rows, and only while somebody looks.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Ages } from '../../../src/editor/tree/ages.ts';
import { schemes } from '../../../src/editor/ids.ts';
import { MemoryLinks } from '../../support/memory/links.ts';
import { DefinitionTargets } from '../../../src/ui/definitionTargets.ts';
import { keepAges } from '../../../src/features/definitions/lenses.ts';
import { HandClock } from '../../support/memory/ports.ts';
import { documents, windowFocus } from '../../support/vscodeStandIn.ts';

describe('ages above a definition', () => {
  it('are told at the time of all ages, while a definition is in sight', async () => {
    const clock = new HandClock();
    const ages = new Ages(clock);
    const told: number[] = [];
    const keeping = keepAges({ ages, definitionTargets: new DefinitionTargets(new MemoryLinks()) }, () =>
      told.push(ages.now),
    );
    const document = {
      uri: vscode.Uri.from({ scheme: schemes.definition, authority: 'c', path: '/a', query: 'w' }),
    };
    const began = clock.now();
    assert.equal(clock.armed, 0);
    documents.open(document);
    await clock.advance(60_000);
    assert.deepEqual(told, [began, began + 30_000, began + 60_000]);
    windowFocus.set(false);
    assert.equal(clock.armed, 0);
    await clock.advance(90_000);
    windowFocus.set(true);
    assert.equal(told.at(-1), began + 150_000);
    documents.close(document);
    keeping.dispose();
    assert.equal(clock.armed, 0);
  });
});
