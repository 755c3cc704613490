// A workflow is created where its questions began.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Commands } from '../../../../src/editor/commands.ts';
import { registerCreate } from '../../../../src/features/workflows/importExport/creating.ts';
import { settle } from '../../../support/memory/ports.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';
import { quickInputs } from '../../../support/vscodeStandIn.ts';

describe('a new workflow', () => {
  it('belongs to the service that was active when the person was asked', async () => {
    const world = createWorld();
    const [, second] = await connectBoth(world);
    const commands = new Commands({
      logger: silentLogger,
      describe: (error) => ({ message: String(error), actions: [] }),
      activeConnectionId: () => '',
      findSubject: () => undefined,
    });
    const samples = vscode.Uri.file('/samples');
    const registered = registerCreate(
      { ...world, commands, samples, logger: silentLogger },
      { show: () => undefined },
    );
    const creating = commands.handle('workflow.create', [undefined]);
    await settle();
    quickInputs.pick?.accept();
    await settle();
    await world.connections.switchTo(second);
    quickInputs.box?.type('Orders');
    quickInputs.box?.accept();
    await creating;
    assert.deepEqual(
      [world.first, world.second].map(({ workflows }) => workflows.length),
      [1, 0],
    );
    registered.dispose();
    world.following.dispose();
  });
});
