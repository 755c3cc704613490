// What code gets that runs a command: no question and no message, but a result or an error.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger.ts';
import { Commands } from '../../src/editor/commands.ts';
import { commandId, type CommandName } from '../../src/editor/commands/names.ts';
import { commandNames } from '../support/commandNames.ts';

const failure = new Error('It failed.');

/** Notes what happens beside the result. */
class World {
  readonly log: string[] = [];
  readonly commands = new Commands({
    logger: silentLogger,
    describe: (error) => {
      this.log.push('shown');
      return { message: String(error), actions: [] };
    },
    activeConnectionId: () => 'active',
    findSubject: () => undefined,
  });

  /** Registers a command that fails. */
  register(name: CommandName): void {
    this.commands.register<CommandName, 'answer'>(name, {
      ask: () => {
        this.log.push('asked');
        return Promise.resolve('answer');
      },
      run: () => {
        this.log.push('run');
        return Promise.reject(failure);
      },
    });
  }
}

describe('a command', () => {
  it('that code runs with what it cannot read rejects with its arguments in words, asks nothing and does nothing', async () => {
    const world = new World();
    for (const name of commandNames) {
      world.register(name);
      for (const wrong of ['text', 5])
        await assert.rejects(world.commands.handle(name, [wrong]), (error) => {
          assert.ok(error instanceof TypeError);
          assert.ok(error.message.startsWith(`${commandId(name)} expects `), error.message);
          return true;
        });
    }
    assert.deepEqual(world.log, []);
  });

  it('that fails says so to code alone if code runs it, and to a person otherwise', async () => {
    const world = new World();
    world.register('workflow.deploy');
    const deploy = (argument: object) => world.commands.handle('workflow.deploy', [argument]);
    await assert.rejects(deploy({ workflowId: 'w1' }), failure);
    assert.deepEqual(world.log, ['run']);
    assert.equal(await deploy({ workflowId: 'w1', invokedBy: 'person' }), undefined);
    assert.deepEqual(world.log, ['run', 'run', 'shown']);
  });

  it('acts on what the view of source control passes: selected rows one by one, and the provider of a title', async () => {
    const { commands } = new World();
    const chosen: unknown[] = [];
    commands.register('files.pushFile', {
      ask: () => assert.fail('There is a row.'),
      run: (_first, { selected }) => {
        chosen.push(...selected.map(({ linkedFile }) => linkedFile));
        return Promise.resolve(undefined);
      },
    });
    commands.register('files.push', {
      ask: () => assert.fail('There is a folder.'),
      run: ({ folder }, { isInteractive }) => {
        chosen.push(folder, isInteractive);
        return Promise.resolve(undefined);
      },
    });
    const row = (linkedFile: string) => ({ kind: 'workflowFile', linkedFile, invokedBy: 'person' });
    await commands.handle('files.pushFile', [row('a'), row('b')]);
    await commands.handle('files.pushFile', [row('c'), true]);
    const rootUri = vscode.Uri.parse('file:///work/flows');
    await commands.handle('files.push', [{ rootUri, createResourceGroup: () => undefined }]);
    assert.deepEqual(chosen, ['a', 'b', 'c', 'file:///work/flows', true]);
  });

  it('acts on the selected rows of the kind of the one it was chosen on: rows of executions have a workflow too', async () => {
    const { commands } = new World();
    const chosen: unknown[] = [];
    commands.register('workflow.delete', {
      ask: () => assert.fail('There is a row.'),
      run: (_first, { selected }) => {
        chosen.push(...selected.map(({ workflowId }) => workflowId));
        return Promise.resolve(undefined);
      },
    });
    const row = (kind: string, workflowId: string) => ({
      invokedBy: 'person',
      kind,
      key: workflowId,
      connectionId: 'c',
      workflowId,
    });
    const [first, second] = [row('workflow', 'w1'), row('workflow', 'w2')];
    await commands.handle('workflow.delete', [first, [first, row('execution', 'w3'), second]]);
    assert.deepEqual(chosen, ['w1', 'w2']);
  });
});
